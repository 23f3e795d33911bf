"""What documents print is run as printed; a stranger's five lines in a notebook."""

import doctest
import re
import shutil

import pytest
from conftest import SOURCE

import kinemorph as km


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for suffix in (".urdf", ".sdf"):
        shutil.copy(SOURCE / f"fixtures/mechanisms/four_bar/four_bar{suffix}", tmp_path)
    shutil.copy(tmp_path / "four_bar.sdf", tmp_path / "robot.sdf")
    shutil.copy(tmp_path / "four_bar.urdf", tmp_path / "robot.urdf")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


def test_the_tutorial(folder):
    page = SOURCE / "tools/docs/PYTHON.md"
    printed = [block for block in blocks(page) if ">>>" in block]
    assert len(printed) >= 7
    test = doctest.DocTestParser().get_doctest("\n".join(printed), {}, page.name, str(page), 0)
    said = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert result.failed == 0, "".join(said)
    assert result.attempted > 30
    assert (folder / "four_bar.xml").exists()


def test_the_library_page(folder, capsys):
    (program,) = blocks(SOURCE / "tools/docs/LIBRARY.md")
    exec(compile(program, "LIBRARY.md", "exec"), {})
    assert "mobility 1" in capsys.readouterr().out
    assert "<equality>" in (folder / "robot.xml").read_text()


def test_the_docstring(folder):
    lines = [line[4:] for line in km.__doc__.splitlines() if line.startswith("    ")]
    assert len(lines) >= 5
    exec("\n".join(lines), {})
    assert (folder / "robot.xml").exists()


def test_a_notebook(folder):
    """In a kernel of Debian's ipykernel, pictures included."""
    client_of = pytest.importorskip("jupyter_client", reason="python3-jupyter-client is not installed")
    pytest.importorskip("ipykernel", reason="python3-ipykernel is not installed")
    manager = client_of.KernelManager(kernel_name="python3")
    manager.kernel_spec.argv = ["/usr/bin/python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager.start_kernel(cwd=str(folder))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)

        def run(line):
            shown = []
            reply = client.execute_interactive(line, timeout=60, output_hook=shown.append)
            assert reply["content"]["status"] == "ok", reply["content"]
            return [m["content"] for m in shown if m["msg_type"] not in ("status", "execute_input")]

        assert run("import kinemorph as km; robot = km.load('robot.sdf')") == [], "nothing prints"
        (picture,) = run("robot")
        if shutil.which("dot"):
            assert picture["data"]["image/svg+xml"].lstrip().startswith("<?xml") or "<svg" in picture["data"]["image/svg+xml"]
        assert "mobility 1" in picture["data"]["text/plain"]
        assert run("q = robot.close({robot.independent_names[0]: 0.3})") == []
        (shape,) = run("robot.link_poses(q).shape")
        assert shape["data"]["text/plain"] == "(4, 4, 4)"
        (result,) = run("robot.convert('mjcf', verify=True)")
        assert "equivalent" in result["data"]["text/plain"]
        (truth,) = run("bool(km.verify(robot, robot))")
        assert truth["data"]["text/plain"] == "True"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
