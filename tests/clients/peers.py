"""Runs other converters on a robot with one loop: which keep the loop, and which say that it is lost.

    python3 tests/clients/peers.py KINEMORPH [NAME]...

Each converter is installed from PyPI into build/peers/NAME. Its output is read by kinemorph, which counts the loops. The table of
tools/docs/COMPARISON.md says what came of it.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "fixtures/mechanisms/four_bar/four_bar.urdf"
IMPORT = "import mujoco, sys; mujoco.mj_saveLastXML(sys.argv[2], mujoco.MjModel.from_xml_path(sys.argv[1]))"
CYBERWAVE = ("import sys; from cyberwave_robot_format.urdf import URDFParser; from cyberwave_robot_format.mjcf import MJCFExporter; "
             "MJCFExporter().export(URDFParser().parse(sys.argv[1]), sys.argv[2])")

# Name: packages, source, target, the command in the environment's bin.
PEERS = {
    "mujoco": (["mujoco"], "urdf", "out.xml", ["python", "-c", IMPORT, "{in}", "{out}"]),
    "truerig": (["truerig"], "urdf", "out.xml", ["truerig", "convert", "{in}", "{out}"]),
    "urdf2any": (["urdf2any"], "urdf", "out.xml", ["urdf2any", "{in}", "-o", "{out}"]),
    "scikit-robot": (["scikit-robot"], "urdf", "out.xml", ["convert-urdf-to-mjcf", "{in}", "-o", "{out}"]),
    "cyberwave-robot-format": (["cyberwave-robot-format"], "urdf", "out.xml", ["python", "-c", CYBERWAVE, "{in}", "{out}"]),
    "rod": (["rod"], "sdf", "out.urdf", ["rod", "-f", "{in}", "-o", "{out}"]),
    "urdf-mujoco-converter": (["urdf-mujoco-converter"], "urdf", "out/robot.xml", ["urdf-mujoco-converter", "{in}", "{folder}/out"]),
    "urdf-usd-converter": (["urdf-usd-converter"], "urdf", "out/*.usd*", ["urdf_usd_converter", "{in}", "{folder}/out"]),
    "mujoco-usd-converter": (["mujoco-usd-converter"], "xml", "out/*.usd*", ["mujoco_usd_converter", "{in}", "{folder}/out"]),
    "nvidia-srl-usd-to-urdf": (["nvidia-srl-usd-to-urdf"], "usda", "out.urdf", ["usd_to_urdf", "{in}", "-o", "{out}"]),
}


def environment(name, packages):
    home = ROOT / "build/peers" / name
    if not (home / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        subprocess.run([home / "bin/pip", "install", "--quiet", "--only-binary", ":all:", *packages], check=True)
        (home / "installed").touch()
    listed = subprocess.run([home / "bin/pip", "show", packages[0]], capture_output=True, text=True).stdout
    return home / "bin", re.search(r"^Version: (.*)$", listed, re.M).group(1)


def loops(kinemorph, file):
    """How many loops kinemorph finds in a file; none where it cannot be read."""
    said = subprocess.run([kinemorph, "inspect", file, "--json", "-q"], capture_output=True, text=True)
    return json.loads(said.stdout)["loops"] if said.returncode == 0 else "not readable"


def ask(kinemorph, name):
    packages, source, target, words = PEERS[name]
    programs, version = environment(name, packages)
    with tempfile.TemporaryDirectory() as folder:
        given, out = f"{folder}/in.{source}", f"{folder}/{target}"
        subprocess.run([kinemorph, "convert", SOURCE, given, "-q"], check=True)
        line = [word.format(**{"in": given, "out": out, "folder": folder}) for word in words]
        done = subprocess.run([programs / line[0], *line[1:]], capture_output=True, text=True, cwd=folder, timeout=300)
        said = re.findall(r"[^\n]*(?:loop|closed chain|equality)[^\n]*", done.stdout + done.stderr, re.I)
        found = sorted(pathlib.Path(folder).glob(target))
        kept = loops(kinemorph, found[0]) if found else "no file"
        return version, source, pathlib.Path(target).suffix, done.returncode, kept, said[0].strip()[:90] if said else "-"


def main():
    kinemorph, names = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:] or list(PEERS)
    print("| converter | version | from | to | exit code | loops of 1 | says of the loop |\n|---|---|---|---|---|---|---|")
    for name in names:
        try:
            row = ask(kinemorph, name)
        except (subprocess.SubprocessError, OSError) as why:
            row = ("-", "", "", "", "", f"left out: {why}"[:90])
        print(f"| {name} | " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
