"""Conversions, comparisons, and what viewers and learners take."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import SOURCE

import kinemorph as km

FORMATS = ["urdf", "urdf+", "sdf", "sdf@1.11", "mjcf", "mbs", "usda"]
SUFFIX = {"urdf": ".urdf", "urdf+": ".urdf", "sdf": ".sdf", "sdf@1.11": ".sdf", "mjcf": ".xml", "mbs": ".mbs", "usda": ".usda"}


@pytest.mark.parametrize("to", FORMATS)
def test_texts_are_the_commands(mechanism, to, command, tmp_path):
    out = tmp_path / ("robot" + SUFFIX[to])
    told = command("convert", mechanism, "-o", out, "--to", to, "--loss-report", tmp_path / "report.json")
    robot = km.load(mechanism)
    if told.returncode != 0:
        with pytest.raises(km.ConversionRefused) as caught:
            robot.convert(to)
        assert any(item.severity == "error" for item in caught.value.diagnostics)
        return
    ours = robot.convert(to, out=str(out))
    assert ours.text == out.read_text()
    assert ours.report.data == json.loads((tmp_path / "report.json").read_text())
    ours.save(tmp_path / "again" / out.name)
    assert (tmp_path / "again" / out.name).read_bytes() == out.read_bytes()


def test_every_conversion_is_proved(mechanism):
    robot = km.load(mechanism)
    conversion = robot.convert("mjcf", verify=True)
    assert conversion.proof and conversion.proof.verdict in ("equivalent", "except")
    assert conversion.format == "mjcf" and conversion.target["name"] == robot.name
    again = km.loads(conversion.text, name="again.xml")
    assert km.verify(robot, again, report=conversion.report)
    assert again.mobility == robot.mobility


def test_refusals_carry_report_and_diagnostics(four_bar):
    with pytest.raises(km.ConversionRefused) as caught:
        four_bar.convert("mjcf", strict="interface")
    assert "strict" in str(caught.value)
    assert len(caught.value.report) > 0
    assert {item.code for item in caught.value.diagnostics} >= {"loss-effort-limit", "loss-velocity-limit"}
    assert all(item.line > 0 for item in caught.value.diagnostics if item.code == "loss-velocity-limit")
    done = four_bar.convert("mjcf", strict="motion")
    assert "<equality>" in done.text
    with pytest.raises(km.ConversionRefused):
        four_bar.convert("mjcf", strict=True, drop=["effort-limit", "velocity-limit"])


def test_check_predicts(four_bar):
    report = km.check(four_bar, "mjcf")
    assert report.data == four_bar.convert("mjcf").report.data
    assert report and not km.check(four_bar, "urdf+")
    assert len(four_bar.check("mjcf", strict=True)) == len(report), "a refusal for losses is a report"
    assert {loss["feature"] for loss in report.losses} >= {"effort-limit"}
    assert "[loss-effort-limit]" in str(report) and "| " in report.markdown


def test_reports_are_saved(four_bar, tmp_path):
    report = four_bar.check("mjcf")
    assert json.loads(report.save(tmp_path / "r.json").read_text()) == report.data
    assert report.save(tmp_path / "r.md").read_text() == report.markdown


def test_options_reach_the_conversion(four_bar):
    assert "floating" not in four_bar.convert("urdf+").text
    free = four_bar.convert("mjcf", base="floating")
    assert 'type="free"' in free.text
    assert 'independent="true"' in four_bar.convert("urdf+", independent="joint3").text
    cut = km.loads(four_bar.convert("urdf+", cut=["joint2"]).text, name="cut.urdf")
    assert "joint2" in cut.loops
    assert "robot.yml" in four_bar.convert("urdf", sidecar=["hyrodyn"]).files
    assert "robot.yaml" in four_bar.convert("urdf", sidecar=["gepetto"]).files
    driven = four_bar.convert("urdf", sidecar="ros2_control", hardware_plugin="fake/Plugin")
    assert "<plugin>fake/Plugin</plugin>" in driven.text and "passive_joint" in driven.files["robot.srdf"]
    scene = four_bar.convert("mjcf", scene=True, out="four.xml")
    assert list(scene.files) == ["four_scene.xml"]


def test_saving_keeps_names_of_meshes_true(tmp_path):
    source = tmp_path / "in"
    shutil.copytree(SOURCE / "fixtures/features/shape-mesh", source)
    file = source / "shape-mesh.sdf"
    robot = km.load(file)
    saved = robot.convert("sdf").save(tmp_path / "out" / "deep" / "robot.sdf")
    mesh = km.load(saved, allow_outside=True).scene()[0]
    assert mesh.type == "mesh" and Path(mesh.file).samefile(source / "meshes/wedge.obj")
    whole = robot.convert("mjcf", copy_assets="meshes").save(tmp_path / "whole" / "robot.xml")
    assert (whole.parent / "meshes/wedge.obj").read_bytes() == (source / "meshes/wedge.obj").read_bytes()
    with pytest.raises(km.KinemorphError, match="overwritten"):
        robot.convert("sdf", base="floating").save(file)
    assert oct(whole.stat().st_mode)[-3:] == oct(0o666 & ~_umask())[-3:]


def test_copies_of_meshes(tmp_path):
    source = tmp_path / "in"
    shutil.copytree(SOURCE / "fixtures/features/shape-mesh", source)
    robot = km.load(source / "shape-mesh.sdf")
    named = robot.convert("urdf", copy_assets="meshes", mesh_uri="package://robot/meshes")
    assert list(named.assets) == ["package://robot/meshes/wedge.obj"] and "package://robot/meshes/wedge.obj" in named.text
    named.save(tmp_path / "out" / "robot.urdf")
    assert (tmp_path / "out/meshes/wedge.obj").exists()
    with pytest.raises(km.UsageError, match="copy_assets"):
        robot.convert("urdf", mesh_uri="package://robot")
    if shutil.which("assimp") is None:
        pytest.skip("assimp is not installed")
    (source / "meshes/ball.ply").write_text(PLY)
    text = (source / "shape-mesh.sdf").read_text().replace("wedge.obj", "ball.ply")
    (source / "ply.sdf").write_text(text)
    made = km.load(source / "ply.sdf").convert("mjcf", copy_assets="meshes", convert_meshes=True)
    assert "meshes/ball.obj" in made.text and b"\nf " in made.assets["meshes/ball.obj"]


PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 1 2 3
3 0 3 2
"""


