"""Names the options of the command in the package: keywords.py MODULE_FOLDER SOURCE.py OUT.py.

Where SOURCE has `**options: Any) -> T:  # keywords: COMMAND`, OUT has a keyword for each option that the module's table of
the command has and the function does not name itself, with a line about it in the docstring. SOURCE works as it is, too:
then editors and mypy know no names."""

import json
import os
import re
import sys
import textwrap

WIDTH = 118
TYPES = {"flag": ("bool", "False"), "text": ("str", '""'), "texts": ("str | Sequence[str]", "()"),
         "words": ("str | Sequence[str]", "()"), "assignments": ("Mapping[str, float | str] | Sequence[str]", "()"),
         "number": ("float | None", "None"), "word": ("str | None", "None"), "flag or word": ("bool | str", "False"),
         "vector": ("Sequence[float] | str | None", "None")}


def parameter(row):
    """`base: str = "auto"`: where the option is something without being given, that is the default."""
    kind, default = TYPES[row["kind"]]
    if row["default"]:
        kind, default = kind.replace(" | None", ""), row["default"] if row["kind"] == "number" else f'"{row["default"]}"'
    return f"{row['name'].replace('-', '_')}: {kind} = {default}"


def about(row):
    """A sentence of the command's help, in the words of Python."""
    return f"``{row['name'].replace('-', '_')}``: {row['about']}."


def folded(parts, first, indent, last):
    """The parts with commas between them, each whole, in lines of the package's length."""
    lines = [first]
    for part in parts:
        item = part + (", " if part is not parts[-1] else last)
        if len(lines[-1]) + len(item.rstrip()) > WIDTH:
            lines.append(indent)
        lines[-1] += item
    return "\n".join(line.rstrip() for line in lines)


def filled(tables, found):
    indent, head, result, command, docstring = found.groups()
    own = set(re.findall(r"(\w+):", head)) | {"to"}
    rows = [row for row in tables[command] if row["name"].replace("-", "_") not in own]
    names = [row["name"].replace("-", "_") for row in rows]
    lines = [textwrap.fill(about(row), WIDTH, initial_indent=indent + "    ", subsequent_indent=indent + "        ",
                           break_long_words=False, break_on_hyphens=False) for row in rows]
    star = "" if "*" in head else "*, "
    far = indent + "        "
    signature = folded([parameter(row) for row in rows], indent + head.rstrip() + " " + star, far, f") -> {result}:")
    given = folded([f'"{name}": {name}' for name in names], indent + "    options: dict[str, Any] = {", far, "}")
    return signature + "\n" + docstring.rstrip()[:-3].rstrip() + "\n\n" + "\n".join(lines) + '"""\n' + given + "\n"


def main(folder, source, out):
    sys.path.insert(0, folder)
    import _kinemorph

    tables = json.loads(_kinemorph.options())
    with open(source, encoding="utf-8") as stream:
        text = stream.read()
    marked = re.compile(r'^( *)(def [^\n]*?(?:\n[^\n]*?)?)\*\*options: Any\) -> ([^\n]+?):  # keywords: (\w+)\n( *""".*?"""\n)',
                        re.M | re.S)
    with open(out + ".new", "w", encoding="utf-8") as stream:
        stream.write(marked.sub(lambda found: filled(tables, found), text))
    os.replace(out + ".new", out)  # which may be a link to SOURCE


if __name__ == "__main__":
    main(*sys.argv[1:])
