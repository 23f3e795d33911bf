"""Loads an FMU of FMI 2 or 3 as an importer does: unpacks it, reads modelDescription.xml, loads the library for this machine."""
import ctypes
import os
import xml.etree.ElementTree as ET
import zipfile
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint, c_void_p

OK, WARNING, DISCARD, ERROR = range(4)
libc = ctypes.CDLL(None)
libc.calloc.restype, libc.calloc.argtypes = c_void_p, [c_size_t, c_size_t]
libc.free.restype, libc.free.argtypes = None, [c_void_p]


class Package:
    """What stands in the archive. Variables: name -> (value reference, is a whole number)."""

    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        root = ET.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.version = int(root.get("fmiVersion")[0])
        self.guid = root.get("guid") or root.get("instantiationToken")
        kinds = [root.find("CoSimulation"), root.find("ModelExchange")]
        assert all(kind is not None for kind in kinds), "both interfaces"
        assert kinds[0].get("canHandleVariableCommunicationStepSize") == "true"
        self.identifier = kinds[0].get("modelIdentifier")
        self.variables, self.parameters, self.outputs, self.inputs = {}, {}, [], []
        derivative_of = []
        listed = list(root.find("ModelVariables"))
        for element in listed:
            kind = element if self.version == 3 else element[0]
            name, reference = element.get("name"), int(element.get("valueReference"))
            assert name not in self.variables and all(reference != r for r, _ in self.variables.values())
            self.variables[name] = (reference, kind.tag in ("Integer", "Int32"))
            if element.get("causality") == "parameter":
                self.parameters[name] = float(kind.get("start"))
            if element.get("causality") == "output":
                self.outputs.append(name)
            if element.get("causality") == "input":
                self.inputs.append(name)
            if kind.get("derivative") is not None:
                derivative_of.append(int(kind.get("derivative")))
        if self.version == 2:
            self.states = [listed[i - 1].get("name") for i in derivative_of]
            self.indicators = int(root.get("numberOfEventIndicators"))
        else:
            of = {reference: name for name, (reference, _) in self.variables.items()}
            self.states = [of[r] for r in derivative_of]
            self.indicators = len(root.findall("ModelStructure/EventIndicator"))
        place = "linux64" if self.version == 2 else "x86_64-linux"
        self.library = ctypes.CDLL(os.path.join(folder, "binaries", place, self.identifier + ".so"))


