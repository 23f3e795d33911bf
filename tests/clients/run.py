"""Opens what kinemorph writes in the programs that users open it with (README.md). Started by tools/clients."""

import argparse
import copy
import functools
import hashlib
import json
import os
import pathlib
import queue
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from xml.etree import ElementTree

import numpy as np
import yaml

import kinemorph
import pages
from reference import Reference

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
TIME = 1.0  # s of motion
GAPS = {"newton": 5e-3}  # m by which a loop may open within it, where another bound than
GAP = 2e-3
CELLS = ("opened", "mobility", "masses", "poses", "accelerations", "closed", "same path", "visuals")
HEADS = ("client", "version", "format", "files", "refused", *CELLS, "told", "not told")

# What gz sim's default engine needs beside what tools/setup installs: unpacked, not installed.
DARTSIM = """libdart-collision-bullet6.12 libdart-collision-ode6.12 libode8 libfreeimage3 libignition-common-core-dev libignition-common4-4
    libignition-common4-graphics4 libignition-common4-profiler4 libignition-physics-core-dev libignition-physics-sdf-dev libignition-physics5-5
    libignition-physics5-dartsim-plugin5 libignition-plugin-dev libignition-plugin1-1 libimath-3-1-29 libjxr0 libopenexr-3-1-30
    libopenjp2-7 libraw20 libtinyobjloader-dev libtinyobjloader2rc10""".split()


# -- the programs: each installer takes a folder of its own and gives the words that start the client

def python_of(version):
    """A Python of this version on this machine, or the system's."""
    if not version:
        return "/usr/bin/python3"
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    found = sorted(pyenv.glob(f"versions/{version}.*/bin/python3")) or [shutil.which("python" + version)]
    if found[-1] is None:
        raise LeftOut(f"needs Python {version}, which this machine has not")
    return str(found[-1])


class LeftOut(Exception):
    """Why a client cannot be had here."""


def run(words, **how):
    done = subprocess.run(words, capture_output=True, text=True, **how)
    if done.returncode:
        raise LeftOut((done.stderr.strip().splitlines() or [" ".join(map(str, words))])[-1])
    return done.stdout


def by_pip(version, packages):
    def install(home):
        run([python_of(version), "-m", "venv", str(home)])
        run([str(home / "bin/pip"), "install", "--quiet", "--retries", "1", *packages])
    return install


def dartsim_setup(home):
    home.mkdir(parents=True)
    run(["apt-get", "download", *DARTSIM], cwd=home)
    for package in home.glob("*.deb"):
        run(["dpkg-deb", "-x", str(package), str(home)])
        package.unlink()
    libraries, headers = home / "usr/lib/x86_64-linux-gnu", home / "usr/include/ignition"
    sdformat = run(["pkg-config", "--cflags", "--libs", "sdformat12"]).split()
    run(["g++", "-std=c++17", "-O1", "-w", "-o", str(home / "dartsim"), str(HERE / "dartsim.cc"), "-isystem/usr/include/eigen3",
         *(f"-I{headers / name}" for name in ("physics5", "plugin1", "common4")), f"-L{libraries}", "-lignition-plugin1-loader",
         "-lignition-plugin1", "-lignition-physics5", "-ldart", *sdformat])


