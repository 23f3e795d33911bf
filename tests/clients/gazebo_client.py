"""What Gazebo Classic 11 makes of a file: one job a line on standard input, one answer a line on standard output (README.md). The
argument is the folder of ``gazebo_setup``, in which Debian 11's Gazebo runs by chroot. With a command behind it, runs that."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

import numpy as np

from client import serve

ROOT = pathlib.Path(sys.argv[1])
LIBRARIES = "/usr/lib/x86_64-linux-gnu"
STEP = 1e-3  # s, Gazebo's own
PATIENCE = 1000  # s
RESOLUTION = 2e-4  # m: recorded poses have four digits
SURROUNDINGS = {"HOME": "/root", "PATH": "/usr/bin:/bin", "LC_ALL": "C", "GAZEBO_MODEL_DATABASE_URI": "", "GAZEBO_IP": "127.0.0.1",
                "LD_LIBRARY_PATH": ":".join(LIBRARIES + end for end in ("/blas", "/lapack", "/gazebo-11/plugins")),
                "GAZEBO_RESOURCE_PATH": "/usr/share/gazebo-11", "GAZEBO_PLUGIN_PATH": LIBRARIES + "/gazebo-11/plugins",
                "GAZEBO_MODEL_PATH": "/tmp", "OGRE_RESOURCE_PATH": LIBRARIES + "/OGRE-1.9.0",
                "GAZEBO_MASTER_URI": f"http://127.0.0.1:{12000 + os.getpid() % 20000}"}


def pose(text):
    """4 x 4 of "x y z roll pitch yaw"."""
    x, y, z, roll, pitch, yaw = ([float(w) for w in (text or "").split()] + [0.0] * 6)[:6]
    cr, sr, cp, sp, cy, sy = (f(a) for a in (roll, pitch, yaw) for f in (np.cos, np.sin))
    at = np.eye(4)
    at[:3, :3] = [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                  [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]]
    at[:3, 3] = x, y, z
    return at


def world_of(file):
    """The text of a world around the model, without ground, and the model itself."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    model = xml.fromstring(text).find(".//model")
    body = text[text.index("<model"):text.rindex("</model>") + 8]
    return (re.search(r"<sdf[^>]*>", text).group(0) + '<world name="w"><gravity>0 0 -9.81</gravity><physics type="ode"><max_step_size>'
            f"{STEP}</max_step_size><real_time_update_rate>0</real_time_update_rate></physics>{body}</world></sdf>"), model


def states_of(log):
    """(time, link -> 4 x 4) of every state that is recorded whole."""
    states = []
    for state in re.findall(r"<state .*?</state>", log, re.S):
        at = re.search(r"<sim_time>(\d+) (\d+)</sim_time>", state)
        poses = {name: pose(words) for name, words in re.findall(r"<link name='([^']*)'><pose>([^<]*)</pose>", state)}
        if at and poses:
            states.append((int(at[1]) + 1e-9 * int(at[2]), poses))
    return states


def work_of(pid):
    """Seconds in which the threads of a process ran or waited for a core, and in which they ran."""
    ran = waited = 0
    for thread in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            a, b, _ = map(int, thread.read_text().split())
            ran, waited = ran + a, waited + b
        except OSError:  # a thread that has ended
            pass
    return (ran + waited) * 1e-9, ran * 1e-9


def run(world, seconds):
    """The log and the console of a run."""
    folder = ROOT / "tmp" / f"run{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "robot.world").write_text(world)
    inside = "/tmp/" + folder.name
    with open(folder / "console", "wb") as console:
        server = subprocess.Popen(["/usr/sbin/chroot", str(ROOT), "/usr/bin/gzserver", "-e", "ode", "--verbose", "--iters",
                                   str(round(seconds / STEP) + 1), "-r", "--record_encoding", "txt", "--record_path", inside + "/log",
                                   inside + "/robot.world"], stdout=console, stderr=console, env=SURROUNDINGS, start_new_session=True)
    # gzserver goes on waiting after the last step, and writes what it recorded when it is interrupted: once its threads neither run nor
    # wait for a core.
    idle, deadline, before = 0, time.time() + PATIENCE, 0.0
    while server.poll() is None and idle < 2 and time.time() < deadline:
        time.sleep(1)
        wanted, used = work_of(server.pid)
        idle = idle + 1 if used > 0.5 and wanted - before < 0.1 else 0
        before = wanted
    os.killpg(server.pid, signal.SIGINT)
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    log = "".join(f.read_text(errors="replace") for f in folder.rglob("state.log"))
    said = re.sub(r"\x1b\[[0-9;]*m", "", (folder / "console").read_text(errors="replace"))
    shutil.rmtree(folder, ignore_errors=True)
    return log, said


