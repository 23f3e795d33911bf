"""Numbers from outside, as float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._elements import Array
from ._errors import UsageError


def floats(values: Any, name: str) -> Array:
    """An array of real numbers. What would lose something on the way is refused: complex numbers, texts,
    times, values that are masked."""
    if isinstance(values, np.ma.MaskedArray) and np.any(values.mask):
        raise UsageError(f"{name} holds masked values")
    try:
        given = np.asarray(values)
        foreign = (complex, np.complexfloating, str, bytes)
        if given.dtype.kind not in "biufO" or (
                given.dtype.kind == "O" and any(isinstance(each, foreign) for each in given.flat)):
            raise UsageError(f"{name} holds what is no real number: {given.dtype}")
        array: Array = np.asarray(given, float)
        return array
    except (TypeError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{name} holds what is no real number: {error}") from None


def number(value: Any, name: str) -> float:
    """One real number."""
    array = floats(value, name)
    if array.ndim != 0:
        raise UsageError(f"{name} is not one number: its shape is {array.shape}")
    return float(array)
