"""The module is that of the build tree: PYTHONPATH says where; the tests never install anything."""

import os
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
MECHANISMS = sorted((SOURCE / "fixtures" / "mechanisms").glob("*/*.urdf"))
MECHANISMS += sorted((SOURCE / "fixtures" / "mechanisms").glob("*/*.sdf"))
KINEMORPH = os.environ.get("KINEMORPH", "")
"""The command of the same build; empty: it was not built."""
VALUES = os.environ.get("KINEMORPH_VALUES", "")
"""The program of values.cc."""


def pytest_generate_tests(metafunc):
    if "mechanism" in metafunc.fixturenames:
        metafunc.parametrize("mechanism", MECHANISMS, ids=[path.name for path in MECHANISMS])


@pytest.fixture
def four_bar():
    import kinemorph as km

    return km.load(SOURCE / "fixtures/mechanisms/four_bar/four_bar.urdf")


@pytest.fixture
def command():
    """Runs the command; skips where it was not built."""
    import subprocess

    if not KINEMORPH or not os.path.exists(KINEMORPH):
        pytest.skip("the command kinemorph is not built")
    return lambda *args: subprocess.run([KINEMORPH, *map(str, args)], capture_output=True, text=True, check=False)
