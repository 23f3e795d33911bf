#!/usr/bin/env python3
"""Mutation testing: makes seeded one-token changes in product code, one at a time, and asks whether a suite notices.

    tests/mutation/mutate.py --count 100 --seed 1 [--only graph/src/lacg.cc ...] [--report build/mutation/report.md]
    tests/mutation/mutate.py --again build/mutation/report.md     the survivors of a report once more, now that there are tests

Each mutant is a comparison, a constant, a sign or a branch changed in one line of graph/, formats/, converters/ or tools/. It is built in
a tree of its own (build/mutation; yours is not touched: it holds the last commit), and suites run, those of its layer first, until one
fails. A mutant that does not compile does not count. The report lists every survivor with its line: look at each, then write the test or
say why none can see it.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutation" / "tree"
BUILD = ROOT / "build" / "mutation" / "build"

# Folder of the product -> suites that should notice, fastest first; the others follow. Corpus-wide runs, and a test that waits for a minute, are left out by FILTER.
SUITES = {
    "graph": ["graph"],
    "formats/xml": ["formats_xml", "formats_urdf"],
    "formats/urdf": ["formats_urdf", "formats_hyrodyn"],
    "formats/sdformat": ["formats_sdformat"],
    "formats/mjcf": ["formats_mjcf"],
    "formats/robotran": ["formats_robotran"],
    "formats/usd": ["formats_usd"],
    "formats/xacro": ["formats_xacro"],
    "formats/frame_pairs": ["formats_frame_pairs"],
    "formats": ["formats_hyrodyn"],
    "converters": ["converters", "verify"],
    "tools": ["cli"],
}
ALL = ["roundtrip", "formats_xml", "formats_urdf", "formats_sdformat", "formats_mjcf", "formats_robotran", "formats_hyrodyn", "formats_usd",
       "formats_xacro", "formats_frame_pairs", "verify", "graph", "cli", "converters"]
FILTER = "-*Corpus*:*RealRobots*:*Random*:*Fuzz*:*StaysIsEnded*"

COMPARISON = {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="]}
KINDS = {
    "comparison": re.compile(r"(?<= )(<=|>=|==|!=|<|>)(?= )"),
    "constant": re.compile(r"(?<![\w.\"'])(\d+\.\d+|\d+)(?![\w.\"'])"),
    "sign": re.compile(r"(?<=[\w)\]] )([+-])(?= [\w(])|(?<=[(,=] )(-)(?=[\w(])|(?<=\()(-)(?=[\w(])"),
    "branch": re.compile(r"\bif \((?!const|auto|!)|(&&|\|\|)"),
}


def product_files(only):
    listed = subprocess.run(["git", "ls-files", "*.cc"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    others = ("/judge/", "/bridge/", "/python/", "/web/")  # their tests are not among the suites
    files = [f for f in listed if f.split("/")[0] in ("graph", "formats", "converters", "tools") and not any(o in f for o in others)]
    return [f for f in files if not only or f in only]


def code_part(line):
    """The line with comments and string literals blanked out, so that only code is changed."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', lambda m: " " * len(m.group()), line)
    return re.sub(r"//.*", lambda m: " " * len(m.group()), line)


def places(path):
    """(line number, kind, start, end, replacement) of every token that can be changed."""
    found = []
    for number, line in enumerate((ROOT / path).read_text().splitlines()):
        code = code_part(line)
        if re.match(r"\s*(#|static_assert|template|using |namespace )", code):
            continue
        for kind, pattern in KINDS.items():
            for match in pattern.finditer(code):
                token = match.group()
                if kind == "comparison":
                    found += [(number, kind, match.start(), match.end(), other) for other in COMPARISON[token]]
                elif kind == "constant":
                    other = str(int(token) + 1) if token.isdigit() else repr(float(token) * 1.5 + 0.25)
                    found.append((number, kind, match.start(), match.end(), other))
                elif kind == "sign":
                    found.append((number, kind, match.start(), match.end(), "-" if token == "+" else "+"))
                elif token in ("&&", "||"):
                    found.append((number, kind, match.start(), match.end(), "||" if token == "&&" else "&&"))
                else:
                    found.append((number, kind, match.start(), match.end(), "if (!"))
    return found


def mutated(line, place):
    _, _, start, end, replacement = place
    if replacement == "if (!":  # negate the whole condition
        depth, at = 1, end
        while at < len(line) and depth:
            depth += {"(": 1, ")": -1}.get(line[at], 0)
            at += 1
        return None if depth else line[:start] + "if (!(" + line[end:at] + ")" + line[at:]
    return line[:start] + replacement + line[end:]


