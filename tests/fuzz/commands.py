#!/usr/bin/env python3
"""Fuzzes the command itself, as tools/dev/fuzz does the readers; tools/dev/fuzz calls it.

    tests/fuzz/commands.py KINEMORPH TARGET --minutes M [--seed S] [--found FOLDER]

options   random argument lists over all commands: names that --help lists, values that are none (nan, 1e300, empty, line ends, marks)
journals  reports of a batch that were changed by chance or by somebody who knows how their checks are made, with --resume and --prune
compile   small models, changed by chance, exported as C and as FMU: what was written compiles, and the FMU's description is XML

Promised: no signal, no hang, an exit code of the contract, never 4; nothing changes but what the command line names; nothing temporary is
left; no message starts a line that a build would obey, or steers a terminal. M counts CPU minutes of this program and of all it runs.
What breaks a promise is said, and kept in FOLDER with what makes it again; then the exit code is 1.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60  # of one run, on a machine that does other things too
ARM = ("<robot name='%s'><link name='base'/><link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
       "iyz='0'/></inertial>%s</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint>"
       "</robot>\n")
MESH = "<visual><geometry><mesh filename='m.stl'/></geometry></visual>"
ODD = ["nan", "-nan", "inf", "-inf", "1e300", "-1e300", "1e-320", "-1", "0", "-0", "1", "0.5", "", " ", "x", "\n::error::pwned", "::error::x",
       "\x1b[2J", "\u202eevil", "\u2066", "\x9b2J", "a=b", "=", "j=", "=1", "j=1", "j=nan", "j=1e300", "j=60deg", "j:=1", "a" * 5000, "%s%n",
       "99999999999999999999", "-9223372036854775808", "0x10", "1,5", "1e", "arm:0,0,0", "arm:nan,0,0", "arm:0,0", "0,0,-9.81", "0,0,1e300",
       "1/1", "0/0", "2/1", "1/99999999999", "'", "\"", "\\", "$(touch pwned)", ";touch pwned", "{}", "[]", "//", ".", "-", "--", "j", "arm",
       "base", "loop", "\udcff", "\udcc3("]
WORDS = {"--to": ["urdf", "urdf+", "sdf", "sdf@1.9", "sdf@9", "mjcf", "mbs", "mbs@", "usda"], "--from": ["urdf", "sdf", "mjcf", "mbs", "usda"],
         "--what": ["cg", "cdd", "lacg"], "--language": ["c", "matlab", "fmu", "ros2"],
         "--fmi": ["2", "3"], "--binary": ["none", "auto", "linux64"], "--output-frame": ["arm", "base"], "--method": ["embedding", "spf"], "--sidecar": ["hyrodyn", "gepetto", "srdf", "ros2_control"],
         "--base": ["fixed", "floating", "auto"], "--profile": ["paper", "grbda", "reference", "portable", "drake"], "--loops": ["gazebo", "detachable", "none"], "--mimic": ["fit", "exact"],
         "--diagnostics": ["json", "sarif", "text"], "--fixed": ["merge"], "--ball-as": ["hinges", "ball"], "--actuators": ["motor"], "--frames": ["drop"], "--root": ["base"],
         "--drop": ["sensor", "independent", "loop-joint"], "--allow": ["independent", "all"], "--strict": ["motion", "any", "interface"],
         "--prune": ["force", "yes"], "--report": ["r.jsonl", "v.json"], "--loss-report": ["l.json", "l.md"], "--time": ["0.02", "0.1"],
         "--step": ["0.001"], "--collapse": ["fixed", "chains"], "--on-clash": ["suffix", "error"], "--summary": ["s.json"],
         "--strip": ["s.svg"], "--plot": ["p.svg"], "--keyframes": ["k.xml"], "--copy-assets": ["meshes", "."], "--states": ["2", "0"],
         "--controller": ["../in/c.json"], "--with": ["../in/c.json", "none"], "--package": ["x=../in"], "--package-path": ["../in"],
         "--timeout": ["5"], "--memory": ["1000", "64"], "--jobs": ["2"], "--shard": ["1/2"], "--set": ["j=30deg"], "--depth": ["1"],
         "--format": ["json", "md", "text"], "--max-rows": ["100"], "--rtol": ["1e-4"]}
OUTPUTS = {"convert": ["o.sdf", "o.urdf", "o.xml", "o.mbs", "-"], "graph": ["o.dot", "o.svg", "-"], "simulate": ["o.csv", "-"],
           "export": ["e", ".", "e/f"], "batch": ["dst", "."]}
PLACES = [word for word in ODD if not word or word.strip("/")]  # no input is the whole disk
INPUTS = {"batch": 1, "verify": 2, "diff": 2, "formats": 0, "completion": 0, "explain": 0}


def changed_text(rng, text):
    """Bytes of `text`, some of them changed, doubled, left out or exchanged."""
    data = bytearray(text)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at, to = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
        kind = rng.randrange(5)
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = rng.randrange(256)
        elif kind == 1:
            del data[at:min(to, at + rng.choice([1, 8, 200]))]
        elif kind == 2:
            data[at:at] = data[at:min(to, at + 400)]
        elif kind == 3:
            data[at:at] = rng.choice(ODD).encode(errors="surrogateescape")
        else:
            data = data[:at] if rng.random() < 0.2 else data
    return bytes(data)


def tetrahedron():
    """A binary STL that MuJoCo reads."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in corners[corner]), 0) for face in faces)


