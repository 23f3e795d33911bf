#!/usr/bin/env python3
"""How time and memory grow: families of robots, each three times, through inspect, check, convert and verify.

    tests/bench/growth.py --kinemorph build/release/bin/kinemorph [--sizes 1000,3000,10000] [--families links,mimics] [--seconds 120]

Prints a table for tools/docs/GROWTH.md: seconds of the processor and the peak of memory in MB, at each size. A dash is a run that did
not end in the time given; a cell in brackets ended with another exit code than 0. No judge is asked: its memory is not ours.
"""
import argparse
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time


def link(name, more=""):
    return (f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
            f"</inertial>{more}</link>\n")


def joint(name, parent, child, at, more="", kind="revolute"):
    return (f'<joint name="{name}" type="{kind}"><origin xyz="{at}"/><parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/>'
            f'<limit lower="-1" upper="1" effort="1" velocity="1"/>{more}</joint>\n')


def loop(name, predecessor, successor, on_predecessor, on_successor):
    return (f'<loop name="{name}" type="revolute"><predecessor link="{predecessor}"><origin xyz="{on_predecessor}"/></predecessor>'
            f'<successor link="{successor}"><origin xyz="{on_successor}"/></successor><axis xyz="0 1 0"/></loop>\n')


def urdf(text):
    return '<robot name="grown">\n' + text + "</robot>\n"


def links(n):
    """A tree: chains of ten on one base."""
    text = link("base")
    for i in range(n):
        text += link(f"l{i}") + joint(f"j{i}", "base" if i % 10 == 0 else f"l{i - 1}", f"l{i}", "0 0 0.1")
    return {"robot.urdf": urdf(text)}


def chain(n):
    """One chain."""
    text = link("base")
    for i in range(n):
        text += link(f"l{i}") + joint(f"j{i}", "base" if i == 0 else f"l{i - 1}", f"l{i}", "0 0 0.1")
    return {"robot.urdf": urdf(text)}


def loops_apart(n):
    """Four-bars on one base."""
    text = link("base")
    for i in range(n):
        text += link(f"a{i}") + link(f"c{i}") + link(f"d{i}")
        text += joint(f"a{i}", "base", f"a{i}", f"{i} 0 0") + joint(f"c{i}", f"a{i}", f"c{i}", "0 0 0.5")
        text += joint(f"d{i}", "base", f"d{i}", f"{i}.4 0 0")
        text += loop(f"loop{i}", f"c{i}", f"d{i}", "0.4 0 0", "0 0 0.5")
    return {"robot.urdf": urdf(text)}


def loops_one_cluster(n):
    """Bars in a row, each coupled to the next: mobility one."""
    text = link("base") + link("a0") + joint("a0", "base", "a0", "0 0 0")
    for i in range(1, n + 1):
        text += link(f"a{i}") + link(f"c{i}")
        text += joint(f"a{i}", "base", f"a{i}", f"{i} 0 0") + joint(f"c{i}", f"a{i - 1}", f"c{i}", "0 0 0.5")
        text += loop(f"loop{i}", f"c{i}", f"a{i}", "1 0 0", "0 0 0.5")
    return {"robot.urdf": urdf(text)}


def mimics(n):
    """One chain, each joint follows the one before it."""
    text = link("base")
    for i in range(n):
        more = f'<mimic joint="j{i - 1}" multiplier="1"/>' if i else ""
        text += link(f"l{i}") + joint(f"j{i}", "base" if i == 0 else f"l{i - 1}", f"l{i}", "0 0 0.1", more)
    return {"robot.urdf": urdf(text)}


def mimics_of_one(n):
    """Fingers that all follow the first."""
    text = link("base")
    for i in range(n):
        more = '<mimic joint="j0" multiplier="0.5"/>' if i else ""
        text += link(f"l{i}") + joint(f"j{i}", "base", f"l{i}", "0 0 0.1", more)
    return {"robot.urdf": urdf(text)}


