"""Ten boxes on each other stand: by every way of integration, with elements for each pair and with groups."""

from itertools import pairwise

import msgspec
import numpy as np
import pytest

from engine.model.scene import Scene
from engine.simulation.simulation import simulate
from tests.verification.test_contact_groups import CUBES, FLAT, PLANAR, shift_of, stack

EVENTS = "lagrange/rk4/projection"
STEPPING = ("moreau_jean", "nonsmooth_alpha")
SIZES = {"flat": FLAT, "cubes": CUBES, "plane": PLANAR}
LAW = {"law": "rigid", "friction": 0.5}


def stack_by(way: str, size: tuple[float, ...], restitution: float = 0.0) -> Scene:
    """One group of all boxes, one group for each pair of neighbours, or one contact for each."""
    scene, law = msgspec.structs.replace(stack(size), forces=()), {**LAW, "restitution": restitution}
    if way == "one group":
        return scene.with_force("contact_group", "pile", **law)
    names = ["floor", *(f"box{k}" for k in range(10))]
    for a, b in pairwise(names):
        if way == "contacts":
            scene = scene.with_force("contact", f"{a} on {b}", a={"body": a}, b={"body": b}, **law)
        else:
            scene = scene.with_group(f"{a} and {b}", members=[f"bodies.{a}", f"bodies.{b}"])
            scene = scene.with_force("contact_group", f"{a} on {b}", group=f"{a} and {b}", **law)
    return scene


def stands(scene: Scene, size: tuple[float, ...], method: str, duration: float, most: float) -> None:
    found = simulate(scene, method=method, dt=2e-3, duration=duration)
    assert found.status.name == "FINISHED", found.message
    assert shift_of(found, size) < most
    assert np.abs(found.channel("energy.error")).max() < 1e-9
    assert [event for event in found.events if event.kind == "impact"] == []


@pytest.mark.parametrize("restitution", [0.0, 0.3])
@pytest.mark.parametrize("way", ["contacts", "groups", "one group"])
@pytest.mark.parametrize("method", STEPPING)
def test_a_stack_stands(method: str, way: str, restitution: float) -> None:
    stands(stack_by(way, PLANAR, restitution), PLANAR, method, 1.0, 2e-4)


def test_a_stack_in_space_stands_by_single_contacts() -> None:
    stands(stack_by("contacts", CUBES), CUBES, "nonsmooth_alpha", 0.1, 2e-4)


# groups of two are followed by the same rows as contacts; in space a minute takes five of the processor
STEPPED = [
    *(("one group", size) for size in SIZES),
    ("contacts", "plane"),
    ("groups", "plane"),
    ("contacts", "cubes"),
]


@pytest.mark.soak
@pytest.mark.parametrize(("way", "size"), STEPPED)
@pytest.mark.parametrize("method", STEPPING)
def test_a_stack_stands_for_a_minute(method: str, way: str, size: str) -> None:
    stands(stack_by(way, SIZES[size]), SIZES[size], method, 60.0, 5e-4)


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", ["contacts", "groups"])
def test_a_stack_stands_for_a_minute_by_events(way: str, size: str) -> None:
    stands(stack_by(way, SIZES[size]), SIZES[size], EVENTS, 60.0, 1e-10)
