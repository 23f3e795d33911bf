"""What is no file, no number and no robot is refused in words: devices, complex arrays, objects without content."""

import copy
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import SOURCE

import kinemorph as km
from kinemorph import _kinemorph

SAVERS = {
    "conversion": lambda robot, path: robot.convert("sdf").save(path),
    "report": lambda robot, path: robot.convert("sdf").report.save(path),
    "trajectory": lambda robot, path: robot.simulate(0.1).save(path),
}


def alone(code):
    """Runs a script that may not end, or may end the interpreter."""
    return subprocess.run([sys.executable, "-c", "import kinemorph as km, numpy as np\n" + code], capture_output=True,
                          text=True, timeout=60, env=os.environ, check=False)


@pytest.mark.parametrize("saver", SAVERS)
def test_devices_and_pipes_are_no_files_to_save_in(four_bar, saver, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path, kind in (("/dev/full", "a device"), ("/dev/zero", "a device"), (tmp_path / "pipe", "a pipe"),
                       (tmp_path / "folder", "a folder")):
        with pytest.raises(OSError, match=f"it is {kind}, not a file"):
            SAVERS[saver](four_bar, path)
    SAVERS[saver](four_bar, os.devnull)
    assert not os.path.isfile(os.devnull)
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_devices_and_pipes_are_no_files_to_read(four_bar, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", "/dev/full", str(tmp_path / "pipe"), str(tmp_path)):
        with pytest.raises(km.ReadError, match="not a file"):
            km.load(path)
        with pytest.raises(km.ReadError, match="not a file"):
            km.load(four_bar.file, with_=[path])
        with pytest.raises(OSError, match="not a file"):
            four_bar.simulate(0.1, controller=path)


def test_nothing_is_left_where_writing_fails(four_bar, tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError):
        four_bar.convert("sdf").save(tmp_path / "taken")
    assert os.listdir(tmp_path) == ["taken"] and os.listdir(tmp_path / "taken") == []


FOREIGN = {
    "complex": lambda n: np.full(n, 1 + 2j), "complex objects": lambda n: np.array([1 + 2j] * n, object),
    "complex scalars": lambda n: [np.complex128(1 + 2j)] * n, "texts": lambda n: ["1"] * n,
    "bytes": lambda n: np.array([b"1"] * n), "text objects": lambda n: np.array(["1"] * n, object),
    "times": lambda n: np.array(["2020-01-01"] * n, "datetime64[D]"),
    "masked": lambda n: np.ma.masked_array(np.zeros(n), mask=[True] * n), "ragged": lambda n: [[1], [1, 2]],
    "records": lambda n: np.zeros(n, [("x", float), ("y", float)]), "objects": lambda n: [object()] * n,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_numbers_lose_nothing_on_their_way(four_bar, kind):
    nq, nv, free = four_bar.nq, four_bar.nv, four_bar.independent_names
    make, q = FOREIGN[kind], four_bar.q0
    asked = {
        "q": lambda: four_bar.link_poses(make(nq)), "one q": lambda: four_bar.mass_matrix(make(nq)),
        "v": lambda: four_bar.bias(q, make(nv)), "tau": lambda: four_bar.forward_dynamics(q, None, make(nv)),
        "close": lambda: four_bar.close(make(len(free))), "by name": lambda: four_bar.close({free[0]: make(3)}),
        "start": lambda: four_bar.close({free[0]: 0.1}, start=make(nq)), "named": lambda: four_bar.named(make(nq)),
        "rates": lambda: four_bar.velocity(q, make(len(free))), "rate": lambda: four_bar.velocity(q, {free[0]: make(1)[0]}),
        "force": lambda: four_bar.forward_dynamics(q, None, {free[0]: make(1)[0]}),
        "gravity": lambda: four_bar.simulate(0.1, gravity=make(3)), "time": lambda: four_bar.simulate(make(1)[0]),
        "dt": lambda: four_bar.integrate(q, None, make(1)[0]), "step": lambda: four_bar.simulate(0.1, step=make(1)[0]),
        "tolerance": lambda: km.verify(four_bar, four_bar, tolerance=make(1)[0]),
    }
    for what, ask in asked.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(km.UsageError):
                print(what, ask())


def test_real_numbers_of_all_kinds_are_taken(four_bar):
    from decimal import Decimal

    q = four_bar.q0
    for kind in (float, np.float32, int, bool, object):
        four_bar.link_poses(np.zeros(four_bar.nq).astype(kind))
    name = four_bar.independent_names[0]
    np.testing.assert_allclose(four_bar.close({name: Decimal("0.1")}), four_bar.close({name: 0.1}))
    np.testing.assert_array_equal(four_bar.link_poses(np.ma.masked_array(q)), four_bar.link_poses(q))


def test_the_binding_takes_arrays_of_its_kind_and_size_only(four_bar):
    core, nq, nv = four_bar._core, four_bar.nq, four_bar.nv
    calls = {
        "poses": [(1, nq)], "residuals": [(1, nq)], "constraints": [(nq,), (nv,)], "explicit": [(nq,), (nv,)],
        "mass_matrix": [(nq,)], "bias": [(nq,), (nv,)], "passive_forces": [(nq,), (nv,)], "energy": [(nq,), (nv,)],
        "forward_dynamics": [(nq,), (nv,), (nv,)], "inverse_dynamics": [(nq,), (nv,), (nv,)],
        "mass_centres": [(1, nq)], "mass_centre": [(nq,)],
    }
    for name, shapes in calls.items():
        good = [np.zeros(shape) for shape in shapes]
        getattr(core, name)(*good)
        for i, shape in enumerate(shapes):
            for bad in (np.zeros(shape, complex), np.zeros(shape, np.float32), ["1"] * shape[-1], None):
                with pytest.raises(TypeError):
                    getattr(core, name)(*good[:i], bad, *good[i + 1:])
            for size in (shape[-1] - 1, shape[-1] + 1, 0):
                with pytest.raises(ValueError):
                    getattr(core, name)(*good[:i], np.zeros((*shape[:-1], size)), *good[i + 1:])
    q, origin = np.zeros(nq), np.zeros(3)
    for wrong in (lambda: core.jacobian(q, 10 ** 6, origin, True), lambda: core.jacobian(np.zeros(0), 0, origin, True),
                  lambda: core.integrate(q, np.zeros(nv + 1), 0.1), lambda: core.close(np.zeros(1), [0], np.zeros((1, 1))),
                  lambda: core.close(q, [10 ** 6], np.zeros((1, 1))), lambda: core.close(q, [0], np.zeros((1, 3)))):
        with pytest.raises(ValueError):
            wrong()


CLASSES = [name for name, value in vars(_kinemorph).items() if isinstance(value, type)]


@pytest.mark.parametrize("name", CLASSES)
def test_no_object_is_without_its_content(name):
    # Each in a process of its own, which a crash would end.
    done = alone(f"""
kind = getattr(km._kinemorph, {name!r})
ways = [lambda: kind.__new__(kind), lambda: object.__new__(kind), lambda: kind.__base__.__new__(kind),
        lambda: type('Own', (kind,), dict(__init__=lambda self: None))(), lambda: type('Own', (kind,), {{}})()]
def use(made):
    for part in dir(made):
        if part.startswith('__'):
            continue
        try:
            value = getattr(made, part)
            if callable(value):
                value()
        except (TypeError, ValueError, AttributeError):
            pass
    repr(made)
for way in ways:
    try:
        made = way()
    except TypeError:
        continue
    use(made)
print('whole')
""")
    assert done.stdout.strip().endswith("whole") and done.returncode == 0, (done.returncode, done.stderr[-500:])


def test_robots_come_from_functions(four_bar):
    assert CLASSES
    with pytest.raises(TypeError):
        _kinemorph.Description.__new__(_kinemorph.Description)
    with pytest.raises(TypeError, match="only functions of kinemorph make such an object"):
        _kinemorph.Description()
    with pytest.raises(TypeError):
        copy.copy(four_bar._core)
    assert list(copy.copy(four_bar).links) == list(four_bar.links)
    done = alone("km.Robot.__new__(km.Robot).links")
    assert done.returncode == 1 and "AttributeError" in done.stderr


def test_columns_have_the_names_of_joints(tmp_path):
    text = (SOURCE / "fixtures/mechanisms/four_bar/four_bar.urdf").read_text()
    name = 'j,1 "x"'
    robot = km.loads(text.replace('"joint1"', "'" + name + "'"))
    moved = robot.simulate(0.1)
    assert f"q.{name}" in moved and moved.q.shape[1] == robot.nq and np.isfinite(moved.data[f"v.{name}"]).all()


def test_files_of_a_batch_differ_in_more_than_the_size_of_letters(four_bar, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("r.urdf", "R.urdf"):
        (source / name).write_text(four_bar.text)
    outs = [result.out.name for result in km.batch(source, tmp_path / "out", "sdf") if result]
    assert len(outs) == 2 and len({name.lower() for name in outs}) == 2