def suites_of(path):
    folder = path
    while "/" in folder and folder.rsplit("/", 1)[0] not in SUITES:
        folder = folder.rsplit("/", 1)[0]
    first = SUITES[folder.rsplit("/", 1)[0]]
    return first + [suite for suite in ALL if suite not in first]


def run(command, limit):
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def prepare():
    BUILD.mkdir(parents=True, exist_ok=True)
    if not TREE.exists():
        subprocess.run(["git", "worktree", "add", "--detach", str(TREE), "HEAD"], cwd=ROOT, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", "--force", subprocess.check_output(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()], cwd=TREE, check=True)
    shared = TREE.parent / "shared"
    if not shared.exists() and (ROOT.parent / "shared").exists():
        shared.symlink_to(ROOT.parent / "shared")  # tests look for it beside the tree
    subprocess.run(["cmake", "-S", str(TREE), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DKINEMORPH_JUDGES=OFF",
                    "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=3", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -w"], check=True, stdout=subprocess.DEVNULL)


def judge(suites, limit):
    """'killed by SUITE', 'survived' or 'no code' (does not compile)."""
    for suite in suites:
        target = f"{suite}_tests"
        built = run(["ninja", "-C", str(BUILD), target] + (["kinemorph"] if suite == "cli" else []), 1800)
        if built != 0:
            return "no code"
        if run([str(BUILD / "bin" / target), f"--gtest_filter={FILTER}", "--gtest_fail_fast"], limit) != 0:
            return f"killed by {suite}"
    return "survived"


def at_random(request):
    """(file, line index, kind, line, changed line) of every mutant, shuffled."""
    candidates = [(path, place) for path in product_files(request.only) for place in places(path)]
    random.Random(request.seed).shuffle(candidates)
    for path, place in candidates:
        line = (TREE / path).read_text().splitlines(keepends=True)[place[0]]
        changed = mutated(line, place)
        if changed is not None:
            yield path, place[0], place[1], line, changed


def once_more(report):
    """The same of a report's survivors, wherever their lines stand now."""
    found = re.findall(r"^- `(.*):(\d+)` \((\w+)\)\n  - was `(.*)`\n  - is `(.*)`$", pathlib.Path(report).read_text(), re.MULTILINE)
    for path, number, kind, before, after in found:
        lines = (TREE / path).read_text().splitlines(keepends=True)
        same = [i for i, line in enumerate(lines) if line.strip() == before]
        if not same:
            print(f"     {path}:{number} is no more: {before}")
            continue
        at = min(same, key=lambda i: abs(i + 1 - int(number)))
        yield path, at, kind, lines[at], lines[at].replace(before, after)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", nargs="*", default=[])
    options.add_argument("--again", metavar="REPORT")
    options.add_argument("--limit", type=float, default=300, help="seconds for one suite; a mutant that hangs is killed")
    options.add_argument("--report", default=str(ROOT / "build" / "mutation" / "report.md"))
    request = options.parse_args()
    prepare()
    if (verdict := judge(ALL, request.limit)) != "survived":  # who fails anyway notices nothing
        sys.exit(f"mutate.py: the code as it is: {verdict}")
    mutants = list(once_more(request.again)) if request.again else at_random(request)
    rows = []
    for path, index, kind, line, changed in mutants:
        if len(rows) == request.count:
            break
        file = TREE / path
        original = file.read_text()
        lines = original.splitlines(keepends=True)
        lines[index] = changed
        start = time.time()
        try:
            file.write_text("".join(lines))
            verdict = judge(suites_of(path), request.limit)
        finally:
            file.write_text(original)
        if verdict == "no code":
            continue
        rows.append((verdict, f"{path}:{index + 1}", kind, line.strip(), changed.strip()))
        print(f"{len(rows):4d} {verdict:28s} {path}:{index + 1} {kind} ({time.time() - start:.0f} s)", flush=True)
    survivors = [row for row in rows if row[0] == "survived"]
    said = f"{len(rows)} survivors again" if request.again else f"{len(rows)} mutants, seed {request.seed}"
    report = [f"# {said}: {len(rows) - len(survivors)} killed\n"]
    report += [f"- `{where}` ({kind})\n  - was `{before}`\n  - is `{after}`" for _, where, kind, before, after in survivors]
    pathlib.Path(request.report).write_text("\n".join(report) + "\n")
    print(f"{len(rows) - len(survivors)} of {len(rows)} killed; survivors in {request.report}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