class Instance:
    """Of either standard; the functions are named as in FMI 2 where the names differ."""

    NAMES3 = {"GetReal": "GetFloat64", "SetReal": "SetFloat64", "GetInteger": "GetInt32", "GetFMUstate": "GetFMUState", "SetFMUstate": "SetFMUState",
              "FreeFMUstate": "FreeFMUState", "SerializedFMUstateSize": "SerializedFMUStateSize", "SerializeFMUstate": "SerializeFMUState",
              "DeSerializeFMUstate": "DeserializeFMUState", "GetDerivatives": "GetContinuousStateDerivatives", "NewDiscreteStates": "UpdateDiscreteStates"}

    def __init__(self, package, co_simulation, name="one", guid=None):
        self.package, self.v3, self.complaints = package, package.version == 3, []
        name, guid = name.encode(), (guid or package.guid).encode()
        if self.v3:
            log = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
            self.log = log(lambda _, status, category, text: self.complaints.append(text.decode()))
            common = [c_char_p, c_char_p, c_char_p, c_bool, c_bool]
            if co_simulation:
                make = package.library.fmi3InstantiateCoSimulation
                make.argtypes = common + [c_bool, c_bool, c_void_p, c_size_t, c_void_p, log, c_void_p]
                rest = [False, False, None, 0, None, self.log, None]
            else:
                make = package.library.fmi3InstantiateModelExchange
                make.argtypes = common + [c_void_p, log]
                rest = [None, self.log]
            make.restype = c_void_p
            self.handle = make(name, guid, b"", False, False, *rest)
            return
        log = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_char_p)
        take, give = ctypes.CFUNCTYPE(c_void_p, c_size_t, c_size_t), ctypes.CFUNCTYPE(None, c_void_p)
        self.blocks = set()

        def allocate(n, size):
            block = libc.calloc(n, size)
            self.blocks.add(block)
            return block

        def free(block):
            self.blocks.discard(block)
            libc.free(block)

        class Callbacks(ctypes.Structure):
            _fields_ = [("log", log), ("allocate", take), ("free", give), ("finished", c_void_p), ("environment", c_void_p)]

        self.callbacks = Callbacks(log(lambda _, who, status, category, form, text: self.complaints.append(text.decode())), take(allocate), give(free), None, None)
        make = package.library.fmi2Instantiate
        make.restype, make.argtypes = c_void_p, [c_char_p, c_int, c_char_p, c_char_p, POINTER(Callbacks), c_int, c_int]
        self.handle = make(name, 1 if co_simulation else 0, guid, b"", byref(self.callbacks), 0, 0)

    def call(self, name, *arguments):
        full = "fmi3" + self.NAMES3.get(name, name) if self.v3 else "fmi2" + name
        return getattr(self.package.library, full)(c_void_p(self.handle), *arguments)

    def must(self, name, *arguments):
        status = self.call(name, *arguments)
        assert status == OK, (name, status, self.complaints)

    def free(self):
        function = getattr(self.package.library, "fmi3FreeInstance" if self.v3 else "fmi2FreeInstance")
        function.restype = None
        function(c_void_p(self.handle))
        assert self.v3 or not self.blocks, "memory"

    def initialize(self, values=None, start=0.0, tolerance=None):
        experiment = [int(tolerance is not None), c_double(tolerance or 0), c_double(start), 0, c_double(0)]
        if self.v3:
            self.must("EnterInitializationMode", *experiment)
        else:
            self.must("SetupExperiment", *experiment)
            self.must("EnterInitializationMode")
        self.set(values or {})
        self.must("ExitInitializationMode")

    def references(self, names):
        return (c_uint * len(names))(*[self.package.variables[name][0] for name in names])

    def count(self, n):
        return [c_size_t(n)] if self.v3 else []

    def set_status(self, values):
        names, n = list(values), len(values)
        numbers = (c_double * n)(*values.values())
        return self.call("SetReal", self.references(names), c_size_t(n), numbers, *self.count(n))

    def set(self, values):
        assert self.set_status(values) == OK, self.complaints

    def get(self, names):
        out = {}
        for whole in (False, True):
            some = [name for name in names if self.package.variables[name][1] == whole]
            n = len(some)
            values = ((c_int32 if whole else c_double) * n)()
            self.must("GetInteger" if whole else "GetReal", self.references(some), c_size_t(n), values, *self.count(n))
            out.update(zip(some, values))
        return out

    def step(self, t, h):
        """The status, and how far it came."""
        if not self.v3:
            status = self.call("DoStep", c_double(t), c_double(h), 1)
            reached = c_double()
            if status in (OK, DISCARD):
                assert self.call("GetRealStatus", 2, byref(reached)) == OK
            return status, reached.value
        flags, reached = [c_bool() for _ in range(3)], c_double()
        status = self.call("DoStep", c_double(t), c_double(h), True, *[byref(flag) for flag in flags], byref(reached))
        assert not any(flag.value for flag in flags)
        return status, reached.value

    # Model exchange.
    def vector(self, name, n):
        values = (c_double * max(n, 1))()
        self.must(name, values, c_size_t(n))
        return list(values)[:n]

    def set_states(self, t, x):
        self.must("SetTime", c_double(t))
        self.must("SetContinuousStates", (c_double * len(x))(*x), c_size_t(len(x)))

    def rates(self, t, x):
        self.set_states(t, x)
        return self.vector("GetDerivatives", len(x))

    def discrete(self):
        """The iteration of events, until nothing is left to do."""
        if self.v3:
            flags, time = [c_bool() for _ in range(5)], c_double()
            self.must("UpdateDiscreteStates", *[byref(flag) for flag in flags], byref(time))
            assert not flags[0].value and not flags[1].value
        else:
            info = (c_char * 64)()
            self.must("NewDiscreteStates", info)
            assert bytes(info)[:8] == bytes(8)
        self.must("EnterContinuousTimeMode")

    # States of the FMU.
    def save(self):
        copy = c_void_p()
        self.must("GetFMUstate", byref(copy))
        return copy

    def restore(self, copy):
        self.must("SetFMUstate", copy)

    def drop(self, copy):
        self.must("FreeFMUstate", byref(copy))
        assert not copy.value

    def to_bytes(self, copy):
        size = c_size_t()
        self.must("SerializedFMUstateSize", copy, byref(size))
        data = (c_char * size.value)()
        self.must("SerializeFMUstate", copy, data, size)
        return bytes(data)

    def from_bytes(self, data):
        copy = c_void_p()
        status = self.call("DeSerializeFMUstate", data, c_size_t(len(data)), byref(copy))
        return status, copy
