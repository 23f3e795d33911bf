"""Keywords as the library takes them: its tables of options say what each of them is."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping

from . import _kinemorph as _core
from ._errors import UsageError
from ._numbers import floats, number

_TABLES = json.loads(_core.options())


def options_json(command: str, given: Mapping[str, Any]) -> str:
    """The options of a command as JSON; what is None was not given. Raises UsageError for what is no number."""
    rows = {row["name"].replace("-", "_"): row for row in _TABLES[command]}
    taken = {}
    for key, value in given.items():
        row = rows.get(key, {"name": key, "kind": ""})  # the library says that there is none
        if value is not None:
            taken[row["name"]] = _value(row["kind"], value, key)
    return json.dumps(taken, default=str)


def _value(kind: str, value: Any, name: str) -> Any:
    if kind == "number":
        return _finite(value, name)
    if kind == "vector" and not isinstance(value, str):
        return [_finite(each, name) for each in floats(value, name)]
    if kind == "assignments" and isinstance(value, Mapping):
        return {key: each if isinstance(each, str) else _finite(each, key) for key, each in value.items()}
    if kind in ("texts", "words", "assignments") and not isinstance(value, str):
        return list(value)
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _finite(value: Any, name: str) -> float:
    if isinstance(value, int):
        return value  # a seed has more digits than a float
    found = number(value, name)
    if not math.isfinite(found):
        raise UsageError(f"{name} is not a finite number: {found}")
    return found
