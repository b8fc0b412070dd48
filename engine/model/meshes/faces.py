"""Faces over shared points, and the checks that every mesh passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import FileError

MAX_COORDINATE = 1e15  # in the unit of the file: products of three coordinates stay far from overflow
MAX_CORNERS = 60_000_000  # of all faces together: a file of a few lines may repeat a part without end

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Place = Callable[[int], str]  # where the file speaks of a point or face, by its number: "line 7"


class MeshError(FileError):
    """A mesh file that cannot be used: what is wrong, where, and of which file."""

    def of(self, path: Path) -> MeshError:
        return MeshError(f"mesh file {path}: {self}")


@dataclass(frozen=True)
class Polygons:
    """Points, shape (n, 3); face i has the corners `corners[starts[i]:starts[i + 1]]`, at least three."""

    points: Array
    corners: Ints
    starts: Ints

    @property
    def count(self) -> int:
        return len(self.starts) - 1


def polygons(
    points: ArrayLike, sizes: ArrayLike, corners: ArrayLike, point_at: Place, face_at: Place
) -> Polygons:
    """Faces with so many corners each, by number of their points; raises MeshError with the place."""
    where = np.array(points, np.float64).reshape(-1, 3)
    counts, indices = np.asarray(sizes, np.int64), np.asarray(corners, np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    if not len(counts):
        raise MeshError("it has no faces; export the surface as triangles")
    if len(indices) > MAX_CORNERS:
        raise MeshError(
            f"it has {len(indices)} corners of faces, at most {MAX_CORNERS} are drawn; reduce its triangles"
        )
    wrong = np.flatnonzero(~(np.abs(where) <= MAX_COORDINATE).all(axis=1))
    if len(wrong):
        text = ", ".join(f"{x:g}" for x in where[wrong[0]])
        raise MeshError(f"{point_at(int(wrong[0]))}: the coordinates {text} are no numbers of a usable size")
    few = np.flatnonzero(counts < 3)
    if len(few):
        raise MeshError(
            f"{face_at(int(few[0]))}: a face of {counts[few[0]]} corners; it needs three at least"
        )
    outside = np.flatnonzero((indices < 0) | (indices >= len(where)))
    if len(outside):
        face = int(np.searchsorted(starts, outside[0], "right")) - 1
        text = f"a corner at point {indices[outside[0]] + 1} of {len(where)}, which does not exist"
        raise MeshError(f"{face_at(face)}: {text}; export the file again")
    return Polygons(where, indices, starts)


def at_line(lines: Sequence[int]) -> Place:
    """The place of an item whose line in the file is known, counted from 1."""
    return lambda number: f"line {lines[number]}"


def at_item(kind: str) -> Place:
    """The place of an item in a file without lines."""
    return lambda number: f"{kind} {number}"


def numbers(words: Sequence[bytes], count: int, line: int) -> list[float]:
    """The first few words of a line as numbers; raises MeshError."""
    try:
        found = [float(word) for word in words[:count]]
    except ValueError:
        found = []
    if len(found) < count:
        raise MeshError(f"line {line}: {count} numbers are needed, and there is {shown(b' '.join(words))}")
    return found


def shown(text: bytes, length: int = 40) -> str:
    """A bit of the file, fit for a message."""
    word = "".join(c if c.isprintable() else "·" for c in text[: length + 1].decode("latin-1"))
    return repr(word if len(word) <= length else word[:length] + "…")
