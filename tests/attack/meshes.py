"""Damaged mesh files, read and made into surfaces as the window does it."""

import base64
import json
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from app.exchange.imports.mesh import solid_of
from app.viewport.canvas.mesh_file import mesh_surface
from app.viewport.canvas.surface import poly_data
from tests.attack.case import Case, judged
from tests.attack.damage import damaged
from tests.attack.structure import changed

CORNERS = np.array([[x, y, z] for x in (-10.0, 10.0) for y in (-15.0, 15.0) for z in (-20.0, 20.0)])
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]])
FACES = np.concatenate([FACES, [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]])
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def sound_files() -> dict[str, bytes]:
    """A block of 20 × 30 × 40 in every form that is read, by file name."""
    return {
        "text.obj": _obj(FACES),
        "quads.obj": _obj(QUADS),
        "text.ply": _ply("ascii", FACES),
        "quads.ply": _ply("ascii", QUADS),
        "little.ply": _ply("binary_little_endian", QUADS),
        "big.ply": _ply("binary_big_endian", FACES),
        "text.stl": _stl_text(),
        "binary.stl": _stl_binary(),
        "inline.gltf": json.dumps(_gltf(inline=True)).encode(),
        "whole.glb": _glb(),
    }


def _obj(faces: Any) -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + ["vn 0 0 1", "g block"]
    return "\n".join([*lines, *("f " + " ".join(f"{i + 1}//1" for i in face) for face in faces)]).encode()


def _ply(form: str, faces: Any) -> bytes:
    header = f"ply\nformat {form} 1.0\ncomment a block\nelement vertex 8\n"
    header += "".join(f"property float {axis}\n" for axis in "xyz")
    header += (
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nproperty uchar red\nend_header\n"
    )
    if form == "ascii":
        rows = [" ".join(f"{x:g}" for x in corner) for corner in CORNERS]
        rows += [f"{len(face)} {' '.join(map(str, face))} 200" for face in faces]
        return (header + "\n".join(rows) + "\n").encode()
    order = "<" if "little" in form else ">"
    rows_of_faces = [struct.pack(f"{order}B{len(face)}iB", len(face), *face, 200) for face in faces]
    return header.encode() + CORNERS.astype(order + "f4").tobytes() + b"".join(rows_of_faces)


def _stl_text() -> bytes:
    lines = ["solid block"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y} {z}" for x, y, z in CORNERS[face]]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid block", ""]).encode()


def _stl_binary() -> bytes:
    facets = b"".join(bytes(12) + CORNERS[face].astype("<f4").tobytes() + bytes(2) for face in FACES)
    return b"block".ljust(80) + struct.pack("<I", len(FACES)) + facets


def _gltf(*, inline: bool) -> dict[str, Any]:
    data = CORNERS.astype("<f4").tobytes() + FACES.astype("<u2").tobytes()
    buffer: dict[str, Any] = {"byteLength": len(data)}
    if inline:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [1]}],
        "nodes": [{"mesh": 0, "scale": [2, 2, 2]}, {"children": [0], "scale": [0.5, 0.5, 0.5]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [buffer],
        "bufferViews": [
            {"buffer": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": 72},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
    }


def _glb() -> bytes:
    text = json.dumps(_gltf(inline=False)).encode()
    text += b" " * (-len(text) % 4)
    data = CORNERS.astype("<f4").tobytes() + FACES.astype("<u2").tobytes()
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    )
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    """Damage so many files and draw them."""
    files = list(sound_files().items())
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        name, data = files[number % len(files)]
        path = folder / f"{number}-{name}"
        if name == "inline.gltf" and rng.random() < 0.5:
            path.write_text(changed(data.decode(), rng), encoding="utf-8")
        else:
            path.write_bytes(damaged(data, rng))
        scale = rng.choice((1.0, 0.001))
        yield judged(
            f"{seed} {number} {name}",
            lambda path=path, scale=scale: _attempt(path, scale),
            (ValueError,),
            names=path.name,
        )
        path.unlink()


def _attempt(path: Path, scale: float) -> str:
    surface = mesh_surface(path.name, scale, path.parent)
    poly_data(surface)
    solid_of(surface.points, surface.triangles)
    sound = np.isfinite(surface.points).all() and np.isfinite(surface.normals).all()
    return "clean" if sound else "nonsense"
