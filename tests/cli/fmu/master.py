"""Steps an FMU and prints its outputs, one a line.

master.py FMU cs TIME [NAME=VALUE]...   co-simulation with steps of many lengths
master.py FMU me TIME [NAME=VALUE]...   model exchange: RK4 that looks for events; prints them too
master.py FMU rules                     what an importer may do in which order, states, two instances; prints "good"
"""
import random
import sys
import tempfile
from ctypes import byref, c_double, c_int, c_size_t

from importer import DISCARD, ERROR, OK, Instance, Package


def steps(time, seed=3):
    """Lengths from a millisecond to 70 of them, the last one to exactly `time`."""
    chance, t = random.Random(seed), 0.0
    while t < time:
        h = min(chance.choice([0.001, 0.01, 0.02, 0.07]) * (0.5 + chance.random()), time - t)
        yield t, h
        t = t + h


def tell(instance):
    for name, value in instance.get(instance.package.outputs).items():
        print(name, repr(value))


def co_simulation(package, time, values):
    instance = Instance(package, True)
    instance.initialize(values)
    for t, h in steps(time):
        assert instance.step(t, h) == (OK, t + h), instance.complaints
    tell(instance)
    instance.must("Terminate")
    instance.free()


def runge_kutta(instance, t, x, h):
    k1 = instance.rates(t, x)
    k2 = instance.rates(t + h / 2, [a + h / 2 * b for a, b in zip(x, k1)])
    k3 = instance.rates(t + h / 2, [a + h / 2 * b for a, b in zip(x, k2)])
    k4 = instance.rates(t + h, [a + h * b for a, b in zip(x, k3)])
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def model_exchange(package, time, values, h=0.001):
    instance = Instance(package, False)
    instance.initialize(values)
    instance.discrete()
    x = instance.vector("GetContinuousStates", len(package.states))
    side = [z > 0 for z in instance.vector("GetEventIndicators", package.indicators)]
    limits = [name for name in package.outputs if name.startswith("limit.")]
    before = instance.get(limits)
    for i in range(round(time / h)):
        t = i * h
        x1 = runge_kutta(instance, t, x, h)
        instance.set_states(t + h, x1)
        now = [z > 0 for z in instance.vector("GetEventIndicators", package.indicators)]
        if now != side:
            low, high = 0.0, h  # between them an indicator changes its sign
            while high - low > 1e-9:
                middle = (low + high) / 2
                instance.set_states(t + middle, runge_kutta(instance, t, x, middle))
                if [z > 0 for z in instance.vector("GetEventIndicators", package.indicators)] == side:
                    low = middle
                else:
                    high = middle
            instance.set_states(t + high, runge_kutta(instance, t, x, high))
            assert instance.get(limits) == before, "discrete variables change in event mode alone"
            instance.must("EnterEventMode")
            instance.discrete()
            after = instance.get(limits)
            for name in limits:
                if after[name] != before[name]:
                    print("event", name, after[name], repr(t + high))
            before, side = after, now
            instance.set_states(t + h, x1)
        x = x1
    tell(instance)
    instance.must("Terminate")
    instance.free()