def defaults(n):
    """MJCF: n geoms of n / 10 classes, each with eight attributes."""
    classes = "".join(f'<default class="c{i}"><geom size="0.1 0.1" type="capsule" density="{100 + i}" friction="1 0.1 0.1" '
                      f'rgba="1 0 0 1" condim="3" margin="0.001" solimp="0.9 0.95 0.001"/></default>\n' for i in range(n // 10))
    bodies = "".join(f'<body pos="{i} 0 1"><joint axis="0 1 0"/><geom class="c{i % (n // 10)}"/></body>\n' for i in range(n))
    return {"robot.xml": f'<mujoco model="grown"><default>{classes}</default><worldbody>{bodies}</worldbody></mujoco>\n'}


def includes(n):
    """SDFormat: a world with n includes of one model."""
    model = ('<sdf version="1.9"><model name="part"><link name="l"><inertial><mass>1</mass></inertial></link></model></sdf>\n')
    text = "".join(f"<include><uri>part.sdf</uri><name>part{i}</name><pose>{i} 0 0 0 0 0</pose></include>\n" for i in range(n))
    return {"robot.sdf": f'<sdf version="1.9"><world name="grown">{text}</world></sdf>\n', "part.sdf": model}


def frames(n):
    """SDFormat: a chain of frames, each relative to the one before it."""
    text = "".join(f'<frame name="f{i}" attached_to="{"l" if i == 0 else f"f{i - 1}"}"><pose>0 0 0.01 0 0 0</pose></frame>\n' for i in range(n))
    return {"robot.sdf": '<sdf version="1.9"><model name="grown"><link name="l"><inertial><mass>1</mass></inertial></link>'
                         f"{text}</model></sdf>\n"}


def meshes(n):
    """Links with a visual and a collision of one mesh."""
    shape = '<geometry><mesh filename="tetra.obj"/></geometry>'
    text = link("base")
    for i in range(n):
        text += link(f"l{i}", f"<visual>{shape}</visual><collision>{shape}</collision>")
        text += joint(f"j{i}", "base" if i % 10 == 0 else f"l{i - 1}", f"l{i}", "0 0 0.1")
    return {"robot.urdf": urdf(text), "tetra.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"}


FAMILIES = {"links": links, "chain": chain, "loops apart": loops_apart, "loops in one cluster": loops_one_cluster, "mimics": mimics,
            "mimics of one": mimics_of_one, "defaults": defaults, "includes": includes, "frames": frames, "meshes": meshes}


def run(command, folder, seconds):
    """Processor seconds, MB at the peak, exit code; None where it did not end in time."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + seconds
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            os.wait4(process.pid, 0)
            process.returncode = -9
            return None
        time.sleep(0.005)


def cell(results):
    texts = []
    for result in results:
        if result is None:
            texts.append("-")
        else:
            seconds, megabytes, code = result
            text = f"{seconds:.2f} s {megabytes:.0f}"
            texts.append(text if code == 0 else f"({text})")
    return " / ".join(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinemorph", type=pathlib.Path)
    parser.add_argument("--sizes", default="1000,3000,10000")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--write", nargs=3, metavar=("FAMILY", "SIZE", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        family, size, folder = arguments.write
        for file, text in FAMILIES[family](int(size)).items():
            pathlib.Path(folder, file).write_text(text)
        return
    if arguments.kinemorph is None:
        parser.error("--kinemorph is needed")
    program = str(arguments.kinemorph.resolve())
    sizes = [int(size) for size in arguments.sizes.split(",")]
    verbs = ["inspect", "check", "convert", "verify"]
    print("| family | " + " | ".join(verbs) + " |\n|---" + "|---" * len(verbs) + "|")
    for name in arguments.families.split(","):
        results = {verb: [] for verb in verbs}
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                # By another process: the peak of a child counts what its parent held when it began.
                subprocess.run([sys.executable, __file__, "--write", name, str(size), folder], check=True)
                robot = next(file for file in sorted(os.listdir(folder)) if file.startswith("robot."))
                target = {"urdf": ("sdf@1.11", "out.sdf"), "sdf": ("mjcf", "out.xml"), "xml": ("sdf@1.11", "out.sdf")}
                to, out = target[robot.rsplit(".", 1)[1]]
                for verb, command in {"inspect": [robot], "check": [robot, "--to", to], "convert": [robot, "-o", out, "--to", to, "-q"],
                                      "verify": [robot, out]}.items():
                    results[verb].append(run([program, verb, *command], folder, arguments.seconds))
        print(f"| {name} | " + " | ".join(cell(results[verb]) for verb in verbs) + " |", flush=True)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
