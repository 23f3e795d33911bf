"""Keywords are the options of the command, with their defaults and what help says of them."""

import inspect
import json

import pytest

import kinemorph as km
from kinemorph import _kinemorph
from kinemorph._options import options_json

FUNCTIONS = {"convert": km.Robot.convert, "verify": km.verify, "simulate": km.simulate, "inspect": km.Robot.inspect}
TABLES = json.loads(_kinemorph.options())
OF_FILES = {"copy_assets", "mesh_uri", "convert_meshes", "judge", "report"}
"""Keywords of functions that touch files or a program."""


def keyword(row):
    return row["name"].replace("-", "_")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_keywords_are_the_options(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    assert not any(each.kind is each.VAR_KEYWORD for each in parameters.values()), "the package was not filled in"
    positional = {"self", "a", "b", "robot"}
    assert set(parameters) - positional - OF_FILES == {keyword(row) for row in TABLES[name]}
    for row in TABLES[name]:
        if row["default"] and keyword(row) != "time":
            default = parameters[keyword(row)].default
            assert default == (float(row["default"]) if row["kind"] == "number" else row["default"])
        if keyword(row) not in ("to", "time", "controller"):
            said = " ".join(inspect.getdoc(FUNCTIONS[name]).split())
            assert f"``{keyword(row)}``: {' '.join(row['about'].split())}." in said


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_command_has_them_too(name, command):
    (said,) = (each for each in json.loads(command("completion", "json").stdout)["commands"] if each["name"] == name)
    options = {spelling[2:] for option in said["options"] for spelling in option["names"]}
    assert {row["name"] for row in TABLES[name]} - {"out"} <= options


def test_what_is_no_value_of_an_option_is_wrong_use(four_bar):
    for wrong in (lambda: four_bar.convert("mjcf", verify="x"), lambda: four_bar.convert("mjcf", massless=0),
                  lambda: four_bar.simulate(0.1, solver="x"), lambda: four_bar.simulate(float("nan")),
                  lambda: four_bar.simulate(0.1, set={"joint1": None}), lambda: four_bar.simulate(0.1, gravity=[0, 0, 1j]),
                  lambda: four_bar.simulate(0.1, rate={"joint1": 1j}), lambda: km.verify(four_bar, four_bar, seed=2 ** 64), lambda: km.verify(four_bar, four_bar, states=1.5),
                  lambda: four_bar.inspect(closures=1)):
        with pytest.raises(km.UsageError):
            wrong()


def test_a_seed_keeps_its_digits():
    assert options_json("verify", {"seed": 2 ** 53 + 1}) == '{"seed": 9007199254740993}'


def test_solvers_and_bases_can_be_chosen(four_bar):
    moved = four_bar.simulate(0.05, solver="implicit", base="floating")
    assert len(moved.t) > 1 and any(name.startswith("q.base_link_floating") for name in moved)
    assert four_bar.inspect(closures=True)["mobility"] == 1