def test_no_file_takes_the_place_of_another(four_bar, tmp_path):
    with pytest.raises(km.UsageError, match="would be written over another file"):
        four_bar.convert("urdf", sidecar=["srdf"]).save(tmp_path / "o.srdf")
    assert not list(tmp_path.iterdir())


def test_the_reference_library_is_asked(four_bar, tmp_path, monkeypatch):
    judge = tmp_path / "kinemorph-judge"
    judge.write_text("#!/usr/bin/env python3\n"
                     "import sys\n"
                     "question = b''\n"
                     "while not question.endswith(b'\\0\\0'):\n"
                     "    question += sys.stdin.buffer.read1(1) or sys.exit()\n"
                     "said = 'asked about ' + question.split(b'\\0')[0].decode()\n"
                     "print(open(%r).read(), len(said), end='\\n' + said, flush=True)\n" % str(tmp_path / "verdict"))
    judge.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "verdict").write_text("0")
    said = four_bar.convert("mjcf", verify=True).diagnostics
    assert [item.message for item in said if item.code == "verify-accepted"] == ["'robot': asked about mjcf"]
    (tmp_path / "verdict").write_text("1")
    with pytest.raises(km.ConversionRefused, match="asked about"):
        four_bar.convert("mjcf", verify=True)
    assert four_bar.convert("mjcf", verify=True, judge=False).proof


def test_worlds(tmp_path):
    one = "<model name='%s'><link name='l'/></model>"
    (tmp_path / "in").mkdir()
    (tmp_path / "in/world.sdf").write_text(
        "<sdf version='1.9'><world name='w'>" + one % "left arm" + one % "right" + "</world></sdf>")
    robot = km.load(tmp_path / "in/world.sdf")
    assert robot.models == ["left arm", "right"]
    assert {name: done.text.count("<body ") for name, done in robot.convert_all("mjcf").items()} == {"left arm": 1, "right": 1}
    results = km.batch(tmp_path / "in", tmp_path / "out", "mjcf", all_models=True)
    assert [str(result.out.relative_to(tmp_path / "out")) for result in results] == ["world/left_arm.xml", "world/right.xml"]


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_verdicts(four_bar):
    assert km.verify(four_bar, four_bar)
    assert km.diff(four_bar, four_bar) == []
    heavier = km.loads(four_bar.text.replace('<mass value="0.8"/>', '<mass value="0.9"/>'), name="heavy.urdf")
    verdict = km.verify(four_bar, heavier)
    assert not verdict and verdict.verdict == "different" and "NOT equivalent" in verdict.line
    assert any("link1" in line and "0.9" in line for line in km.diff(four_bar, heavier))
    conversion = four_bar.convert("mjcf")
    again = km.loads(conversion.text, name="again.xml")
    assert not km.verify(four_bar, again)
    assert km.verify(four_bar, again, report=conversion.report)
    assert km.verify(four_bar, again, allow=["effort-limit", "velocity-limit", "independent"])
    assert km.verify(four_bar.file, four_bar)


