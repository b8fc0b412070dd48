"""Saved runs from strangers: damaged, crafted, or pointing at other files."""

import json
import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from engine import load_trajectory, simulate
from engine.model.files.text_table import TableError
from engine.model.meshes.faces import MeshError
from engine.model.urdf import UrdfError
from engine.results.files.formats.base import ReadError
from engine.results.saved_runs import load_curves
from tests.attack.saved_runs import attacked
from tests.engine.simulation.scenes import rod_pendulum

Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    run = simulate(rod_pendulum(), dt=0.01, duration=0.1)
    for ending in (".npz", ".h5", ".json"):
        run.save(folder / f"run{ending}", channels=["energy.total"])
    return folder


def states(change: Callable[[Any], Any]) -> Callable[[Arrays], None]:
    def craft(arrays: Arrays) -> None:
        arrays["states"] = change(arrays["states"].copy())

    return craft


def facts(name: str, old: str, new: str) -> Callable[[Arrays], None]:
    def craft(arrays: Arrays) -> None:
        assert old in str(arrays[name])
        arrays[name] = np.array(str(arrays[name]).replace(old, new, 1))

    return craft


CRAFTED = [
    (states(lambda rows: np.full_like(rows, np.nan)), "not finite from the start"),
    (states(lambda rows: np.full_like(rows, 1e300)), "times"),
    (states(lambda rows: rows[::-1]), "do not increase"),
    (states(lambda rows: np.where(np.arange(rows.shape[1]) == 0, 0.25, rows)), "all of them are 0.25 s"),
    (states(lambda rows: rows[:, :-1]), "columns"),
    (facts("segments", '"dt": 0.01', '"dt": -0.01'), "'dt' is -0.01"),
    (facts("segments", '"dt": 0.01', '"dt": 0'), "step is 0 s"),
    (facts("summary", '"steps": 10', '"steps": 1' + 30 * "0"), "'steps'"),
    (facts("segments", '"method": "', '"method": "no'), "unknown method"),
]


