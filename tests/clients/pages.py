"""The programs on the pages for one client (tools/docs), run as printed with the client's Python."""

import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parent.parent.parent


def misses(page, python):
    """What a page of tools/docs prints and these commands do not; ``python`` is the folder of the client's python3. Blocks are marked as for
    tests/cli/pages_test.cc; a block that needs a program which is not there is left to others, but one of them must be this client's."""
    text = (ROOT / "tools/docs" / page).read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = folder / ".bin/kinemorph"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{ROOT}/tools/run" "$@"\n')
        command.chmod(0o755)
        environment = {**os.environ, "PATH": f"{python}:{command.parent}:{os.environ['PATH']}"}
        environment.pop("PYTHONPATH", None)

        def shell(line):
            return subprocess.run(["bash", "-c", line], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace")

        for file, source in re.findall(r"^<!-- file (\S+): (\S+) -->$", text, re.M):
            (folder / file).write_bytes((ROOT / source).read_bytes())
        for file, block in re.findall(r"^<!-- save (\S+) -->\n```.*?\n(.*?)^```", text, re.M | re.S):
            (folder / file).write_text(block)
        found, asked = [], 0
        for needs, block in re.findall(r"^```console(?: needs (.*?))?\n(.*?)^```", text, re.M | re.S):
            if needs and shell(needs).returncode:
                continue
            asked += bool(needs)
            for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                done = shell(line)
                wanted = re.escape(printed).replace(re.escape("...\n"), "(?:.*\n)*")
                if done.returncode or (printed and not re.fullmatch(wanted, done.stdout)):
                    found.append(f"{page}: $ {line}: {done.stdout}")
        return found if asked else [f"{page}: none of its programs runs with {python}"]
