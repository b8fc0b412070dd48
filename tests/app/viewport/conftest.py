"""A view that is closed after the test, and a fixture that finds VTK objects left alive."""

import gc
from collections.abc import Iterator

import pytest

from app.viewport.scene.scene_view import SceneView


@pytest.fixture
def view() -> Iterator[SceneView]:
    made = SceneView((640, 480))
    yield made
    made.close()


@pytest.fixture
def no_vtk_left() -> Iterator[None]:
    before = _alive()
    yield
    left = _alive() - before
    assert not left, f"VTK objects left: {left}"


def _alive() -> set[str]:
    gc.collect()
    return {
        f"{type(thing).__name__} {id(thing)}"
        for thing in gc.get_objects()
        if str(type(thing).__module__).startswith("vtkmodules.vtkRendering")
    }
