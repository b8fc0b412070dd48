"""STL: triangles, as text or in binary form."""

from pathlib import Path

import numpy as np

from engine.model.meshes.faces import (
    MeshError,
    Place,
    Polygons,
    at_item,
    at_line,
    numbers,
    polygons,
    shown,
)

HEADER = 84  # bytes before the first triangle: a free text and the number of triangles
FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
SILENT = (b"solid", b"endsolid", b"facet", b"endfacet", b"outer")  # words of a text that need no reading


def read(data: bytes, path: Path) -> Polygons:
    """The triangles; corners at the same place are one point."""
    count = int(np.frombuffer(data, "<u4", 1, HEADER - 4)[0]) if len(data) >= HEADER else 0
    fits = len(data) == HEADER + count * FACET.itemsize
    if not fits and data.lstrip()[:5].lower() == b"solid":
        return _read_text(data)
    if len(data) < HEADER:
        raise MeshError("it is no STL file: text begins with 'solid', and binary data has 84 bytes at least")
    if len(data) < HEADER + count * FACET.itemsize:
        room = (len(data) - HEADER) // FACET.itemsize
        raise MeshError(f"it declares {count} triangles and holds {room}; the file is cut off")
    facets = np.frombuffer(data, FACET, count, HEADER)
    with np.errstate(invalid="ignore"):  # what is no number is refused later, with its place
        points = facets["corners"].reshape(-1, 3).astype(float)
    triangle = at_item("triangle")
    return _joined(points, lambda point: triangle(point // 3), triangle)


def _read_text(data: bytes) -> Polygons:
    points: list[list[float]] = []
    lines: list[int] = []
    loop = 0  # points before the loop that is being read
    for line, text in enumerate(data.splitlines(), start=1):
        words = text.split()
        word = words[0].lower() if words else b""
        if word == b"vertex":
            points.append(numbers(words[1:], 3, line))
            lines.append(line)
        elif word == b"endloop":
            if len(points) - loop != 3:
                raise MeshError(f"line {line}: a facet of {len(points) - loop} corners; it needs three")
            loop = len(points)
        elif word and word not in SILENT:
            raise MeshError(f"line {line}: {shown(text.strip())} is no line of an STL file")
    if len(points) != loop:
        raise MeshError(f"line {lines[-1]}: the file ends in the middle of a facet")
    point = at_line(lines)
    return _joined(np.array(points).reshape(-1, 3), point, lambda face: point(3 * face))


def _joined(points: np.ndarray, point_at: Place, face_at: Place) -> Polygons:
    """Triangles of three points each, in order, with equal points made one."""
    count = len(points) // 3
    apart = polygons(points, np.full(count, 3), np.arange(len(points)), point_at, face_at)
    rows = np.ascontiguousarray(apart.points + 0.0).view(np.dtype((np.void, 24))).ravel()
    _, first, same = np.unique(rows, return_index=True, return_inverse=True)
    return Polygons(apart.points[first], same.ravel().astype(np.int64), apart.starts)