def test_verify_says_what_the_command_says(mechanism, command):
    other = mechanism.with_suffix(".sdf" if mechanism.suffix == ".urdf" else ".urdf")
    if not other.exists():
        other = mechanism
    told = command("verify", mechanism, other, "--json")
    verdict = km.verify(mechanism, other)
    assert verdict.data == json.loads(told.stdout)
    assert bool(verdict) == (told.returncode == 0)
    lines = command("diff", mechanism, other, "--verbose").stdout.splitlines()
    assert km.diff(mechanism, other) == lines[:-1]


def test_lint_says_what_the_command_says(mechanism, command):
    told = [json.loads(line) for line in command("lint", mechanism, "--diagnostics", "json").stderr.splitlines()]
    assert [(item.code, item.line, item.message) for item in km.lint(mechanism)] == \
        [(item["code"], item["line"], item["message"]) for item in told]


def test_npm_mujoco_takes_text_and_assets(tmp_path):
    compiler = SOURCE / "tests/oracle/mjwasm/compile.mjs"
    if not shutil.which("node") or not (compiler.parent / "node_modules").exists():
        pytest.skip("npm's MuJoCo is not there: tools/test installs it")
    robots = {path.stem + path.suffix.replace(".", "_"): km.load(path)
              for path in sorted((SOURCE / "fixtures/mechanisms").glob("*/*.urdf"))}
    robots["mesh"] = km.load(SOURCE / "fixtures/features/shape-mesh/shape-mesh.sdf")
    for name, robot in robots.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "robot.xml").write_text(robot.to_mjcf())
        for asset, content in robot.assets().items():
            assert os.sep not in asset
            (folder / asset).write_bytes(content)
    assert (tmp_path / "mesh/wedge.obj").exists()
    files = [f"{name}/robot.xml" for name in robots]
    run = subprocess.run(["node", compiler, tmp_path, *files], capture_output=True, text=True, check=True)
    models = {model["file"].split("/")[0]: model for model in map(json.loads, run.stdout.splitlines())}
    for name, robot in robots.items():
        assert "error" not in models[name], f"{name}: {models[name].get('error')}"
        assert models[name]["nv"] >= robot.mobility
        masses = sum(body["mass"] for body in models[name]["bodies"])
        assert masses == pytest.approx(robot.inspect()["total_mass"], rel=1e-6)


def test_other_robots_take_the_urdf(four_bar):
    import xml.etree.ElementTree as tree

    root = tree.fromstring(four_bar.to_urdf())
    assert root.tag == "robot" and len(root.findall("link")) == 4


def test_scenes(four_bar):
    shapes = four_bar.scene({"joint1": 0.3}, roles=("visual", "collision"))
    assert {shape.role for shape in shapes} == {"visual", "collision"}
    for shape in shapes:
        expected = four_bar.link_pose(shape.link, {"joint1": 0.3}) @ shape.pose_in_link
        np.testing.assert_allclose(shape.pose, expected, atol=1e-12)
    plate = next(shape for shape in shapes if shape.name == "plate")
    assert plate.type == "box" and plate.size["size"] == [0.4, 0.1, 0.02] and plate.color == (0.6, 0.6, 0.65, 1.0)


def test_side_cars_by_one_name(tmp_path):
    robot = km.load(SOURCE / "fixtures/mechanisms/four_bar/four_bar.urdf", with_="none")
    assert robot.name == "four_bar"
    with pytest.raises(km.ReadError, match="gone.yaml"):
        km.load(SOURCE / "fixtures/mechanisms/four_bar/four_bar.urdf", with_=tmp_path / "gone.yaml")