def places(model):
    """Link or joint -> 4 x 4 in the model, as the file says: recorded poses have few digits."""
    elements = {e.get("name"): e for e in model if e.tag in ("link", "joint", "frame")}
    found = {"": np.eye(4), "__model__": np.eye(4), "world": np.eye(4)}

    def place(name):
        if name not in found:
            element, at = elements[name], elements[name].find("pose")
            default = {"link": "", "joint": element.findtext("child"), "frame": element.get("attached_to", "")}[element.tag]
            frame = default if at is None else at.get("relative_to") or default
            found[name] = place(frame) @ pose(at.text if at is not None else "")
        return found[name]

    for name in elements:
        place(name)
    return found


def anchors(model):
    """Of each joint that keeps two points together: links and the point in each."""
    at, found = places(model), []
    for joint in model.findall("joint"):
        if joint.get("type") not in ("prismatic", "screw", "gearbox"):
            ends = [joint.findtext("parent"), joint.findtext("child")]
            found.append([(end, np.linalg.solve(at[end], at[joint.get("name")])[:, 3]) for end in ends])
    return found


def answer(job):
    world, model = world_of(job["file"])
    log, console = run(world, job["time"])
    states = states_of(log)
    refused = sorted({line.strip()[:160] for line in console.splitlines()
                      if re.search(r"\[Err\]|^Error|Unable to", line) and not re.search("OpenAL|display|Rend", line)})
    if refused or "<world name" not in log:
        raise RuntimeError("; ".join(refused) or "nothing was recorded: " + console[-200:])
    start, points = places(model), anchors(model)
    states = states or [(0.0, {link.get("name"): start[link.get("name")] for link in model.findall("link")})]  # one that rests is not recorded

    def gap(at):
        at = {"world": np.eye(4), **at}
        return max((float(np.linalg.norm(at[a] @ p - at[b] @ q)) for (a, p), (b, q) in points), default=0.0)

    look = ([poses for at, poses in states if at <= job["look"] + STEP / 2] or [states[0][1]])[-1]
    links = {}
    for link in model.findall("link"):
        name, inertial = link.get("name"), link.find("inertial")
        centre = pose(inertial.findtext("pose") if inertial is not None else "")[:, 3]
        links[name] = {"mass": float(inertial.findtext("mass")) if inertial is not None else 1.0,
                       "start": (start[name] @ centre)[:3].tolist(), "end": (look[name] @ centre)[:3].tolist()}
    widest = max(gap(at) for _, at in states)
    finite = all(np.isfinite(X).all() for X in states[-1][1].values())
    return {"mobility": None, "links": links, "gap": widest if finite else None, "finite": finite, "resolution": RESOLUTION}


def command(words):
    """The exit code of a program of the root, which sees the files of the working folder."""
    folder = ROOT / "tmp/command"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(".", folder, ignore=shutil.ignore_patterns(".*"))
    return subprocess.run(["/usr/sbin/chroot", str(ROOT), "/bin/bash", "-c", f'cd /tmp/{folder.name} && exec "$@"', "gazebo", *words],
                          env=SURROUNDINGS).returncode


if sys.argv[2:]:
    sys.exit(command(sys.argv[2:]))
serve("Gazebo " + re.search(r"version ([\d.]+)", subprocess.run(["/usr/sbin/chroot", str(ROOT), "/usr/bin/gzserver", "--version"],
                                                                capture_output=True, text=True, env=SURROUNDINGS).stdout).group(1), answer)
