"""The package as it is installed, and what a wheel is made of."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SOURCE

import kinemorph as km


def test_installed(tmp_path):
    build = Path(os.environ["PYTHONPATH"].split(":")[0]).parent
    if not (build / "CMakeCache.txt").exists():
        pytest.skip("the package is no build tree's")
    subprocess.run(["cmake", "--install", build, "--prefix", tmp_path, "--component", "python"], check=True,
                   capture_output=True)
    (package,) = tmp_path.rglob("kinemorph")
    names = {path.name for path in package.iterdir()}
    assert {path.name for path in (SOURCE / "tools/python/kinemorph").iterdir() if path.is_file()} < names
    assert all(not path.is_symlink() for path in package.iterdir())
    run = subprocess.run([sys.executable, "-c", "import kinemorph as km; print(km.__file__, km.__version__)"],
                         env={"PYTHONPATH": str(package.parent)}, capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(package / "__init__.py"), km.__version__]


def test_the_wheel_is_of_this_version():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())
    (version,) = project["tool"]["dynamic-metadata"]
    found = re.search(version["regex"], (SOURCE / version["input"]).read_text())
    assert found and found["value"] == km.__version__
    settings = project["tool"]["scikit-build"]
    listed = (SOURCE / "tools/python/CMakeLists.txt").read_text()
    assert f"pybind11_add_module({settings['build']['targets'][1]} " in listed
    assert f"COMPONENT {settings['install']['components'][0]}" in listed


def test_one_version():
    """What is published elsewhere has the version of the command."""
    assert re.search(r"<version>(.*)</version>", (SOURCE / "package.xml").read_text())[1] == km.__version__
    assert json.loads((SOURCE / "tools/web/package/package.json").read_text())["version"] == km.__version__
    assert f"image: kinemorph:{km.__version__}\n" in (SOURCE / "tools/dev/slurm/kubernetes.yaml").read_text()


def test_no_import_runs_back():
    """Each file of the package can be read after those that it names, types included."""
    package = SOURCE / "tools/python/kinemorph"
    needs = {path.stem: set(re.findall(r"^ *from \.(_\w+) import", path.read_text(), re.M)) & {p.stem for p in package.glob("*.py")}
             for path in package.glob("*.py")}
    while needs:
        free = {name for name, others in needs.items() if not others}
        assert free, f"a circle: {needs}"
        needs = {name: others - free for name, others in needs.items() if name not in free}