def rules(package):
    for kind in (True, False):
        refused = Instance(package, kind, guid="{another}")
        assert not refused.handle and len(refused.complaints) == 1
    one, two = Instance(package, True, "one"), Instance(package, True, 'tw"o %n')
    assert one.handle and two.handle and one.handle != two.handle
    force = package.inputs[0]
    one.initialize({force: 0.25})
    two.initialize({force: 0.5})
    t = 0.0
    for i in range(10):  # by turns: neither hears of the other
        for instance in (one, two):
            assert instance.step(t, 0.01) == (OK, t + 0.01)
        t += 0.01
    first, second = one.get(package.outputs), two.get(package.outputs)
    assert first != second
    alone = Instance(package, True)
    alone.initialize({force: 0.25})
    s = 0.0
    for i in range(10):
        assert alone.step(s, 0.01)[0] == OK
        s += 0.01
    assert alone.get(package.outputs) == first
    # What is saved, carried over as bytes and put back goes on to the last bit.
    saved = one.save()
    data = one.to_bytes(saved)
    assert one.step(t, 0.05)[0] == OK and one.step(t + 0.05, 0.013)[0] == OK
    later = one.get(package.outputs)
    assert later != first
    one.restore(saved)
    assert one.get(package.outputs) == first
    assert one.step(t, 0.05)[0] == OK and one.step(t + 0.05, 0.013)[0] == OK
    assert one.get(package.outputs) == later
    status, copy = alone.from_bytes(data)
    assert status == OK
    alone.set({force: 7.0})
    alone.restore(copy)
    assert alone.get([force]) == {force: 0.25}
    assert alone.step(t, 0.05)[0] == OK and alone.step(t + 0.05, 0.013)[0] == OK
    assert alone.get(package.outputs) == later
    alone.drop(copy)
    one.drop(saved)
    for wrong in (data[:-1], b"x" + data[1:], b""):
        assert one.from_bytes(wrong)[0] == ERROR
    # Parameters: what they are told to be, between steps too; what cannot be is refused.
    parameters = {name: value * 1.25 + 0.01 for name, value in package.parameters.items()}
    one.set(parameters)
    assert one.get(list(parameters)) == parameters
    assert one.step(t + 0.063, 0.01)[0] == OK
    mass = [name for name in parameters if name.startswith("mass.")][0]
    for name, value in (("epsilon", 0.0), ("rtol", 0.0), (mass, -1.0), (package.states[0], 0.0), (package.outputs[-1], 0.0)):
        if name in package.variables:
            assert one.set_status({name: value}) == ERROR, name
    # Wrong steps, and one that leads nowhere.
    t = t + 0.063 + 0.01
    for start, h in ((t, 0.0), (t, -1.0), (t, float("nan")), (t, float("inf")), (t + 1, 0.1)):
        assert one.step(start, h)[0] == ERROR
    saved = one.save()
    assert one.step(t, 0.01) == (OK, t + 0.01)
    one.set({"gravity[1]": 1e308, "gravity[3]": -1e308})
    status, reached = one.step(t + 0.01, 0.5)
    assert status == DISCARD and t + 0.01 <= reached < t + 0.51, (status, reached)
    if package.version == 2:
        ends = c_int()
        assert one.call("GetBooleanStatus", 3, byref(ends)) == OK and ends.value == 1
        assert one.call("GetStatus", 0, byref(ends)) == DISCARD and one.call("CancelStep") == ERROR
    one.restore(saved)
    assert one.step(t, 0.01) == (OK, t + 0.01)
    one.drop(saved)
    one.must("Terminate")
    assert one.step(t + 0.01, 0.01)[0] == ERROR
    one.must("Reset")
    one.initialize(tolerance=1e-4, start=5.0)
    assert one.get(["rtol"]) == {"rtol": 1e-4} and one.step(5.0, 0.01) == (OK, 5.01)
    # Each kind of instance has its own phases and its own states.
    exchange = Instance(package, False)
    exchange.initialize()
    exchange.discrete()
    states = exchange.vector("GetContinuousStates", len(package.states))
    rates = exchange.vector("GetDerivatives", len(states))
    exchange.must("SetContinuousStates", (c_double * len(states))(*[x + 0.1 for x in states]), c_size_t(len(states)))
    assert exchange.vector("GetDerivatives", len(states)) != rates
    saved = exchange.save()
    assert one.call("SetFMUstate", saved) == ERROR
    exchange.drop(saved)
    assert exchange.step(0.0, 0.01)[0] == ERROR and one.call("EnterEventMode") == ERROR
    for instance in (one, two, alone, exchange):
        instance.free()
    print("good")


def main(path, what, time="0", *values):
    with tempfile.TemporaryDirectory() as folder:
        package = Package(path, folder)
        values = {name: float(value) for name, value in (each.rsplit("=", 1) for each in values)}
        if what == "rules":
            rules(package)
        else:
            {"cs": co_simulation, "me": model_exchange}[what](package, float(time), values)


main(*sys.argv[1:])
