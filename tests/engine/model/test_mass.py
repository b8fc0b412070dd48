"""Mass properties against closed forms and against sampling."""

import numpy as np
import pytest

from engine import Scene, resolve
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Box, Capsule, Cylinder, Outline, Rod, Sphere
from engine.model.mass import MassProperties, mass_properties, rotation

RHO = 700.0


def of(*shapes, **fields) -> MassProperties:
    scene = Scene(bodies=(Body(name="b", shapes=shapes, **fields),))
    return mass_properties(resolve(scene).bodies[0])


def test_box_cylinder_and_sphere_have_their_textbook_values():
    box = of(Box(size=(1.0, 2.0, 3.0), density=RHO))
    m = RHO * 6.0
    assert box.mass == pytest.approx(m)
    np.testing.assert_allclose(box.inertia, np.diag([13.0, 10.0, 5.0]) * m / 12.0)
    bar = of(Cylinder(radius=0.3, length=2.0, density=RHO))
    m = RHO * np.pi * 0.09 * 2.0
    np.testing.assert_allclose(np.diag(bar.inertia), [m * (0.27 + 4.0) / 12] * 2 + [m * 0.09 / 2])
    ball = of(Sphere(radius=0.5, density=RHO))
    np.testing.assert_allclose(ball.inertia, 0.4 * RHO * 4 / 3 * np.pi * 0.5**5 * np.eye(3))


def test_a_capsule_without_length_is_a_ball_and_matches_sampling_with_one():
    ball, empty = of(Sphere(radius=0.5, density=RHO)), of(Capsule(radius=0.5, length=0.0, density=RHO))
    np.testing.assert_allclose(empty.inertia, ball.inertia)
    r, length = 0.4, 1.3
    axis = (np.arange(160) + 0.5) / 160 - 0.5
    x, y, z = np.meshgrid(2 * r * axis, 2 * r * axis, (length + 2 * r) * axis, indexing="ij")
    beyond = np.maximum(abs(z) - length / 2, 0.0)
    inside = x * x + y * y + beyond * beyond < r * r
    dm = RHO * (2 * r) ** 2 * (length + 2 * r) / 160**3
    capsule = of(Capsule(radius=r, length=length, density=RHO))
    assert capsule.mass == pytest.approx(inside.sum() * dm, rel=1e-3)
    assert capsule.inertia[0, 0] == pytest.approx(((y * y + z * z)[inside]).sum() * dm, rel=1e-3)
    assert capsule.inertia[2, 2] == pytest.approx(((x * x + y * y)[inside]).sum() * dm, rel=1e-3)


def test_a_rod_is_a_cylinder_between_its_ends():
    start, end = np.array([0.1, -0.4, 0.3]), np.array([0.7, 0.2, 1.1])
    rod = of(Rod(start=tuple(start), end=tuple(end), radius=0.05, density=RHO))
    bar = of(Cylinder(radius=0.05, length=float(np.linalg.norm(end - start)), density=RHO))
    np.testing.assert_allclose(rod.com, (start + end) / 2)
    np.testing.assert_allclose(np.linalg.eigvalsh(rod.inertia), np.linalg.eigvalsh(bar.inertia))
    u = (end - start) / np.linalg.norm(end - start)
    np.testing.assert_allclose(rod.inertia @ u, bar.inertia[2, 2] * u)


@pytest.mark.parametrize("turn", [1, -1])
def test_a_rectangular_outline_is_a_box_off_its_centre(turn):
    corners = ((0.2, 0.1), (1.2, 0.1), (1.2, 2.1), (0.2, 2.1))[::turn]
    plate, box = (
        of(Outline(points=corners, thickness=0.3, density=RHO)),
        of(Box(size=(1.0, 2.0, 0.3), density=RHO)),
    )
    assert plate.mass == pytest.approx(box.mass)
    np.testing.assert_allclose(plate.com, [0.7, 1.1, 0.0])
    np.testing.assert_allclose(plate.inertia, box.inertia, atol=1e-9)


def test_a_triangle_has_its_product_of_inertia():
    # right triangle with legs a, b: ∫xy dA about the centroid = -a²b²/72
    a, b = 0.9, 1.7
    plate = of(Outline(points=((0.0, 0.0), (a, 0.0), (0.0, b)), thickness=0.1, density=RHO))
    np.testing.assert_allclose(plate.com, [a / 3, b / 3, 0.0])
    assert plate.inertia[0, 1] == pytest.approx(RHO * 0.1 * a**2 * b**2 / 72)


def test_two_halves_are_one_whole_wherever_and_however_they_lie():
    q = (0.7, 0.2, -0.4, 0.5)
    R = rotation(q)
    whole = of(Box(size=(2.0, 0.4, 0.6), position=(0.3, -0.2, 0.5), orientation=q, density=RHO))
    places = [np.array([0.3, -0.2, 0.5]) + R @ [sign * 0.5, 0.0, 0.0] for sign in (1, -1)]
    halves = [
        Box(size=(1.0, 0.4, 0.6), position=tuple(map(float, p)), orientation=q, density=RHO) for p in places
    ]
    both = of(*halves)
    assert both.mass == pytest.approx(whole.mass)
    np.testing.assert_allclose(both.com, whole.com)
    np.testing.assert_allclose(both.inertia, whole.inertia, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)


def test_what_is_given_goes_before_what_is_computed():
    box = Box(size=(1.0, 2.0, 3.0), position=(1.0, 0.0, 0.0), density=RHO)
    shapes = of(box)
    given = of(box, mass=6.0)
    np.testing.assert_allclose(given.com, 0.0)  # a given mass sits at the origin unless com says otherwise
    np.testing.assert_allclose(given.inertia, shapes.inertia * 6.0 / shapes.mass)
    bare = of(Box(size=(1.0, 2.0, 3.0)), mass=6.0)
    np.testing.assert_allclose(bare.inertia, given.inertia)
    np.testing.assert_allclose(of(mass=6.0).inertia, 0.0)
    full = of(box, mass=1.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    np.testing.assert_allclose(full.com, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(full.inertia, [[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]])


def test_a_planar_body_keeps_its_centre_of_mass_in_the_plane():
    body = Body(
        name="b", shapes=(Box(size=(1.0, 2.0, 3.0), position=(1.0, 2.0, 5.0), angle=0.3, density=RHO),)
    )
    planar = mass_properties(body, "planar")
    np.testing.assert_allclose(planar.com, [1.0, 2.0, 0.0])
    assert planar.inertia[2, 2] == pytest.approx(planar.mass * 5.0 / 12.0)