def test_states_for_isaac_lab():
    robot = km.load(SOURCE / "fixtures/mechanisms/biped/biped.urdf")
    state = robot.init_state()
    assert set(state) == {"pos", "rot", "joint_pos", "joint_vel"}
    assert set(state["joint_pos"]) <= {name.replace(".", ":") for name in robot.coordinate_names}
    assert np.linalg.norm(state["rot"]) == pytest.approx(1)
    with pytest.raises(km.ClosureError, match="open"):
        four = km.load(SOURCE / "fixtures/mechanisms/four_bar/four_bar.urdf")
        four.init_state([0.3, 0, 0])
    assert four.init_state({"joint1": 0.3})["joint_pos"] == pytest.approx({"joint1": 0.3, "joint2": -0.3, "joint3": 0.3})
    # A stage has other names and zeros, and starts at home.
    arm = km.loads('<mujoco><compiler angle="radian"/><worldbody><body name="b"><joint name="hip-1" ref="0.3"/>'
                   '<geom size=".1"/></body></worldbody><keyframe><key name="home" qpos="0.5"/></keyframe></mujoco>', name="arm.xml")
    assert arm.init_state()["joint_pos"] == pytest.approx({"hip_1": 0.2})
    assert arm.init_state([0.4])["joint_pos"] == pytest.approx({"hip_1": 0.1})
    free = km.loads('<mujoco><worldbody><body name="b" pos="1 2 3" euler="0 0 90"><freejoint name="f"/>'
                    '<geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>', name="free.xml")
    state = free.init_state()
    assert state["pos"] == pytest.approx((1, 2, 3))
    assert state["rot"] == pytest.approx((0.5**0.5, 0, 0, 0.5**0.5))
    assert state["joint_pos"] == {}


def test_graphs(four_bar):
    data = four_bar.graph_data("lacg")
    assert data["nodes"][-1]["links"] == ["link1", "link2", "link3"] and data["nodes"][-1]["mobility"] == 1
    networkx = pytest.importorskip("networkx")
    graph = four_bar.graph("cg")
    assert isinstance(graph, networkx.MultiDiGraph)
    assert set(graph.nodes) == {"world", *four_bar.links}
    assert graph.number_of_edges() == len(four_bar.joints) + len(four_bar.loops)
    assert [d["name"] for _, _, d in graph.edges(data=True) if d["loop"]] == ["loop1"]


def test_pictures(four_bar, monkeypatch):
    assert four_bar.dot("cg").startswith("digraph")
    if not shutil.which("dot"):
        pytest.skip("Graphviz is not installed")
    picture = four_bar._repr_svg_()
    assert "<svg" in picture and "link1" in picture
    assert four_bar.svg("lacg") != picture
    monkeypatch.setenv("PATH", "/nowhere")
    assert four_bar._repr_svg_() is None


def test_batches(tmp_path):
    source = tmp_path / "in"
    (source / "deep").mkdir(parents=True)
    for name in ("four_bar", "gripper"):
        for suffix in (".urdf", ".sdf"):
            shutil.copy(SOURCE / f"fixtures/mechanisms/{name}/{name}{suffix}", source / "deep" / (name + suffix))
    shutil.copy(SOURCE / "fixtures/mechanisms/elbow/elbow.urdf", source / "elbow.urdf")
    (source / "broken.urdf").write_text("<robot name='r'>")
    (source / "package.xml").write_text("<package><name>p</name></package>")
    results = km.batch(source, tmp_path / "out", "mjcf", verify=True)
    assert {(result.source.name, result.out and result.out.name) for result in results} == {
        ("broken.urdf", None), ("elbow.urdf", "elbow.xml"), ("four_bar.sdf", "four_bar.sdf.xml"),
        ("four_bar.urdf", "four_bar.urdf.xml"), ("gripper.sdf", "gripper.sdf.xml"), ("gripper.urdf", "gripper.urdf.xml")}
    assert [result.source.name for result in results if not result] == ["broken.urdf"]
    assert isinstance(results[0].error, km.ReadError)
    assert all(result.out.exists() and result.report is not None for result in results if result)
    strict = km.batch(source, tmp_path / "strict", "mjcf", strict=True, jobs=2)
    refused = [result for result in strict if isinstance(result.error, km.ConversionRefused)]
    assert refused and all(result.out is None and len(result.report) > 0 for result in refused)


def test_what_it_knows():
    assert {entry["name"] for entry in km.formats()["formats"]} >= {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"}
    assert km.explain("loss-velocity-limit")["meaning"]
    assert km.__version__
