"""Plots as text, for another process of this program: their numbers bit by bit."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

import numpy as np

from app.exchange.sheets.sheets import Line, Sheet
from app.widgets.plots.extremes import Extreme

NUMBERS = ("x", "y", "t")  # of a line


def packed(sheet: Sheet) -> dict[str, Any]:
    """Numbers bit by bit: a CSV file shall hold exactly what is shown."""
    lines = [{**vars(line), **{name: _text(getattr(line, name)) for name in NUMBERS}} for line in sheet.lines]
    return {**vars(sheet), "lines": lines, "marks": [vars(mark) for mark in sheet.marks]}


def unpacked(data: dict[str, Any]) -> Sheet:
    lines = tuple(
        Line(**{**line, **{name: _numbers(line[name]) for name in NUMBERS}}) for line in data["lines"]
    )
    fields = {field.name: data[field.name] for field in dataclasses.fields(Sheet)}
    marks = tuple(Extreme(**mark) for mark in data["marks"])
    limits = tuple((low, extent) for low, extent in data["limits"])
    return Sheet(**{**fields, "span": tuple(data["span"]), "lines": lines, "marks": marks, "limits": limits})


def _text(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode()


def _numbers(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<f8").astype(float)
