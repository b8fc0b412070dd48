"""glTF 2.0: triangles of a tree of nodes, in a JSON file with buffers beside it or in one binary file."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from engine.model.meshes.faces import MAX_CORNERS, Array, Ints, MeshError, Polygons, at_item, polygons

MAGIC = b"glTF"
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}  # of what triangles need
TRIANGLES, STRIP, FAN = 4, 5, 6
NEEDED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")  # change how triangles are stored


def read(data: bytes, path: Path) -> Polygons:
    """The triangles of the shown scene, each part moved to where its nodes put it."""
    text, chunk = _binary(data) if data[:4] == MAGIC else (data, None)
    try:
        root = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise MeshError(f"it is not JSON: {error}") from None
    if not isinstance(root, dict):
        raise MeshError("it is no JSON object with nodes and meshes")
    document = _Document(root, path.parent, chunk)
    for name in NEEDED:
        if name in document.listed("extensionsRequired", str):
            raise MeshError(
                f"its triangles are compressed by {name}, which is not supported; export it without"
            )
    return _collected(document)


def _binary(data: bytes) -> tuple[bytes, bytes | None]:
    """JSON and buffer of a .glb file."""
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, at)
        if at + 8 + length > len(data):
            raise MeshError(
                f"a part of {length} bytes begins at byte {at}, past which the file ends; it is cut off"
            )
        chunks.setdefault(kind, data[at + 8 : at + 8 + length])
        at += 8 + length
    if JSON_CHUNK not in chunks:
        raise MeshError("it has no JSON part; export it again")
    return chunks[JSON_CHUNK], chunks.get(BINARY_CHUNK)


@dataclass
class _Document:
    """The JSON of a file, read with care, and its buffers."""

    root: dict[str, Any]
    folder: Path
    chunk: bytes | None
    _buffers: dict[int, bytes] = field(default_factory=dict)
    _lists: dict[str, list[Any]] = field(default_factory=dict)

    def listed(self, name: str, kind: type = dict) -> list[Any]:
        if name not in self._lists:
            items = self.root.get(name, [])
            if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
                raise MeshError(f"{name!r} is no list of the right things")
            self._lists[name] = items
        return self._lists[name]

    def item(self, name: str, number: Any, asked: str) -> dict[str, Any]:
        items = self.listed(name)
        if type(number) is not int or not 0 <= number < len(items):
            raise MeshError(f"{asked}: {name}[{number!r:.40}] does not exist (there are {len(items)})")
        found: dict[str, Any] = items[number]
        return found

    def accessor(self, number: Any, kind: str, asked: str) -> Any:
        """Numbers that an accessor describes, shape (count, width)."""
        place = f"accessors[{number}]"
        item = self.item("accessors", number, asked)
        component = COMPONENTS.get(_whole(item, "componentType", place))
        if component is None or item.get("type") != kind:
            raise MeshError(f"{place}: {asked} needs {kind} numbers of a known type")
        count = _whole(item, "count", place)
        width = WIDTHS[kind]
        if "bufferView" not in item or "sparse" in item:
            raise MeshError(f"{place}: sparse numbers are not supported; export the mesh without them")
        view, step = self._view(item["bufferView"], place)
        dtype = np.dtype(component)
        size = dtype.itemsize * width
        step = step or size
        start = _whole(item, "byteOffset", place)
        if step < size or (count and start + (count - 1) * step + size > len(view)):
            raise MeshError(
                f"{place}: {count} items do not fit into its {len(view)} bytes; the file is damaged"
            )
        raw = np.ndarray((count, width), dtype, view, start, (step, dtype.itemsize))
        if dtype.kind != "f" and item.get("normalized") is True:
            return raw / float(np.iinfo(dtype).max)
        return raw

    def _view(self, number: Any, asked: str) -> tuple[memoryview, int]:
        """Bytes of a buffer view, and how far its items are apart (0 for not at all)."""
        place = f"bufferViews[{number}]"
        item = self.item("bufferViews", number, asked)
        data = self._buffer(item.get("buffer"), place)
        start, length = _whole(item, "byteOffset", place), _whole(item, "byteLength", place)
        if start + length > len(data):
            raise MeshError(f"{place}: bytes {start} to {start + length} of {len(data)}; the file is damaged")
        return memoryview(data)[start : start + length], _whole(item, "byteStride", place)

    def _buffer(self, number: Any, asked: str) -> bytes:
        item = self.item("buffers", number, asked)
        if number not in self._buffers:
            self._buffers[number] = self._bytes(item, f"buffers[{number}]")
        return self._buffers[number]

    def _bytes(self, item: dict[str, Any], place: str) -> bytes:
        uri = item.get("uri")
        if uri is None and self.chunk is not None:
            return self.chunk
        if not isinstance(uri, str):
            raise MeshError(f"{place}: it has no data")
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=True)
            except (binascii.Error, ValueError):
                raise MeshError(f"{place}: its data is no base64 text") from None
        inner = Path(unquote(uri))
        if inner.is_absolute() or ".." in inner.parts or "://" in uri or "\0" in unquote(uri):
            raise MeshError(f"{place}: {uri[:60]!r} does not lie beside the file; put it there")
        file = self.folder / inner
        if not file.is_file():
            raise MeshError(f"{place}: the file {file} is missing; put it beside the mesh")
        return file.read_bytes()


def _whole(item: dict[str, Any], name: str, place: str) -> int:
    number = item.get(name, 0)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**48:
        raise MeshError(f"{place}.{name}: {number!r:.40} is no whole number of a usable size")
    return number


# nodes and parts --------------------------------------------------------------------------------------------


def _collected(document: _Document) -> Polygons:
    points: list[Array] = [np.zeros((0, 3))]
    corners: list[Ints] = [np.zeros((0, 3), np.int64)]
    total = known = 0
    parts: dict[int, list[tuple[Array, Ints]]] = {}
    for number, matrix in _placed_meshes(document):
        if number not in parts:
            parts[number] = _parts(document, number)
        for where, triangles in parts[number]:
            total += triangles.size + where.size
            if total > MAX_CORNERS:
                raise MeshError(
                    f"meshes[{number}]: repeated so often that over {MAX_CORNERS} corners would be drawn"
                )
            with np.errstate(all="ignore"):  # what is too large is refused below
                points.append(where @ matrix[:3, :3].T + matrix[:3, 3])
            corners.append(triangles + known)
            known += len(where)
    joined = np.concatenate(corners)
    return polygons(
        np.concatenate(points), np.full(len(joined), 3), joined.ravel(), at_item("point"), at_item("triangle")
    )


def _placed_meshes(document: _Document) -> list[tuple[int, Array]]:
    """Mesh numbers with the matrix of their node; every node has one parent at most."""
    nodes = document.listed("nodes")
    if document.listed("scenes"):
        shown = document.item("scenes", document.root.get("scene", 0), "scene")
        roots = _numbers(shown, "nodes", "scenes")
    else:
        children = {
            child for i, node in enumerate(nodes) for child in _numbers(node, "children", f"nodes[{i}]")
        }
        roots = [i for i in range(len(nodes)) if i not in children]
    found: list[tuple[int, Array]] = []
    seen: set[int] = set()
    waiting = [(root, np.eye(4)) for root in reversed(roots)]
    while waiting:
        number, above = waiting.pop()
        node = document.item("nodes", number, "nodes")
        if number in seen:
            raise MeshError(f"nodes[{number}]: it is below itself, or below two others; nodes form a tree")
        seen.add(number)
        with np.errstate(all="ignore"):
            matrix = above @ _matrix(node, f"nodes[{number}]")
        if "mesh" in node:
            document.item("meshes", node["mesh"], f"nodes[{number}]")
            found.append((node["mesh"], matrix))
        waiting += [(child, matrix) for child in reversed(_numbers(node, "children", f"nodes[{number}]"))]
    return found


def _numbers(item: dict[str, Any], name: str, place: str) -> list[int]:
    numbers = item.get(name, [])
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise MeshError(f"{place}.{name}: it is no list of whole numbers")
    return numbers


def _matrix(node: dict[str, Any], place: str) -> Array:
    """From the frame of a node to that of its parent."""
    if "matrix" in node:
        return _vector(node, "matrix", np.eye(4).ravel(), place).reshape(4, 4).T  # by columns
    matrix = np.eye(4)
    x, y, z, w = _vector(node, "rotation", np.array([0.0, 0.0, 0.0, 1.0]), place)
    size = x * x + y * y + z * z + w * w
    if not size > 0.0:
        raise MeshError(f"{place}.rotation: a quaternion of length zero")
    s = 2.0 / size
    turn = np.array(
        [
            [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
            [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
            [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
        ]
    )
    matrix[:3, :3] = turn * _vector(node, "scale", np.ones(3), place)
    matrix[:3, 3] = _vector(node, "translation", np.zeros(3), place)
    return matrix


def _vector(node: dict[str, Any], name: str, otherwise: Array, place: str) -> Array:
    values = node.get(name)
    if values is None:
        return otherwise
    right = isinstance(values, list) and len(values) == len(otherwise)
    if not right or not all(type(value) in (int, float) and abs(value) < 1e15 for value in values):
        raise MeshError(f"{place}.{name}: it is no list of {len(otherwise)} numbers of a usable size")
    return np.array(values, float)


def _parts(document: _Document, number: int) -> list[tuple[Array, Ints]]:
    """Points and triangles of a mesh, part by part; lines and points are passed over."""
    found = []
    primitives = document.item("meshes", number, "nodes").get("primitives", [])
    if not isinstance(primitives, list):
        raise MeshError(f"meshes[{number}].primitives: it is no list")
    total = 0
    for i, part in enumerate(primitives):
        place = f"meshes[{number}].primitives[{i}]"
        attributes = part.get("attributes") if isinstance(part, dict) else None
        if not isinstance(attributes, dict):
            raise MeshError(f"{place}: it has no attributes")
        mode = part.get("mode", TRIANGLES)
        if type(mode) is not int or mode not in range(FAN + 1):
            raise MeshError(f"{place}.mode: {mode!r:.40} is none of 0 to {FAN}")
        if mode < TRIANGLES:
            continue
        raw = document.accessor(attributes.get("POSITION"), "VEC3", f"{place}.attributes.POSITION")
        with np.errstate(invalid="ignore"):  # what is no number is refused later
            points = raw.astype(float)
        if "indices" in part:
            order = document.accessor(part["indices"], "SCALAR", f"{place}.indices").ravel().astype(np.int64)
        else:
            order = np.arange(len(points), dtype=np.int64)
        if len(order) and not 0 <= order.min() <= order.max() < len(points):
            wrong = int(np.flatnonzero((order < 0) | (order >= len(points)))[0])
            text = f"corner {wrong} is point {order[wrong]}, which does not exist (there are {len(points)})"
            raise MeshError(f"{place}.indices: {text}; export the file again")
        total += len(order) + points.size
        if total > MAX_CORNERS:
            raise MeshError(f"{place}: over {MAX_CORNERS} corners would be drawn; reduce its triangles")
        found.append((points, _triangles(order, mode)))
    return found


def _triangles(order: Ints, mode: int) -> Ints:
    if mode == TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    count = max(len(order) - 2, 0)
    i = np.arange(count)
    if mode == STRIP:  # every other one runs the other way round
        odd = i % 2
        return np.column_stack([order[i], order[i + 1 + odd], order[i + 2 - odd]])
    return np.column_stack([order[np.zeros(count, np.int64)], order[i + 1], order[i + 2]])
