"""PLY: elements that a header describes, as text or in binary form; points and faces are taken."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.model.meshes.faces import MeshError, Place, Polygons, at_item, at_line, polygons, shown

TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1",
    "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
    "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4",
    "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip
CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I"}  # of lengths, for `struct`
ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
CORNERS = ("vertex_indices", "vertex_index")  # names in use for the corners of a face


@dataclass
class Property:
    name: str
    type: str
    length: str = ""  # type of the number of items, for a list


@dataclass
class Element:
    name: str
    count: int
    properties: list[Property] = field(default_factory=list)

    @property
    def lists(self) -> bool:
        return any(item.length for item in self.properties)

    @property
    def smallest(self) -> int:
        """Bytes of one of them, its lists empty."""
        return sum(np.dtype(item.length or item.type).itemsize for item in self.properties)


@dataclass
class Found:
    """Points and faces as far as they are read, and where they stand."""

    points: Any = None
    sizes: Any = ()
    corners: Any = ()
    point_at: Place = field(default_factory=lambda: at_item("point"))
    face_at: Place = field(default_factory=lambda: at_item("face"))


def read(data: bytes, path: Path) -> Polygons:
    order, elements, start, line = _header(data)
    names = {element.name: element for element in elements}
    if len(names) < len(elements):
        raise MeshError("its header declares an element twice; the file is damaged")
    vertex, face = names.get("vertex"), names.get("face")
    if vertex is None or not {"x", "y", "z"} <= {item.name for item in vertex.properties}:
        raise MeshError("its header declares no points with x, y and z")
    if face is None or not any(item.name in CORNERS and item.length for item in face.properties):
        raise MeshError(
            "its header declares no faces with a list of vertex_indices; export the surface as triangles"
        )
    if vertex.lists:
        raise MeshError(
            "its points have lists of numbers, which is not supported; export points without them"
        )
    if order:
        found = _read_binary(memoryview(data)[start:], elements, order)
    else:
        found = _read_text(data[start:], elements, line)
    return polygons(found.points, found.sizes, found.corners, found.point_at, found.face_at)


def _header(data: bytes) -> tuple[str, list[Element], int, int]:
    """Byte order (none for text), elements, where the content starts, and on which line."""
    order: str | None = None
    elements: list[Element] = []
    start, line = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line += 1
        text = data[start:end]
        words = text.decode("latin-1").split()
        start = end + 1
        if line == 1 and words != ["ply"]:
            raise MeshError("line 1: a PLY file begins with 'ply'")
        if words == ["end_header"]:
            if order is None:
                raise MeshError(
                    f"line {line}: the header has no line 'format ascii 1.0' or 'format binary_… 1.0'"
                )
            return order, elements, start, line
        match words:
            case ["format", kind, _] if kind in ORDERS:
                order = ORDERS[kind]
            case ["element", name, count] if count.isdecimal() and len(count) < 19:
                elements.append(Element(name, int(count)))
            case ["property", "list", length, kind, name] if elements and _whole(length) and kind in TYPES:
                elements[-1].properties.append(Property(name, TYPES[kind], TYPES[length]))
            case ["property", kind, name] if elements and kind in TYPES:
                elements[-1].properties.append(Property(name, TYPES[kind]))
            case [] | ["ply"] | ["comment", *_] | ["obj_info", *_]:
                pass
            case _:
                raise MeshError(f"line {line}: {shown(text.strip())} is no line of a PLY header")
    raise MeshError("its header has no end (a line 'end_header')")


def _whole(kind: str) -> bool:
    return TYPES.get(kind, "f")[0] in "iu"


# text -------------------------------------------------------------------------------------------------------


def _read_text(data: bytes, elements: list[Element], header: int) -> Found:
    """One element per line."""
    found = Found()
    rows = _rows(data, header)
    for element in elements:
        if element.count > len(data):
            raise MeshError(f"its header declares {element.count} of {element.name!r}; the file is cut off")
        names = [item.name for item in element.properties]
        if element.name == "vertex":
            columns = [names.index(axis) for axis in "xyz"]
            points, lines = [], []
            for line, words in _take(rows, element):
                points.append([_number(words, column, line) for column in columns])
                lines.append(line)
            found.points, found.point_at = np.array(points, float).reshape(-1, 3), at_line(lines)
        elif element.name == "face":
            sizes: list[int] = []
            corners: list[int] = []
            lines = []
            for line, words in _take(rows, element):
                before = len(corners)
                corners += _corners_of(words, element, line)
                sizes.append(len(corners) - before)
                lines.append(line)
            found.sizes, found.corners, found.face_at = sizes, corners, at_line(lines)
        else:
            for _ in _take(rows, element):
                pass
    return found


def _rows(data: bytes, header: int) -> Iterator[tuple[int, list[bytes]]]:
    for line, text in enumerate(data.splitlines(), start=header + 1):
        words = text.split()
        if words:
            yield line, words


def _take(rows: Iterator[tuple[int, list[bytes]]], element: Element) -> Iterator[tuple[int, list[bytes]]]:
    if not element.properties:
        return
    for number in range(element.count):
        row = next(rows, None)
        if row is None:
            raise MeshError(
                f"it declares {element.count} of {element.name!r} and holds {number}; the file is cut off"
            )
        yield row


def _corners_of(words: list[bytes], element: Element, line: int) -> list[int]:
    at = 0
    for item in element.properties:
        if not item.length:
            at += 1
            continue
        size = _index(words, at, line)
        if not 0 <= size <= len(words) - at - 1:
            raise MeshError(f"line {line}: a list of {size} numbers, and {len(words) - at - 1} follow")
        if item.name in CORNERS:
            return [_index(words, at + 1 + k, line) for k in range(size)]
        at += 1 + size
    return []


def _number(words: list[bytes], column: int, line: int) -> float:
    try:
        return float(words[column])
    except (ValueError, IndexError):
        raise MeshError(f"line {line}: number {column + 1} is missing in {shown(b' '.join(words))}") from None


def _index(words: list[bytes], column: int, line: int) -> int:
    number = _number(words, column, line)
    if not abs(number) < 2**53 or number != int(number):
        raise MeshError(f"line {line}: {shown(words[column])} is no whole number of a usable size")
    return int(number)


# binary -----------------------------------------------------------------------------------------------------


def _read_binary(data: memoryview, elements: list[Element], order: str) -> Found:
    found = Found()
    at = 0
    for element in elements:
        if element.count * max(element.smallest, 1) > len(data) - at and element.smallest:
            text = f"its header declares {element.count} of {element.name!r}, for which the file is too short"
            raise MeshError(f"{text}; it is cut off or damaged")
        if not element.smallest:
            continue
        if not element.lists:
            layout = [(f"p{place}", order + item.type) for place, item in enumerate(element.properties)]
            table = np.frombuffer(data, np.dtype(layout), element.count, at)
            at += table.nbytes
            if element.name == "vertex":
                found.points = _columns(table, element, "xyz")
            continue
        sizes, corners, at = _read_lists(data, at, element, order)
        if element.name == "face":
            found.sizes, found.corners = sizes, corners
    return found


def _columns(table: Any, element: Element, names: str) -> Any:
    places = {item.name: place for place, item in enumerate(element.properties)}
    with np.errstate(invalid="ignore"):  # what is no number is refused later, with its place
        return np.column_stack([table[f"p{places[name]}"].astype(float) for name in names])


def _read_lists(data: memoryview, at: int, element: Element, order: str) -> tuple[Any, Any, int]:
    """Sizes and corners of elements with lists, and where they end."""
    kind = next(
        (item for item in element.properties if item.name in CORNERS and item.length), element.properties[0]
    )
    sizes, begins, end = _lists(data, at, element, kind, order)
    # every number of the lists, read at its own byte: a view that steps by one byte holds them all
    dtype = np.dtype(order + kind.type)
    anywhere = np.ndarray((max(len(data) - dtype.itemsize + 1, 0),), dtype, data, 0, (1,))
    inside = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    corners = anywhere[np.repeat(begins, sizes) + dtype.itemsize * inside]
    if dtype.kind == "f" and not (np.abs(corners) < 2**53).all():
        raise MeshError(f"a corner of {element.name!r} is no whole number of a usable size")
    return sizes, corners.astype(np.int64), end


def _lists(data: memoryview, at: int, element: Element, kind: Property, order: str) -> tuple[Any, Any, int]:
    """Length and first byte of one list of every element, and where the last element ends."""
    steps = [
        (
            item is kind,
            struct.Struct(order + CODES[item.length]) if item.length else None,
            np.dtype(item.type).itemsize,
        )
        for item in element.properties
    ]
    sizes = np.zeros(element.count, np.int64)
    begins = np.zeros(element.count, np.int64)
    total = len(data)
    for number in range(element.count):
        for wanted, length, size in steps:
            if length is None:
                at += size
                continue
            if at + length.size > total:
                break
            (count,) = length.unpack_from(data, at)
            at += length.size
            if wanted:
                sizes[number], begins[number] = count, at
            if count < 0:
                raise MeshError(f"{element.name} {number}: a list of {count} numbers; the file is damaged")
            at += count * size
        if at > total:
            raise MeshError(
                f"{element.name} {number}: the file ends in the middle of it; it is cut off or damaged"
            )
    return sizes, begins, at
