"""What every shape kind says of its numbers, by its surface and its mass."""

import numpy as np
import pytest
from msgspec.structs import replace

from engine.analyses.machines.clearance import HULLS
from engine.elements.bodies.shapes import (
    SHAPES,
    Box,
    Capsule,
    Cylinder,
    Mesh,
    Outline,
    Rod,
    Shape,
    Sphere,
    shape_kind,
    touches,
)
from engine.elements.gaps.cores import core_of
from engine.model.mass import SOLIDS

EXAMPLES: dict[str, Shape] = {
    "box": Box(size=(0.1, 0.7, 0.2)),
    "capsule": Capsule(radius=0.05, length=0.4),
    "cylinder": Cylinder(radius=0.05, length=0.4),
    "mesh": Mesh(file="part.stl"),
    "outline": Outline(points=((0.0, 0.0), (0.3, 0.0), (0.0, 0.2)), thickness=0.1),
    "rod": Rod(start=(0.1, 0.0, 0.0), end=(0.4, 0.4, 0.0), radius=0.02),
    "sphere": Sphere(radius=0.1),
}


@pytest.mark.parametrize("name", SHAPES.names)
def test_a_kind_is_solid_where_its_mass_is_known(name: str) -> None:
    shape = EXAMPLES[name]
    assert shape_kind(shape) is SHAPES[name]
    assert SHAPES[name].solid == (type(shape) in SOLIDS)


@pytest.mark.parametrize("name", SHAPES.names)
def test_points_that_are_mapped_twice_by_a_mirror_are_as_before(name: str) -> None:
    shape, kind = EXAMPLES[name], SHAPES[name]

    def mirrored(point: tuple[float, ...]) -> tuple[float, ...]:
        return (-point[0], *point[1:])

    once = replace(shape, **kind.mapped(shape, mirrored))
    assert replace(once, **kind.mapped(once, mirrored)) == shape
    if kind.ends(shape) is not None:
        assert kind.ends(once) == tuple(map(mirrored, kind.ends(shape)))


@pytest.mark.parametrize("name", SHAPES.names)
def test_a_longer_shape_is_longer_along_its_long_side_only(name: str) -> None:
    """Mass and moment about that side grow in proportion to the length: the section stays."""
    shape, kind = EXAMPLES[name], SHAPES[name]
    side = kind.long_side(shape)
    if side is None:
        assert kind.lengthened(shape, shape, 0.1) == {}
        return
    longer = replace(shape, **kind.lengthened(shape, shape, 0.1))
    after = kind.long_side(longer)
    assert (after.axis, after.width) == (side.axis, side.width)
    assert after.length == pytest.approx(side.length + 0.1, abs=1e-15)
    before, now = (SOLIDS[type(one)](one, 1.0) for one in (shape, longer))
    prism = replace(shape, **kind.lengthened(shape, shape, 0.2))
    twice = SOLIDS[type(prism)](prism, 1.0)
    assert twice.mass - now.mass == pytest.approx(now.mass - before.mass)
    moments = [one.inertia[side.axis, side.axis] for one in (before, now, twice)]
    assert moments[2] - moments[1] == pytest.approx(moments[1] - moments[0])


@pytest.mark.parametrize("name", SHAPES.names)
def test_what_touches_is_as_wide_to_contact_as_to_clearance(name: str) -> None:
    """Polygons stand for circles in both: 16 corners within, 24 within; all else is exact."""
    shape = EXAMPLES[name]
    core, hull = core_of(shape, False, np.eye(3)), HULLS[type(shape)](shape)
    assert touches(shape) == (core is not None) == (hull is not None)
    if core is None or hull is None:
        return
    for direction in np.random.default_rng(3).normal(size=(50, 3)):
        along = direction / np.linalg.norm(direction)
        wide = [
            float((points @ along).max()) + radius
            for points, radius in ((core.points, core.radius), (hull.points, hull.radius))
        ]
        lost = 0.05 * (1.0 - np.cos(np.pi / 16)) if name == "cylinder" else 1e-15
        assert wide[0] == pytest.approx(wide[1], abs=lost)