def gazebo_setup(home):
    """Debian 11 was the last with Gazebo Classic: unpacked into a root of its own, in which it runs by chroot."""
    if os.getuid():
        raise LeftOut("runs by chroot, which only root may")
    apt = home / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial", "etc/parts"):
        (apt / folder).mkdir(parents=True)
    (apt / "status").touch()
    mirror = run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Codename: bookworm"]).split()[0]
    (apt / "etc/sources.list").write_text(f"deb {mirror} bullseye main\n")
    (apt / "apt.conf").write_text("".join(f'{key} "{value}";\n' for key, value in {
        "Dir::State": apt / "state", "Dir::State::status": apt / "status", "Dir::Cache": apt / "cache",
        "Dir::Etc::sourcelist": apt / "etc/sources.list", "Dir::Etc::sourceparts": apt / "etc/parts", "Dir::Etc::parts": apt / "etc/parts",
        "Dir::Etc::trustedparts": "/etc/apt/trusted.gpg.d", "APT::Sandbox::User": "root", "Acquire::Languages": "none"}.items()))
    own = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    run(["apt-get", "update", "-q"], env=own)
    run(["apt-get", "install", "-y", "-q", "--download-only", "--no-install-recommends", "gazebo", "bash", "coreutils", "libc6"], env=own)
    for package in (apt / "cache/archives").glob("*.deb"):
        run(["dpkg-deb", "-x", str(package), str(home)])
    shutil.rmtree(apt)
    for name, minor in {"null": 3, "zero": 5, "random": 8, "urandom": 9}.items():
        os.mknod(home / "dev" / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    (home / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (home / "etc/group").write_text("root:x:0:\n")
    (home / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (home / "tmp").mkdir(exist_ok=True)
    (home / "root").mkdir(exist_ok=True)
    (home / "commands").mkdir()
    for name in ("gz", "gzserver"):
        (home / "commands" / name).write_text(f'#!/bin/sh\nexec /usr/bin/python3 "{HERE}/gazebo_client.py" "{home}" {name} "$@"\n')
        (home / "commands" / name).chmod(0o755)


# Readers of URDF, which know no loops: the Python that they need, and where they come from.
READERS = {
    "pinocchio": ("", ["pin==4.1.0"]),
    "pybullet": ("", ["pybullet==3.2.7", "numpy"]),
    "dart": ("", ["dartpy==6.20.0"]),
    "idyntree": ("", ["idyntree==15.1.0"]),
    "yourdfpy": ("", ["yourdfpy==0.0.60"]),
}
# Their pages in tools/docs, of which they run the programs.
PAGES = {"mujoco": "MJCF_PORTABLE.md", "newton": "MJCF_PORTABLE.md", "drake": "DRAKE.md", "gazebo": "GAZEBO.md", "pinocchio": "PINOCCHIO.md", "pybullet": "PYBULLET.md",
         "dart": "DART.md", "idyntree": "DART.md", "placo": "PLACO.md"}

# A client: its installer, its program, the targets that it reads: label, options, ending.
CLIENTS = {
    "mujoco": (by_pip("", ["mujoco==4.0.0"]), "mujoco_client.py",
               [("mjcf", {"to": "mjcf"}, ".xml"), ("mjcf portable", {"to": "mjcf", "profile": "portable"}, ".xml")]),
    "drake": (by_pip("3.13", ["drake==1.58.0"]), "drake_client.py",
              [("sdf", {"to": "sdf", "profile": "drake"}, ".sdf"), ("urdf", {"to": "urdf", "profile": "drake"}, ".urdf")]),
    "newton": (by_pip("", ["newton[sim]==1.8.0", "newton-usd-schemas==0.6.0", "usd-core==26.11", "scipy"]), "newton_client.py",
               [("usda", {"to": "usda"}, ".usda"), ("mjcf portable", {"to": "mjcf", "profile": "portable"}, ".xml")]),
    "gazebo": (gazebo_setup, "gazebo_client.py", [("sdf@1.7", {"to": "sdf@1.7"}, ".sdf")]),
    "dartsim": (dartsim_setup, "dartsim_client.py",
                [("sdf", {"to": "sdf@1.9"}, ".sdf"), ("sdf detachable", {"to": "sdf@1.9", "loops": "detachable"}, ".sdf")]),
    "placo": (by_pip("", ["placo==0.10.2"]), "", []),
} | {name: (by_pip(python, packages), "urdf_reader_client.py", [("urdf+", {"to": "urdf+"}, ".urdf"), ("urdf", {"to": "urdf"}, ".urdf")])
     for name, (python, packages) in READERS.items()}


def installed(name, folder):
    """Words that start a client, installed anew where what it is made of has changed."""
    home = folder / name
    wanted = hashlib.sha256((HERE / "run.py").read_bytes() + (HERE / "dartsim.cc").read_bytes()).hexdigest()
    mark = home / "installed"
    if not mark.exists() or mark.read_text() != wanted:
        shutil.rmtree(home, ignore_errors=True)
        CLIENTS[name][0](home)
        mark.write_text(wanted)
    python = home / "bin/python"
    return [str(python) if (home / "pyvenv.cfg").exists() else "/usr/bin/python3", str(HERE / CLIENTS[name][1]), str(home)]


class Client:
    """A program that answers jobs; started anew where it dies or hangs."""

    def __init__(self, words):
        self.words = words
        self.process = None
        self.version = json.loads(self._start())["version"]

    def _start(self):
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=environment, cwd=HERE)
        self.lines = queue.Queue()
        threading.Thread(target=lambda p, q: [q.put(line) for line in p.stdout] + [q.put("")], args=(self.process, self.lines),
                         daemon=True).start()
        line = self.lines.get(timeout=120)
        if not line:
            raise LeftOut("does not start: " + " ".join(self.words))
        return line

    def ask(self, job, timeout=120):
        if self.process.poll() is not None:
            self._start()
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=timeout)
        except (queue.Empty, BrokenPipeError):
            line = None
        if line:
            return json.loads(line)
        self.process.kill()
        self.process.wait()
        return {"opened": False, "error": "the program hangs" if line is None else f"the program died ({self.process.returncode})"}


# -- what is asked

def whole(links, names):
    """A link that stands in halves, which loops weld together, is one link again: sums of mass, means of what is said of centres."""
    links = dict(links)
    owner = {name: re.sub(r"_half(_\d+)?$", "", name) for name in links if name not in names}
    for half, link in owner.items():
        if half == link or link not in links:
            continue
        other, rest = links.pop(half), links[link]
        mass = rest["mass"] + other["mass"] or 1

        def mean(key):
            if rest[key] is None or other[key] is None:
                return None
            return ((rest["mass"] * np.array(rest[key]) + other["mass"] * np.array(other[key])) / mass).tolist()
        links[link] = {key: mass if key == "mass" else mean(key) for key in rest}
    return links


def judge(expected, said, parts, gap):
    """Cell -> "" where the client does as the source does, else what it does instead. With ``parts`` a link's mass is on several links.
    A loop may open by ``gap`` (m); it is not asked where the source starts beyond a limit, which no loop can obey."""
    if not said["opened"]:
        return {"opened": said["error"]}
    cells = {"opened": ""}
    said["links"] = whole(said["links"], expected.links)
    if said["mobility"] is not None:
        cells["mobility"] = "" if said["mobility"] == expected.mobility else f"{said['mobility']}, not {expected.mobility}"
    common = [name for name in expected.links if name in said["links"] and expected.links[name]["mass"] > 0]
    missing = [name for name, link in expected.links.items() if link["mass"] > 0 and name not in said["links"]]
    pairs = [(name, expected.links[name], said["links"][name]) for name in common]

    def widest(key, scale):
        """The largest difference over a scale, and where."""
        return max(((float(np.abs(np.array(ours[key]) - np.array(theirs[key])).max()) / scale, name) for name, ours, theirs in pairs
                    if ours[key] is not None and theirs[key] is not None), default=(0.0, ""))

    def cell(key, scale, tolerance):
        error, where = widest(key, scale)
        return "" if error <= tolerance else f"{error:.2g} off at '{where}'"

    size = max([1e-3, *(float(np.linalg.norm(link["start"])) for link in expected.links.values())])
    pushed = [link["acceleration"] for link in expected.links.values() if link["acceleration"] is not None]
    push = max([1e-3, *(float(np.linalg.norm(acceleration)) for acceleration in pushed)])
    moved = max([1e-3, *(link["way"] for link in expected.links.values())])
    total = sum(link["mass"] for link in expected.links.values()) or 1
    if missing or parts:  # what is rigid with another link may have become a frame of that
        off = abs(sum(link["mass"] for link in said["links"].values()) / total - 1)
        cells["masses"] = "" if off <= 1e-5 else f"{off:.2g} off in sum" + (f", without '{missing[0]}'" if missing else "")
    else:
        cells["masses"] = cell("mass", total, 1e-6)
    cells["poses"] = cell("start", size, 1e-6)
    if pushed and all("acceleration" in link for link in said["links"].values()):
        cells["accelerations"] = cell("acceleration", push, 1e-5)
    if not said["finite"]:
        cells["closed"] = cells["same path"] = "not finite"
        return cells
    if expected.starts_within_limits:
        cells["closed"] = "" if said["gap"] <= gap else f"opens by {said['gap']:.2g} m"
    if expected.moves:
        finer = [float(np.abs(np.array(theirs["end"]) - theirs["finer"]).max()) for _, _, theirs in pairs if theirs.get("finer")]
        own = max([said.get("resolution", 0), *(2 * change for change in finer)])  # the program's error, by what half its step changes
        cells["same path"] = cell("end", moved, 0.01 + (own + expected.blur) / moved)
    return cells


def judge_reader(expected, written, said, own=None):
    """As ``judge``, of a reader of the tree of ``written``: its joints, masses, visuals, and where its links are in the postures. ``own``: the
    cells of a source that is a URDF too, for what the reader does not make of that either."""
    if not said["opened"]:
        return {"opened": said["error"]}
    try:
        tree = ElementTree.parse(written).getroot()
    except ElementTree.ParseError as error:
        return {"opened": f"no XML for strict readers: {error}"}
    links = said["links"]
    total = sum(link["mass"] for link in expected.links.values()) or 1
    heavy = {name: link["mass"] for name, link in expected.links.items() if link["mass"] > 0}
    cells = {"opened": launched(written)}
    wanted = tree_joints(tree) + 6 * (said["free"] and expected.floats)  # of the base, which PyBullet and DART let go
    cells["mobility"] = "" if said["joints"] == wanted else f"{said['joints']} joint velocities, not {wanted}"
    # PyBullet and DART take those for 1 kg, in a source that is a URDF too.
    bare = bare_base(tree)
    weighed = {name: link["mass"] for name, link in links.items() if name not in bare}
    off = [f"{mass:.6g} kg at '{name}', not {heavy.get(name, 0):.6g}"
           for name, mass in weighed.items() if name in expected.links and abs(mass - heavy.get(name, 0)) > 1e-6 * total]
    sums = sum(weighed.values()), sum(heavy.values())  # of links with other names too
    off += [f"{sums[0]:.6g} kg in sum, not {sums[1]:.6g}"] if abs(sums[0] - sums[1]) > 1e-6 * total else []
    cells["masses"] = off[0] if off else ""
    seen = {name: link["visuals"] for name, link in links.items() if link["visuals"]}
    other = sorted(name for name in expected.visuals if name in links and seen.get(name, 0) != expected.visuals[name])
    cells["visuals"] = f"{seen.get(other[0], 0)} at '{other[0]}', not {expected.visuals.get(other[0], 0)}" if other else ""
    size = max([1e-3, *(float(np.linalg.norm(link["start"])) for link in expected.links.values())])
    away = [(float(np.abs(np.array(centres[name]) - expected.links[name][key]).max()) / size, name)
            for key, centres in zip(("start", "end"), said["centres"]) if centres for name in heavy if name in centres]
    error, where = max(away, default=(0.0, ""))
    cells["poses"] = "" if error <= 1e-6 else f"{error:.2g} off at '{where}'"
    cells["accelerations"] = "" if said["finite"] else "not finite: the mass matrix is singular"
    return {cell: "" if cell != "opened" and (own or {}).get(cell) else word for cell, word in cells.items()}


def launched(path):
    """Launch files of ROS 2 read a description as YAML, which has to find one text; why it does not."""
    try:
        found = yaml.safe_load(path.read_text())
        return "" if isinstance(found, str) else f"YAML of launch files finds a {type(found).__name__}"
    except yaml.YAMLError as error:
        return "YAML of launch files: " + str(error).splitlines()[0]


def bare_base(robot):
    """Links of a URDF without an inertial that are rigid with its root: nothing that stands needs one."""
    joints = [(joint.find("parent").get("link"), joint.find("child").get("link"), joint.get("type")) for joint in robot.findall("joint")]
    bare = {link.get("name") for link in robot.findall("link") if link.find("inertial") is None}
    base = {link.get("name") for link in robot.findall("link")} - {child for _, child, _ in joints}
    while more := {child for parent, child, kind in joints if kind == "fixed" and parent in base} - base:
        base |= more
    return base & bare


def tree_joints(robot):
    """Velocities of the tree of a URDF."""
    of_kind = {"revolute": 1, "continuous": 1, "prismatic": 1, "floating": 6, "planar": 3}
    return sum(of_kind.get(joint.get("type"), 0) for joint in robot.findall("joint"))


OWN = {"mujoco": ".xml"} | dict.fromkeys(READERS, ".urdf")  # files of a program's own: it is asked for the source too
UNASKED = ["visual", "collision"]  # the motion is that of joints and loops


def told_of(report, client):
    """What was said of the target: features of the losses of motion, and what gz sim's engine leaves out of the file."""
    features = {loss["feature"] for loss in report.losses if loss["weight"] == "motion"} - {*UNASKED, "effort-limit", "velocity-limit"}
    features |= {said.code for said in report.diagnostics if said.code == "mjcf-open-loop" and said.severity == "warning"}
    if client in READERS:
        features |= {said.code for said in report.diagnostics if said.code in ("massless-ends", "floating-joint", "base-place", "resource-not-found")}
        features |= {loss["feature"] for loss in report.losses} & {*UNASKED, "position-offset"}
    if client in ("drake", "mujoco"):
        features |= {said.code for said in report.diagnostics if said.code == "base-place"}
    if client == "newton":
        features |= {said.code for said in report.diagnostics if said.code == "usd-open-at-zero"}
    if client == "dartsim":
        features |= {said.code for said in report.diagnostics if said.code.startswith("gazebo-drops-")}
    return sorted(features)


def convert(robot, floats, options, path, client, dropped):
    """Writes path; the features that were said to be lost, or the refusal's words; new name -> old one; what was rewritten."""
    try:
        # A base of which the source says nothing stands still, as in our dynamics; each simulator has another rule for it.
        done = robot.convert(**options, base="auto" if floats else "fixed", drop=dropped, judge=False, out=str(path))
    except kinemorph.KinemorphError as refusal:
        return None, str(refusal), {}, []
    done.save(path)
    data = done.report.data
    names = {name["to"]: name["from"] for name in data["names"] if name["kind"] == "link"}
    return told_of(done.report, client), "", names, data["lowerings"]


def default_files():
    """One description of each mechanism of the fixtures."""
    found = []
    for folder in sorted((ROOT / "fixtures/mechanisms").iterdir()):
        files = [f for end in (".urdf", ".sdf", ".xml", ".mbs") for f in sorted(folder.glob("*" + end))]
        found += files[:1]
    return found


@functools.cache
def source(file):
    """A robot and what it does; None where it cannot be read."""
    try:
        robot = kinemorph.load(str(file))
        return robot, Reference(robot, TIME)
    except kinemorph.KinemorphError as error:
        print(f"{file}: left out: {str(error).splitlines()[0]}", file=sys.stderr)
        return None


def ask_all(name, client, targets, files, scratch):
    """Rows of the table, and what missed without a word."""
    rows, untold = [], []
    for label, options, ending in targets:
        counts = dict.fromkeys(CELLS)  # cell -> right, asked; None: not asked
        asked = told = refusals = 0
        before_this = len(untold)
        for i, file in enumerate(files):
            path = scratch / f"{name}_{len(rows)}_{i}{ending}"  # PyBullet keeps files by their names
            if source(file) is None:
                continue
            robot, expected = source(file)
            expected = copy.deepcopy(expected)
            job = {"time": TIME, "look": expected.look, "postures": expected.postures}
            own = client.ask({"file": str(file), **job}) if file.suffix.lower() == OWN.get(name) else None
            refused = own and not own["opened"]  # files of shapes that are not there, as a rule
            before = judge_reader(expected, file, own) if own and name in READERS and not refused else None
            if own and name not in READERS and not refused:
                expected.take(own)
            # What tendons wrap and pairs name stays where the program itself has found the files of the source.
            dropped = [] if name in READERS or (own and not refused) else UNASKED
            lost, refusal, old, changes = convert(robot, expected.floats, options, path, name, dropped)
            if lost is None:
                refusals += 1
                print(f"{name} {label} {file}: refused: {refusal.splitlines()[0]}", file=sys.stderr)
                continue
            said = client.ask({"file": str(path), **job})
            said["links"] = {old.get(link, link): what for link, what in said.get("links", {}).items()}
            if refused and not said["opened"]:
                print(f"{name} {label} {file}: left out: the program refuses the source too: {own['error']}", file=sys.stderr)
                continue
            asked += 1
            if own and any(lowering["pass"] == "assemble" for lowering in changes):
                lost.append("assembled")  # of a source that starts open: a program closes it in its own way
            softly = 0 if refused or not own else 1.01 * (own.get("gap") or 0)  # as a source may hold its loops
            gap = max(GAPS.get(name, GAP), softly)
            cells = (judge_reader(expected, path, said, before) if name in READERS
                     else judge(expected, said, options.get("loops") == "detachable", gap))
            for cell in CELLS:
                if cell in cells:
                    right, of = counts[cell] or (0, 0)
                    counts[cell] = right + (cells[cell] == ""), of + 1
                if cells.get(cell):
                    words = f"{name} {label} {file}: {cell}: {cells[cell]}"
                    if lost:
                        told += 1
                        print(f"{words} (told: {', '.join(lost)})", file=sys.stderr)
                    else:
                        untold.append(words)
        rows.append({"client": name, "version": client.version, "format": label, "files": asked, "refused": refusals, **counts, "told": told,
                     "not told": len(untold) - before_this})
    return rows, untold


def shown(cell):
    return "-" if cell is None else "/".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def table(rows):
    lines = [HEADS, *([shown(row[head]) for head in HEADS] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADS))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines)


