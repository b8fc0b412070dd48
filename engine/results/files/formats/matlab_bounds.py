"""Whether the sizes that a MATLAB file declares fit the bytes that are there, before anything is made of it.

A file of level 5 is a header and elements: a tag (type, bytes) and the data, some of them compressed. An
array is an element of elements: flags, dimensions, name, then numbers, or the arrays of its cells or fields.
A few bytes may declare a cell array of 10⁹ places or expand to gigabytes; SciPy would ask for them.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from engine.results.files.formats.base import MAX_EXPANSION, ReadError

HEADER = 128  # bytes
ORDERS = {b"IM": "<", b"MI": ">"}  # of the bytes in a number
LEVEL = 0x0100
MATRIX, COMPRESSED = 14, 15  # types of elements
SIZES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8, 16: 1, 17: 2, 18: 4}  # bytes, by type
CELL, STRUCT, CHAR = 1, 2, 4  # classes of arrays
NUMBERS = range(6, 16)
MAX_DEPTH = 16  # arrays inside each other
# bytes that any file may expand to: constant channels are compressed a thousandfold
MIN_EXPANDED = 64_000_000


class _Element(NamedTuple):
    type: int
    data: memoryview


def check_sizes(content: bytes) -> None:
    """Raises ReadError for a file that declares more than it holds."""
    order = ORDERS.get(content[126:HEADER])
    if order is None or len(content) < HEADER or struct.unpack_from(order + "H", content, 124)[0] != LEVEL:
        raise ReadError("it is no MATLAB file of level 5; save it with -v7 or -v6")
    left = max(MIN_EXPANDED, MAX_EXPANSION * len(content))
    for element in _elements(memoryview(content)[HEADER:], order):
        if element.type == COMPRESSED:
            expanded = _expanded(element.data, left)
            left -= len(expanded)
            for inner in _elements(memoryview(expanded), order):
                _check(inner, order, 0)
        else:
            _check(element, order, 0)


def _elements(data: memoryview, order: str) -> Iterator[_Element]:
    """One element after the other; small ones have their data in the tag."""
    at = 0
    while at < len(data):
        if len(data) - at < 8:
            raise ReadError(f"it ends in a tag, {len(data) - at} bytes long")
        kind, size = struct.unpack_from(order + "II", data, at)
        if kind >> 16:
            kind, size, begin = kind & 0xFFFF, kind >> 16, at + 4
            at += 8
        else:
            begin = at + 8
            at = begin + size + (0 if kind == COMPRESSED else -size % 8)
        if size > len(data) - begin:
            raise ReadError(f"an element is declared with {size} bytes, and {len(data) - begin} are there")
        yield _Element(kind, data[begin : begin + size])


def _expanded(data: memoryview, limit: int) -> bytes:
    reader = zlib.decompressobj()
    expanded = reader.decompress(data, limit)
    if reader.unconsumed_tail:
        raise ReadError(f"it expands to more than {limit} bytes, more than a file of this size can hold")
    return expanded


def _check(element: _Element, order: str, depth: int) -> None:
    """An array and those inside it."""
    if element.type != MATRIX or not len(element.data):  # an empty one stands for []
        return
    if depth > MAX_DEPTH:
        raise ReadError(f"arrays are nested more than {MAX_DEPTH} deep")
    flags, dimensions, _, *parts = list(_elements(element.data, order))
    kind = struct.unpack_from(order + "I", flags.data)[0] & 0xFF
    shape = struct.unpack_from(f"{order}{len(dimensions.data) // 4}i", dimensions.data)
    places = math.prod(shape)
    if min(shape, default=0) < 0:
        raise ReadError(f"an array is declared with the shape {shape}")
    if kind in (CELL, STRUCT):
        if kind == STRUCT:
            (length,) = struct.unpack_from(order + "i", parts[0].data)
            places *= len(parts[1].data) // max(length, 1)
            parts = parts[2:]
        held = len(parts)
    elif kind == CHAR or kind in NUMBERS:
        held = len(parts[0].data) // SIZES.get(parts[0].type, 8) if parts else 0
        parts = []
    else:
        raise ReadError("it has objects, functions or sparse matrices, which no run has")
    if places > held:
        raise ReadError(f"an array is declared with {places} places, and {held} are there")
    for part in parts:
        _check(part, order, depth + 1)