class Fuzz:
    def __init__(self, command, found, seed):
        self.command, self.found, self.rng = command, found, random.Random(seed)
        self.room = pathlib.Path(tempfile.mkdtemp(prefix="fuzz-"))
        self.runs = self.broken = 0
        self.made = ()  # files that the next run reads; kept where it breaks a promise
        self.codes = {}
        for name in ("in", "keep", "out", "tmp"):
            (self.room / name).mkdir()
        keep = self.room / "keep"
        (keep / "mine").write_text("precious\n")
        (keep / "link").symlink_to("mine")
        os.mkfifo(keep / "pipe")
        self.fill(self.room / "in")
        self.before = self.tree("in", "keep")

    @staticmethod
    def fill(folder):
        (folder / "arm.urdf").write_text(ARM % ("arm", MESH))
        (folder / "other.urdf").write_text(ARM % ("other", ""))
        (folder / "m.stl").write_text("solid m\n")
        (folder / "c.json").write_text('{"controllers": []}')
        (folder / "broken.urdf").write_text("<robot")
        four_bar = ROOT / "fixtures/mechanisms/four_bar"
        for file in sorted(four_bar.iterdir()):
            if file.suffix in (".sdf", ".mbs", ".xml", ".urdf"):
                shutil.copy(file, folder)

    def tree(self, *names):
        """All below the room's folders: links as links, pipes as pipes."""
        found = {}
        for name in names:
            for folder, _, files in os.walk(self.room / name):
                found[folder] = "folder"
                for file in files:
                    path = pathlib.Path(folder, file)
                    found[str(path)] = (os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else "other")
        return found

    def run(self, arguments):
        """Exit code and messages; what is promised of every run is looked at."""
        self.runs += 1
        words = [self.command.encode()] + [a.encode(errors="surrogateescape").replace(b"\0", b"") for a in arguments]
        environment = dict(os.environ, TMPDIR=str(self.room / "tmp"))
        stream = self.room / "stream"
        try:
            with open(stream, "wb") as out:
                done = subprocess.run(words, cwd=self.room / "out", env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                      stderr=subprocess.PIPE, timeout=SECONDS, check=False)
            code, messages = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            self.tell("does not end", arguments)
            self.empty("tmp")  # what was killed left there
            return None, b""
        self.codes[code] = self.codes.get(code, 0) + 1
        if code not in (0, 1, 2, 3):
            self.tell(f"exit code {code}: {messages[-300:]!r}", arguments)
        if b"github" not in b" ".join(words) and re.search(rb"(?m)^\s*::|##\[", messages):
            self.tell(f"a line that a build obeys: {messages[:300]!r}", arguments)
        try:
            odd = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", messages.decode())
        except UnicodeDecodeError as error:
            odd = error
        if odd:
            self.tell(f"messages with {odd!r}", arguments)
        left = [p for p in (self.room / "tmp").iterdir()] + [p for p in (self.room / "out").rglob(".kinemorph-*") if p.name != ".kinemorph-notes"]
        if left:
            self.tell(f"left: {left}", arguments)
            self.empty("tmp")
        return code, messages

    def same(self, arguments, named=""):
        """Nothing of the inputs changed, but what begins with `named`."""
        after = self.tree("in", "keep")
        if after == self.before:
            return
        changed = [p for p in set(after) | set(self.before) if after.get(p) != self.before.get(p)]
        if not named or not all(path.startswith(named) for path in changed):
            self.tell(f"changed: {changed}", arguments)
        self.empty("in")
        self.fill(self.room / "in")
        self.before = self.tree("in", "keep")

    def tell(self, what, arguments):
        self.broken += 1
        self.found.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha1(repr((what, arguments)).encode(errors="surrogateescape")).hexdigest()[:12]
        (self.found / (name + ".json")).write_text(json.dumps({"what": what, "arguments": arguments}, indent=1))
        for file in self.made:
            shutil.copy(file, self.found / (name + "-" + file.name))
        print(f"broken promise: {what}: {' '.join(map(repr, arguments))[:1000]}", flush=True)

    def empty(self, name):
        shutil.rmtree(self.room / name, ignore_errors=True)
        (self.room / name).mkdir()