@pytest.mark.parametrize(("craft", "told"), CRAFTED)
def test_nonsense_inside_a_whole_file_is_refused(
    craft: Callable[[Arrays], None], told: str, saved: Path, tmp_path: Path
) -> None:
    with np.load(saved / "run.npz", allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    craft(arrays)
    np.savez(tmp_path / "crafted.npz", **arrays)
    with pytest.raises(ReadError, match=told) as refused:
        load_trajectory(tmp_path / "crafted.npz")
    assert "crafted.npz" in str(refused.value)


def test_a_run_that_went_to_pieces_opens_up_to_there(saved: Path, tmp_path: Path) -> None:
    with np.load(saved / "run.npz", allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["states"] = arrays["states"].copy()
    arrays["states"][7:] = np.inf
    np.savez(tmp_path / "broken.npz", **arrays)
    run = load_trajectory(tmp_path / "broken.npz")
    assert run.t[-1] == pytest.approx(0.06)
    assert "not finite" in run.message


def test_a_declared_size_must_be_that_of_the_bytes(saved: Path, tmp_path: Path) -> None:
    """A header that asks for 80 TB over a few bytes."""
    import zipfile

    file = tmp_path / "huge.npz"
    with zipfile.ZipFile(saved / "run.npz") as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "states.npy":
                begin, end = data.index(b"(11"), data.index(b"}")
                shape = b"(10000000000000, 1), ".ljust(end - begin)
                data = data[:begin] + shape + data[end:]
            new.writestr(name, data)
    with pytest.raises(ReadError, match="declared with 80000000000000 bytes"):
        load_trajectory(file)


def moved_out(file: h5py.File, other: Path) -> None:
    shutil.copy(file.filename, other)
    del file["scene"]
    file["scene"] = h5py.ExternalLink(str(other), "/scene")


def stored_out(file: h5py.File, other: Path) -> None:
    part = file["segments/0"]
    shape = part["states"].shape
    other.write_bytes(part["states"][()].tobytes())
    del part["states"]
    part.create_dataset("states", shape, "f8", external=[(str(other), 0, h5py.h5f.UNLIMITED)])


def virtual(file: h5py.File, other: Path) -> None:
    part = file["segments/0"]
    shape = part["states"].shape
    layout = h5py.VirtualLayout(shape, "f8")
    layout[:] = h5py.VirtualSource(str(other), "states", shape)
    del part["states"]
    part.create_virtual_dataset("states", layout)


@pytest.mark.parametrize("craft", [moved_out, stored_out, virtual])
def test_nothing_outside_of_the_file_is_read(
    craft: Callable[[h5py.File, Path], None], saved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run.h5"
    shutil.copy(saved / "run.h5", path)
    with h5py.File(path, "r+") as file:
        craft(file, tmp_path / "other")
    with pytest.raises(ReadError, match=r"not followed|not read"):
        load_trajectory(path)


@pytest.mark.parametrize("text", ["[1, 2]", "[" * 5000, "12", '{"format": "trammel-trajectory"}'])
def test_curves_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match=r"run\.json"):
        load_curves(tmp_path / "run.json")


def test_damaged_files_open_or_are_refused(tmp_path: Path) -> None:
    cases = list(attacked(150, 17, tmp_path))
    assert not [case for case in cases if not case.is_good]
    assert {case.verdict for case in cases} == {"clean", "told"}


def matlab(*elements: bytes) -> bytes:
    """A MATLAB file of level 5 with these elements."""
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM" + b"".join(elements)


def element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def array(kind: int, shape: tuple[int, ...], *parts: bytes) -> bytes:
    flags, sizes = element(6, struct.pack("<II", kind, 0)), element(5, struct.pack(f"<{len(shape)}i", *shape))
    return element(14, flags + sizes + element(1, b"t") + b"".join(parts))


def compressed(data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    return struct.pack("<II", 15, len(packed)) + packed


BOMBS = [
    (matlab(array(1, (1_000_000_000, 1))), "declared with 1000000000 places, and 0 are there"),
    (matlab(compressed(array(1, (30_000, 30_000)))), "declared with 900000000 places"),
    (matlab(array(6, (1 << 30, 1 << 20), element(9, bytes(16)))), "and 2 are there"),
    (
        matlab(struct.pack("<II", 14, 0xFFFFFFF0) + bytes(16)),
        "declared with 4294967280 bytes, and 16 are there",
    ),
    (matlab(array(2, (100_000, 100_000), element(5, struct.pack("<i", 1)), element(1, b"a"))), "places"),
    (matlab(array(6, (-1, 1), element(9, bytes(8)))), "shape"),
    (matlab(compressed(bytes(70_000_000))), "expands to more than"),
    (matlab(array(3, (1, 1))), "objects, functions or sparse"),
    (bytes(300), "no MATLAB file of level 5"),
]


@pytest.mark.parametrize(("content", "told"), BOMBS, ids=range(len(BOMBS)))
def test_a_matlab_file_that_declares_more_than_it_holds_is_refused(
    content: bytes, told: str, tmp_path: Path
) -> None:
    (tmp_path / "bomb.mat").write_bytes(content)
    with pytest.raises(ReadError, match=told):
        load_curves(tmp_path / "bomb.mat")


@pytest.mark.parametrize("compression", [True, False])
@pytest.mark.parametrize("names", [["a"], ["a", "b.c"]])
def test_matlab_files_of_others_are_read(names: list[str], compression: bool, tmp_path: Path) -> None:
    t, values = np.linspace(0.0, 1.0, 11)[:, None], np.arange(11.0 * len(names)).reshape(11, -1)
    content = {
        "t": t,
        "values": values,
        "names": np.array(names, object),
        "units": np.array(["m"] * len(names)),
    }
    more = {"text": "ä" * 9, "whole": np.arange(7, dtype=np.int16), "complex": np.ones(3) * 1j, "none": []}
    savemat(
        tmp_path / "other.mat", {**content, **more, "nested": {"a": {"b": 1}}}, do_compression=compression
    )
    curves = load_curves(tmp_path / "other.mat")
    np.testing.assert_array_equal(np.column_stack([*curves.values.values()]), values)


@pytest.mark.parametrize("kind", [ReadError, UrdfError, MeshError, TableError])
def test_what_a_message_cites_of_a_file_has_an_end(kind: type[Exception]) -> None:
    assert len(str(kind("run.json: no number: " + "q" * 300_000))) <= 1000


def test_curves_with_a_long_text_are_refused_in_short(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"t": [0.0, 1.0], "channels": {"x": ["q" * 300_000, 1.0]}}), encoding="utf-8")
    with pytest.raises(ReadError, match=r"run\.json") as caught:
        load_curves(path)
    assert len(str(caught.value)) <= 1000


@pytest.mark.parametrize(
    ("name", "data"), [("x.npz", b""), ("x.npz", b"PK\x05\x06" + bytes(18)), ("x.h5", b"x"), ("x.mat", b"x")]
)
def test_what_is_told_of_a_damaged_run_names_no_python_type(name: str, data: bytes, tmp_path: Path) -> None:
    """It was "(BadZipFile: File is not a zip file)"."""
    path = tmp_path / name
    path.write_bytes(data)
    read = load_trajectory if name.endswith(("npz", "h5")) else load_curves
    with pytest.raises(ReadError) as caught:
        read(path)
    assert name in str(caught.value)
    assert "Error" not in str(caught.value).replace("Error -", "")
    assert "BadZipFile" not in str(caught.value)