def main():
    parser = argparse.ArgumentParser(prog="tools/clients", description="Opens what kinemorph writes in the programs that users open it with.")
    parser.add_argument("names", nargs="*", metavar="NAME|FILE", help="clients: " + ", ".join(CLIENTS) + "; files: other robots than the fixtures' mechanisms")
    parser.add_argument("-o", metavar="FILE.json", help="the table as data")
    said = parser.parse_args()
    names = [name for name in said.names if name in CLIENTS] or list(CLIENTS)
    files = [pathlib.Path(name) for name in said.names if name not in CLIENTS] or default_files()
    for file in files:
        if not file.is_file():
            parser.error(f"'{file}' is neither a client nor a file; clients are {', '.join(CLIENTS)}")
    environments = ROOT / "build/clients"
    environments.mkdir(parents=True, exist_ok=True)
    rows, untold = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            try:
                words = installed(name, environments)
                commands = environments / name / "commands"
                commands = commands if commands.is_dir() else pathlib.Path(words[0]).parent
                untold += pages.misses(PAGES[name], commands) if name in PAGES else []
                if not CLIENTS[name][2]:
                    continue
                client = Client(words)
            except LeftOut as why:
                print(f"{name}: left out: {why}", file=sys.stderr)
                continue
            found, missed = ask_all(name, client, CLIENTS[name][2], files, pathlib.Path(scratch))
            rows += found
            untold += missed
    print(table(rows))
    if said.o:
        pathlib.Path(said.o).write_text(json.dumps(rows, indent=1) + "\n")
    for words in untold:
        print("not told before: " + words)
    return 1 if untold else 0


if __name__ == "__main__":
    sys.exit(main())