class Options(Fuzz):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        told = subprocess.run([self.command, "completion", "json"], capture_output=True, text=True, check=True).stdout
        self.options = {command["name"]: [(option["names"][-1], bool(option["value"])) for option in command["options"]]
                        for command in json.loads(told)["commands"]}

    def once(self):
        rng = self.rng
        name = rng.choice(list(self.options) + ["convert", "batch", "simulate", "export", "\n::error::x", ""][: rng.choice([4, 4, 6])])
        words = [name]
        inputs = sorted(p.name for p in (self.room / "in").iterdir())
        for _ in range(INPUTS.get(name, 1) + rng.choice([0] * 12 + [1, -1])):
            odd = rng.random() < 0.05
            words.append("../in" if name == "batch" and not odd else rng.choice(PLACES) if odd else "../in/" + rng.choice(inputs))
        if name in ("explain", "completion") and rng.random() < 0.7:
            words.append(rng.choice(ODD + ["bash", "base-fixed"]))
        if name in OUTPUTS and rng.random() < 0.95:
            words += ["-o", rng.choice(OUTPUTS[name])]
        needed = {"batch": ["--to"], "check": ["--to"], "graph": ["--what"], "export": ["--language"], "simulate": ["--time", "--timeout"]}
        words += [f"{option}={rng.choice(WORDS[option])}" for option in needed.get(name, []) if rng.random() < 0.95]
        options = [o for o in self.options.get(name, []) if o[0] not in ("--output", "--allow-outside", "--help")]
        odd = rng.random() < 0.4  # most runs shall come to the work
        for option, takes_value in rng.sample(options, min(len(options), rng.choice([0, 1, 1, 2, 3, 5]))):
            if odd and rng.random() < 0.5:
                words.append(f"{option}={rng.choice(ODD)}")
            elif option in WORDS and rng.random() < 0.9:
                words.append(f"{option}={rng.choice(WORDS[option])}")
            elif not takes_value:
                words.append(option)
            elif odd:
                words.append(rng.choice([option, f"{option}={rng.choice(ODD)}"]))
        if rng.random() < 0.04:
            words.append(rng.choice(PLACES))
        if rng.random() < 0.02:
            words.append("--" + rng.choice(ODD))
        out = words[2] if name == "convert" and len(words) > 2 else ""  # which may be there; side files have its name
        self.run(words)
        self.same(words, str(self.room / "in" / pathlib.Path(out).stem) if out.startswith("../in/") else "")
        if (self.room / "out" / "pwned").exists():
            self.tell("a value was run", words)
        if self.runs % 20 == 0:
            self.empty("out")


