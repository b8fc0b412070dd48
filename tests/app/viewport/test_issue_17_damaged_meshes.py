"""Mesh files from strangers: what is damaged is refused with the file and the place, and nothing crashes."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import run_command_line
from app.exchange.imports.mesh import solid_of
from app.viewport.canvas.mesh_file import mesh_surface
from engine.model.meshes import read_mesh
from engine.model.meshes.faces import MeshError
from tests.attack.meshes import attacked, sound_files

PLY = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
FACE = "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
TRIANGLE = "0 0 0\n1 0 0\n0 1 0\n"

# a file, its text, and what its refusal says
BROKEN = [
    ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 999999999\n", "line 3"),
    ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n", "line 4"),
    ("a.obj", "v 0 0\nf 1 1 1\n", "line 1"),
    ("a.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "line 1"),
    ("a.ply", PLY + FACE + TRIANGLE + "3 0 1 99999\n", "line 13"),
    ("a.ply", PLY.replace("vertex 3", "vertex 3000000000000") + FACE + TRIANGLE, "3000000000000"),
    ("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n", "line 5"),
    ("a.stl", "x" * 80 + "\x7f\x7f\x7f\x7f", "cut off"),
]


def gltf(**changes: object) -> str:
    return json.dumps({**json.loads(sound_files()["inline.gltf"]), **changes})


GLTF = [
    ({"nodes": [{"children": [0], "mesh": 0}], "scenes": [{"nodes": [0]}]}, "nodes[0]"),
    ({"nodes": [{"children": [99]}], "scenes": [{"nodes": [0]}]}, "nodes[99]"),
    ({"buffers": [{"uri": "../../secret", "byteLength": 5}]}, "buffers[0]"),
    ({"bufferViews": [{"buffer": 0, "byteLength": 10**9}] * 2}, "bufferViews[0]"),
    (
        {"accessors": [{"bufferView": 0, "componentType": 5126, "count": 10**12, "type": "VEC3"}] * 2},
        "accessors",
    ),
    ({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 77}]}]}, "mode"),
]


@pytest.mark.parametrize("name", sorted(sound_files()))
def test_a_sound_file_encloses_its_volume(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(sound_files()[name])
    surface = mesh_surface(name, 0.1, tmp_path)
    solid = solid_of(surface.points, surface.triangles)
    assert solid.closed
    assert solid.volume == pytest.approx(2.0 * 3.0 * 4.0)
    np.testing.assert_allclose(solid.size, [2.0, 3.0, 4.0])


@pytest.mark.parametrize(("name", "text", "place"), BROKEN)
def test_a_broken_file_is_refused_with_its_place(name: str, text: str, place: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(MeshError) as told:
        read_mesh(tmp_path / name)
    assert name in str(told.value)
    assert place in str(told.value)


@pytest.mark.parametrize(("changes", "place"), GLTF)
def test_a_broken_tree_is_refused_with_its_place(
    changes: dict[str, object], place: str, tmp_path: Path
) -> None:
    (tmp_path / "a.gltf").write_text(gltf(**changes), encoding="utf-8")
    with pytest.raises(MeshError) as told:
        read_mesh(tmp_path / "a.gltf")
    assert place in str(told.value)


def test_damaged_files_are_drawn_or_refused(tmp_path: Path) -> None:
    cases = list(attacked(300, 17, tmp_path))
    assert len(cases) == 300
    assert not [case for case in cases if not case.is_good]


def test_faces_that_share_an_edge_or_a_rim_take_time_in_proportion(tmp_path: Path) -> None:
    """20,000 triangles at one edge, and a polygon of as many corners: work in squares would take minutes."""
    n = 20_000
    rim = [f"v {np.cos(i)} {np.sin(i)} 0" for i in range(n)]
    pages = "\n".join(["v 0 0 0", "v 0 0 1", *rim, *(f"f 1 2 {i + 3}" for i in range(n))])
    (tmp_path / "pages.obj").write_text(pages, encoding="utf-8")
    disc = "\n".join([*rim, "f " + " ".join(str(i + 1) for i in range(n))])
    (tmp_path / "disc.obj").write_text(disc, encoding="utf-8")
    assert len(mesh_surface("pages.obj", 1.0, tmp_path).triangles) == n
    assert len(mesh_surface("disc.obj", 1.0, tmp_path).triangles) == n - 2


def test_check_names_the_broken_mesh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.obj").write_text(BROKEN[0][1], encoding="utf-8")
    body = {"name": "part", "mass": 1, "inertia": [1, 1, 1], "shapes": [{"kind": "mesh", "file": "a.obj"}]}
    scene = tmp_path / "scene.json"
    scene.write_text(
        json.dumps({"format": "trammel-scene", "version": 1, "bodies": [body]}), encoding="utf-8"
    )
    assert run_command_line(["check", str(scene)]) == 2
    told = capsys.readouterr().out
    assert 'bodies[0] "part".shapes[0].file' in told
    assert "line 3" in told
