"""What dartsim, gz sim's default engine, makes of a file: one job a line on standard input, one answer a line on standard output
(README.md). The argument is the folder of ``dartsim_setup``."""

import glob
import json
import os
import subprocess
import sys

from client import serve

ROOT = sys.argv[1]
LIBRARIES = ROOT + "/usr/lib/x86_64-linux-gnu"
ENGINE = glob.glob(LIBRARIES + "/ign-physics-*/engine-plugins/*dartsim-plugin.so.?")[0]
STEP = 1e-3  # s, gz sim's own


def answer(job):
    done = subprocess.run([ROOT + "/dartsim", ENGINE, job["file"], str(job["time"]), str(job["look"]), str(STEP)], capture_output=True, text=True,
                          timeout=100, env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES})
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[:200]}")
    said = json.loads(done.stdout)
    return {**said, "mobility": None}


serve("gz-physics dartsim " + ENGINE.rsplit(".", 1)[1], answer)