class Journals(Fuzz):
    BATCH = ["batch", "../src", "-o", "dst", "--to", "mjcf", "--copy-assets", "meshes", "--report", "r.jsonl", "-j", "2"]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        src = self.room / "src"
        src.mkdir()
        for i in range(5):
            (src / f"r{i}.urdf").write_text(ARM % (f"r{i}", MESH if i < 2 else ""))
        (src / "m.stl").write_bytes(tetrahedron())
        (src / "broken.urdf").write_text("<robot")
        assert self.run(self.BATCH)[0] == 1
        self.report = (self.room / "out/r.jsonl").read_bytes()
        shutil.copytree(self.room / "out/dst", self.room / "base")
        self.outputs = self.tree("out/dst")
        self.sources = self.tree("src")

    @staticmethod
    def check(record):
        """A record with the check that kinemorph would give it: it is no secret."""
        bare = record[:-1]
        begin = bare.find(',"ms":')
        end = bare.find(',"sha256":', begin)
        text = bare[:begin] + bare[end:] if 0 <= begin < end else bare
        digest = hashlib.sha256(b"record of kinemorph " + text.encode(errors="surrogateescape")).hexdigest()[:16]
        return bare + ',"check":"' + digest + '"}'

    def forged(self, line):
        """A record whose author knows the checks."""
        rng = self.rng
        try:
            record = json.loads(line)
            record.pop("check", None)
        except (ValueError, AttributeError):
            return line
        sums = {p: hashlib.sha256(c).hexdigest() for p, c in self.decoys.items() if isinstance(c, bytes)}
        paths = list(sums) + [os.path.relpath(p, self.room / "out") for p in sums] + ["dst", ".", "/", "..", "dst/r0.xml", "../src/r1.urdf"]
        odd = [None, 0, -1, 1e300, True, [], {}, "", "x", ODD[15], "9" * 64, [[]], {"path": 1}, "converted", "../keep/mine"]
        for _ in range(rng.choice([1, 2, 3])):
            path = rng.choice(paths)
            whole = path if path.startswith("/") else os.path.normpath(self.room / "out" / path)
            digest = sums.get(str(whole), rng.choice(list(sums.values())))
            kind = rng.randrange(6)
            if kind == 0:
                record["out"] = path
                record["sha256"] = {"source": rng.choice(list(sums.values())), "out": digest}
            elif kind == 1:
                record["also"] = [{"path": path, "sha256": digest}] * rng.choice([1, 2])
            elif kind == 2:
                record["stale"] = digest
            elif kind == 3:
                record["source"] = rng.choice(["gone.urdf", "../keep/mine", "", "/", "r0.urdf", "mine.urdf", "sub/x.urdf", path])
            elif kind == 4:
                record[rng.choice(list(record))] = rng.choice(odd)
            else:
                record.pop(rng.choice(list(record)), None)
        text = json.dumps({"source": record.pop("source", ""), **record}, separators=(",", ":"))
        return self.check(text)

    def once(self):
        rng = self.rng
        self.empty("out")
        dst = self.room / "out/dst"
        shutil.copytree(self.room / "base", dst)
        for name in ("mine.xml", "gone.xml", "r0/meshes/mine.stl", "r0/mine", ".kinemorph-notes", "sub/x.xml"):
            (dst / name).parent.mkdir(exist_ok=True)
            (dst / name).write_text("precious\n")
        (dst / "link.xml").symlink_to("../../keep/mine")
        os.mkfifo(dst / "pipe.xml")
        self.decoys = {p: c for p, c in self.tree("out", "keep", "src").items() if p not in self.outputs}
        lines = self.report.decode().splitlines()
        for i in rng.sample(range(len(lines)), rng.choice([1, 2, len(lines)])):
            lines[i] = self.forged(lines[i])
        for _ in range(rng.choice([0, 0, 3])):
            lines.insert(rng.randrange(len(lines) + 1), self.forged(rng.choice(self.report.decode().splitlines())))
        data = ("\n".join(lines) + "\n").encode(errors="surrogateescape")
        if rng.random() < 0.4:
            data = changed_text(rng, data)
        report = self.room / "out/r.jsonl"
        report.write_bytes(data)
        given = self.room / "given.jsonl"
        given.write_bytes(data)
        self.made = (given,)
        words = self.BATCH + rng.choice([["--resume"], ["--prune"], ["--prune=force"], ["--resume", "--prune"], ["--resume", "--prune=force"], []])
        code, messages = self.run(words)
        after = self.tree("out", "keep", "src")
        # What a record names that a batch into dst might well have written, and of that content, may go.
        likely = {str(dst / name) for name in ("mine.xml", "gone.xml", "sub/x.xml", "sub", "r0/meshes/mine.stl")}
        pruned = any(word.startswith("--prune") for word in words)
        lost = [p for p, c in self.decoys.items()
                if after.get(p) != c and p != str(report) and not (pruned and p in likely and p not in after)]
        if lost:
            self.tell(f"changed: {lost}", words)
        refused = b"is not a report" in messages
        if code not in (1, None) or (refused and report.read_bytes() != data):
            self.tell(f"exit code {code}, or a file that is not a report was changed", words)
        wrong = [p for p, c in self.outputs.items() if after.get(p) != c]
        if wrong:
            self.tell(f"outputs that are not there: {wrong}", words)
        if refused:
            return
        try:
            records = [json.loads(line) for line in report.read_text().splitlines()]
        except ValueError as error:
            records = []
            self.tell(f"the report holds what is no record: {error}", words)
        own = {f"r{i}.urdf" for i in range(5)} | {"broken.urdf"}
        if not own <= {r.get("source") for r in records}:
            self.tell("sources without a record", words)


