"""Types, stubs and docstrings."""

import inspect
import os
import subprocess
import sys

import pytest

import kinemorph as km
from kinemorph import _kinemorph

PACKAGE = os.path.dirname(os.path.dirname(km.__file__))


def run(tmp_path, *command):
    """By the program of the environment, or of Debian, to which the package in the build is shown."""
    program = os.path.join(sys.prefix, "bin", command[0])
    if not os.path.exists(program):
        pytest.skip("mypy is not installed")
    env = dict(os.environ)
    if sys.prefix == sys.base_prefix:
        env |= {"PYTHONPATH": PACKAGE, "MYPYPATH": PACKAGE}
    return subprocess.run([program, *command[1:]], capture_output=True, text=True, cwd=tmp_path, env=env, check=False)


def test_the_package_is_typed(tmp_path):
    assert os.path.exists(os.path.join(os.path.dirname(km.__file__), "py.typed"))
    done = run(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "kinemorph")
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_users_are_checked(tmp_path):
    (tmp_path / "user.py").write_text(
        "import numpy as np\nimport kinemorph as km\nrobot = km.load('robot.urdf', packages={'a': 'b'})\n"
        "poses = robot.link_poses(robot.close({'joint1': np.linspace(0, 1, 5)}))\nshape: tuple[int, ...] = poses.shape\n"
        "text: str = robot.convert('mjcf', verify=True).text\ngood: bool = bool(km.verify(robot, 'b.sdf'))\n")
    done = run(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path), "user.py")
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "user.py").write_text("import kinemorph as km\nkm.load('r').convert('mjcf', verify='x', strct=1)\n")
    done = run(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path), "user.py")
    assert done.returncode != 0 and "strct" in done.stdout


def test_the_stubs_are_those_of_the_module(tmp_path):
    metaclasses = tmp_path / "allowed"  # are those of pybind11
    metaclasses.write_text("kinemorph._kinemorph.Description\n")
    done = run(tmp_path, "stubtest", "kinemorph._kinemorph", "--allowlist", str(metaclasses))
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_public_is_documented():
    for name in km.__all__:
        item = getattr(km, name)
        assert inspect.getdoc(item), name
        if not inspect.isclass(item) or issubclass(item, km.KinemorphError):
            continue
        for part, value in vars(item).items():
            if part.startswith("_") or not (callable(value) or isinstance(value, property)):
                continue
            assert inspect.getdoc(value), f"{name}.{part}"
    for part in dir(km.Robot):
        if not part.startswith("_"):
            assert inspect.getdoc(inspect.getattr_static(km.Robot, part)), part
    assert _kinemorph.__doc__
