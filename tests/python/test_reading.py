"""Reading, what a robot is made of, and errors of reading."""

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import SOURCE

import kinemorph as km

XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="n" default="1"/>
  <link name="base"/>
  <xacro:property name="n" value="$(arg n)"/>
  <xacro:macro name="seg" params="i">
    <link name="l${i}"/>
    <joint name="j${i}" type="prismatic">
      <parent link="base"/><child link="l${i}"/><axis xyz="1 0 0"/><limit effort="1" velocity="1" lower="0" upper="1"/>
    </joint>
  </xacro:macro>
  <xacro:seg i="1"/>
  <xacro:if value="${n > 1}"><xacro:seg i="2"/></xacro:if>
</robot>
"""


def test_elements(four_bar):
    assert list(four_bar.links) == ["base_link", "link1", "link2", "link3"]
    assert four_bar.links["base_link"].mass == 4.0
    assert four_bar.links["base_link"].inertia.shape == (3, 3)
    joint = four_bar.joints["joint1"]
    assert (joint.type, joint.parent, joint.child, joint.line) == ("revolute", "base_link", "link1", 51)
    assert joint.axes[0].axis == (0, 1, 0)
    assert joint.axes[0].upper == 1.2
    assert joint.parent_frame[2, 3] == 0.4
    assert list(four_bar.loops) == ["loop1"]
    assert four_bar.loops["loop1"].parent == "link2"
    assert four_bar.limits.tolist() == [[-1.2, 1.2], [-1.5, 1.5], [-1.2, 1.2]]
    with pytest.raises(KeyError, match="did you mean 'link1'"):
        four_bar.links["lnk1"]
    with pytest.raises(TypeError):
        four_bar.links["new"] = 1
    assert "four_bar" in repr(four_bar) and "mobility 1" in repr(four_bar)


def test_couplings():
    robot = km.load(SOURCE / "fixtures/mechanisms/belt_transmission/belt_transmission.urdf")
    assert len(robot.couplings) > 0
    coupling = next(iter(robot.couplings.values()))
    assert len(coupling.terms) >= 2
    assert coupling.terms[0][0] in robot.coordinate_names


def test_every_mechanism_is_counted_as_by_inspect(mechanism):
    robot, facts = km.load(str(mechanism)), km.load(mechanism).inspect()
    assert len(robot.links) == facts["links"]
    assert sum(not joint.implicit for joint in robot.joints.values()) == facts["joints"]
    assert len(robot.loops) == facts["loops"]
    assert len(robot.couplings) == facts["couplings"]
    assert len(robot.independent_names) == robot.mobility == facts["mobility"]
    assert set(robot.independent_names) | set(robot.passive_names) == set(robot.velocity_names)


def test_a_message_has_its_subject_and_what_was_meant_apart():
    text = """<robot name="r"><link name="base"/><link name="shank"/>
      <joint name="knee" type="fixed"><parent link="base"/><child link="shenk"/></joint></robot>"""
    with pytest.raises(km.ReadError) as caught:
        km.loads(text, format="urdf")
    error = next(item for item in caught.value.diagnostics if item.severity == "error")
    assert (error.subject, error.suggestion) == ("joint 'knee'", "shank")
    assert error.message.startswith("joint 'knee': ") and error.notes == ("did you mean 'shank'?",)


def test_a_message_has_its_numbers_in_full():
    text = """<robot name="r"><link name="base"><inertial><mass value="-1.23456789"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>"""
    with pytest.raises(km.ReadError) as caught:
        km.loads(text, format="urdf")
    error = next(item for item in caught.value.diagnostics if item.code == "negative-mass")
    assert error.quantities == (km.Quantity("mass", -1.23456789, "kg"),)


def test_read_errors_carry_diagnostics(tmp_path):
    with pytest.raises(km.ReadError) as caught:
        km.loads("<robot name='r'>\n<link/>\n</robot>", name="r.urdf")
    first = caught.value.diagnostics[0]
    assert (first.file, first.line, first.severity, first.code) == ("r.urdf", 2, "error", "empty-name")
    assert "r.urdf:2: error:" in str(caught.value)
    assert isinstance(caught.value, km.KinemorphError)
    with pytest.raises(km.ReadError) as caught:
        km.load(tmp_path / "none.urdf")
    assert caught.value.diagnostics[0].code == "file-unreadable"
    with pytest.raises(km.ReadError) as caught:
        km.load(SOURCE / "fixtures/mechanisms/four_bar/four_bar.urdf", with_=[tmp_path / "none.yml"])
    assert "none.yml" in str(caught.value)
    with pytest.raises(km.ReadError, match="urdf"):
        km.loads("<robot name='r'><link name='l'/></robot>", format="urfd")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics and str(again) == str(caught.value)
    for path in sorted((SOURCE / "fixtures/invalid").glob("*.urdf"))[:40]:
        try:
            km.load(path)
        except km.ReadError as error:
            assert any(item.severity == "error" for item in error.diagnostics)


def test_xacro(tmp_path):
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(XACRO)
    assert list(km.load(file).joints) == ["j1"]
    two = km.load(file, xacro_args={"n": 2})
    assert list(two.joints) == ["j1", "j2"]
    assert two.joints["j2"].type == "prismatic"
    file.write_text(XACRO.replace('<child link="l${i}"/>', '<child link="x${i}"/>'))
    with pytest.raises(km.ReadError) as caught:
        km.load(file)
    assert caught.value.diagnostics[0].file == str(file), "places are those of the xacro file"
    assert 6 <= caught.value.diagnostics[0].line <= 9
    with pytest.raises(km.ReadError):
        km.load(file, xacro=False)
    assert list(pickle.loads(pickle.dumps(two)).joints) == ["j1", "j2"]


def test_xacro_without_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("KINEMORPH_SIDE", "left")
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(XACRO.replace('name="arm"', 'name="$(optenv KINEMORPH_SIDE none)"'))
    assert km.load(file).name == "left"
    assert km.load(file, env=False).name == "none"
    file.write_text(XACRO.replace('name="arm"', 'name="$(env KINEMORPH_SIDE)"'))
    with pytest.raises(km.ReadError, match="KINEMORPH_SIDE"):
        km.load(file, env=False)


def test_packages_and_files_in_memory(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    wedge = SOURCE / "fixtures/features/shape-mesh/meshes/wedge.obj"
    (tmp_path / "elsewhere/wedge.obj").write_bytes(wedge.read_bytes())
    text = ("<robot name='r'><link name='l'><visual><geometry><mesh filename='package://p/wedge.obj'/></geometry></visual>"
            "</link></robot>")
    (tmp_path / "r.urdf").write_text(text)
    robot = km.load(tmp_path / "r.urdf", packages={"p": tmp_path / "elsewhere"})
    assert robot.scene()[0].file == str(tmp_path / "elsewhere/wedge.obj")
    assert km.load(tmp_path / "r.urdf").scene()[0].file is None
    memory = km.loads(text, name="r.urdf", files={"q/package.xml": "<package><name>p</name></package>",
                                                  "q/wedge.obj": wedge.read_bytes()})
    assert memory.scene()[0].file == "q/wedge.obj"
    assert memory.assets() == {"wedge.obj": wedge.read_bytes()}


def test_pickles_are_whole(four_bar, tmp_path):
    file = tmp_path / "robot.urdf"
    file.write_text(four_bar.text)
    robot = km.load(file)
    kept = pickle.dumps(robot)
    file.unlink()
    again = pickle.loads(kept)
    np.testing.assert_array_equal(again.link_poses({"joint1": 0.3}), robot.link_poses({"joint1": 0.3}))
    conversion = robot.convert("sdf", verify=True)
    copy = pickle.loads(pickle.dumps(conversion))
    assert copy.text == conversion.text and bool(copy.proof)
    assert len(pickle.loads(pickle.dumps(robot.simulate(0.02))).t) == 3


def test_threads_share_a_robot(mechanism):
    robot, found = km.load(mechanism), []

    def work():
        q = robot.q0
        found.append((robot.link_poses(q), robot.mass_matrix(q), robot.convert("mjcf").text))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    for poses, mass, text in found[1:]:
        np.testing.assert_array_equal(poses, found[0][0])
        np.testing.assert_array_equal(mass, found[0][1])
        assert text == found[0][2]


def test_the_lock_is_released():
    robot = km.load(SOURCE / "fixtures/mechanisms/delta_robot/delta_robot.urdf")
    ticks, done = [0], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    name = next(n for n in robot.independent_names)
    place = robot.coordinate_names.index(name)
    robot.close({name: robot.q0[place] + 0.1 * np.sin(np.linspace(0, 20, 20_000))})
    done.set()
    thread.join()
    assert ticks[0] > 20, "another thread ran while the loops were closed"


def test_nothing_prints():
    program = ("import kinemorph as km\n"
               f"robot = km.load({str(SOURCE / 'fixtures/mechanisms/four_bar/four_bar.urdf')!r})\n"
               "robot.convert('mjcf', verify=True); robot.simulate(0.1); km.lint(robot); robot._repr_svg_()\n"
               "for wrong in (lambda: km.loads('<robot'), lambda: robot.convert('mjcf', strict=True),\n"
               "              lambda: robot.close({'joint9': 1}), lambda: robot.convert('mjfc')):\n"
               "    try: wrong()\n"
               "    except km.KinemorphError: pass\n"
               "    else: raise SystemExit('no error')\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    assert (run.stdout, run.stderr) == ("", "")