class Compile(Fuzz):
    NAMES = ["int", "if", "a b", "*/", "/*", "\"", "\\", "é", "1x", "x" * 300, "-", "", "&amp;", "&lt;x", "&#10;", "a.b", "a::b", "_", "M_PI",
             "q", "sin", "main", "NULL", "??/", "%d", "]]&gt;", "'"]
    NUMBERS = ["0", "-0", "1", "-1", "1e-9", "1e300", "1e-320", "3.14159", "nan", "inf", "0.1", "1e6", "-2.5e-3"]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        seeds = [p for p in sorted((ROOT / "fixtures").rglob("*")) if p.suffix in (".urdf", ".sdf", ".xml", ".mbs") and p.stat().st_size < 8000
                 and "invalid" not in p.parts]
        self.seeds = [(p.suffix, p.read_bytes()) for p in seeds]

    def mutated(self, text):
        rng = self.rng
        if rng.random() < 0.15:
            return changed_text(rng, text)
        text = text.decode(errors="replace")
        for _ in range(rng.choice([1, 2, 3, 6])):
            if rng.random() < 0.5:
                names = list(set(re.findall(r'name="([^"]*)"', text)))
                if names:  # everywhere, so that it is still a model
                    old = rng.choice(names)
                    text = text.replace('"' + old + '"', '"' + rng.choice(self.NAMES).replace('"', "&quot;") + '"')
            else:
                numbers = list(re.finditer(r"(?<=[\s\">])-?\d+\.?\d*(?:e-?\d+)?(?=[\s\"<])", text))
                if numbers:
                    one = rng.choice(numbers)
                    text = text[:one.start()] + rng.choice(self.NUMBERS) + text[one.end():]
        return text.encode(errors="replace")

    def once(self):
        rng = self.rng
        suffix, text = rng.choice(self.seeds)
        model = self.room / ("model" + suffix)
        model.write_bytes(self.mutated(text))
        self.made = (model,)
        self.empty("out")
        language = rng.choice(["c", "c", "fmu"])
        words = ["export", "../" + model.name, "-o", "e", "--language", language, "--timeout", "20", "-q"]
        if language == "fmu":
            words += ["--fmi", rng.choice(["2", "3"]), "--binary", "none"]
        code, _ = self.run(words)
        self.same(words)
        if code != 0:
            return
        folder = self.room / "out/e"
        if language == "fmu":
            for archive in list(folder.glob("*.fmu")):
                with zipfile.ZipFile(archive) as files:
                    if any(n.startswith("/") or ".." in n.split("/") for n in files.namelist()):
                        self.tell(f"names that leave the archive: {files.namelist()}", words)
                        return
                    files.extractall(folder)
            try:
                xml.etree.ElementTree.parse(folder / "modelDescription.xml")
            except (OSError, xml.etree.ElementTree.ParseError) as error:
                self.tell(f"the description of the FMU: {error}", words)
        sources = sorted(folder.rglob("*.c"))
        if not sources:
            self.tell("no C was written", words)
        for source in sources:
            done = subprocess.run(["cc", "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable",
                                   "-Wno-trigraphs", "-Werror", "-fsyntax-only", str(source)], cwd=source.parent, capture_output=True, check=False)
            if done.returncode != 0:
                self.tell(f"{source.name} does not compile: {done.stderr[:600]!r}", words)


TARGETS = {"options": Options, "journals": Journals, "compile": Compile}


def cpu_minutes():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used) / 60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=pathlib.Path)
    given = parser.parse_args()
    found = (given.found or ROOT / "build/fuzz" / given.target / "found").resolve()
    for ending in (signal.SIGINT, signal.SIGTERM):  # also where a shell ignores them in the background
        signal.signal(ending, signal.default_int_handler)
    fuzz = TARGETS[given.target](str(pathlib.Path(given.command).resolve()), found, given.seed)
    try:
        while cpu_minutes() < given.minutes:
            fuzz.once()
    except KeyboardInterrupt:
        pass
    finally:
        shutil.rmtree(fuzz.room, ignore_errors=True)
    codes = ", ".join(f"{count} x {code}" for code, count in sorted(fuzz.codes.items()))
    print(f"{given.target}: {fuzz.runs} runs, {cpu_minutes():.1f} CPU min, exit codes {codes}; {fuzz.broken} broken")
    return 1 if fuzz.broken else 0


if __name__ == "__main__":
    sys.exit(main())
