"""Mass properties: where they come from, the switch between both, what is not physical, and the ellipsoid."""

import numpy as np
import pytest

from app.document.document import Ref
from app.document.mass_summary import mass_facts
from app.edits import compute_mass, give_mass
from app.viewport.visuals.bodies.ellipsoid import half_axes
from engine import Scene, SceneError, resolve, validate
from engine.model.mass import mass_properties

BODY = Ref("bodies", "lump")


def lump(**fields) -> Scene:
    return Scene().with_body("lump", **fields)


def test_given_and_computed_are_told_apart_and_switched():
    a, b, c, density = 0.3, 0.2, 0.1, 500.0
    scene = lump(shapes=[{"kind": "box", "size": [a, b, c], "position": [0.1, 0.0, 0.0], "density": density}])
    facts = mass_facts(scene, BODY)
    assert facts.source == {"mass": "from the shapes", "com": "from the shapes", "inertia": "from the shapes"}
    m = density * a * b * c
    assert facts.properties.mass == pytest.approx(m)
    assert sorted(facts.moments) == pytest.approx(
        sorted([m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12])
    )
    given = give_mass(scene, [BODY]).after
    assert given.body("lump").mass == pytest.approx(m)
    assert given.body("lump").com == pytest.approx((0.1, 0.0, 0.0))
    assert len(given.body("lump").inertia) == 3
    assert mass_facts(given, BODY).given
    assert validate(given) == []
    back = compute_mass(given, [BODY]).after
    assert back == scene


def test_computing_without_densities_keeps_the_mass():
    scene = lump(mass=2.5, inertia=[1.0, 1.0, 1.0], shapes=[{"kind": "sphere", "radius": 0.2}])
    after = compute_mass(scene, [BODY]).after
    got = mass_properties(resolve(after).body("lump"))
    assert got.mass == pytest.approx(2.5)
    assert got.inertia[0, 0] == pytest.approx(0.4 * 2.5 * 0.04)
    with pytest.raises(SceneError, match="no shape"):
        compute_mass(lump(mass=1.0), [BODY])
    with pytest.raises(SceneError, match="no body"):
        give_mass(scene, [Ref("joints", "J")])


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"mass": 1.0, "inertia": [1.0, 1.0, 3.0]}, "triangle"),
        ({"mass": 1.0, "inertia": [1.0, 1.0, 1.0, 2.0, 0.0, 0.0]}, "not positive"),
        ({"mass": 0.0, "inertia": [0.0, 0.0, 0.0]}, "no mass"),
        ({"mass": 1.0}, "no inertia"),
        ({"mass": 1.0, "inertia": [1.0, 1.0, 1.0]}, ""),
    ],
)
def test_what_no_real_body_has_is_said_with_its_name(fields, word):
    warnings = mass_facts(lump(**fields), BODY).warnings
    assert len(warnings) == bool(word)
    assert all("lump" in text and word in text for text in warnings)


def test_the_half_axes_are_those_of_a_solid_ellipsoid():
    """A solid ellipsoid with half axes a, b, c has I = m/5 (b² + c², a² + c², a² + b²)."""
    m, axes = 3.0, np.array([0.5, 0.3, 0.2])
    squares = axes**2
    inertia = m / 5.0 * (squares.sum() - squares)
    sizes, directions, good = half_axes(resolve(lump(mass=m, inertia=list(inertia))).body("lump"), "spatial")
    assert good
    assert sorted(sizes) == pytest.approx(sorted(axes))
    longest = directions[:, int(np.argmax(sizes))]
    assert np.abs(longest) == pytest.approx([1.0, 0.0, 0.0])
    # a disc of radius r has I = m r²/2
    flat = Scene(space="planar").with_body("lump", mass=2.0, inertia=[0.5 * 2.0 * 0.09])
    assert half_axes(resolve(flat).body("lump"), "planar")[0][:2] == pytest.approx([0.3, 0.3])
    bad = resolve(lump(mass=1.0, inertia=[1.0, 1.0, 3.0])).body("lump")
    assert not half_axes(bad, "spatial")[2]
    assert half_axes(resolve(lump(mass=1.0)).body("lump"), "spatial") is None


def test_the_ellipsoid_is_drawn_on_demand_and_follows_the_mass():
    from dataclasses import replace

    from app.viewport.scene.scene_view import SceneView

    scene = lump(mass=1.0, inertia=[0.0025, 0.0025, 0.0025], shapes=[{"kind": "sphere", "radius": 0.05}])
    view = SceneView((200, 160))
    try:
        view.set_scene(scene)

        def violet() -> int:
            picture = view.render()[..., :3].astype(int)
            return int(
                np.sum((picture[..., 0] > picture[..., 1] + 15) & (picture[..., 2] > picture[..., 1] + 15))
            )

        assert violet() == 0
        view.set_style(replace(view.style, ellipsoids=True))
        many = violet()
        assert many > 50
        smaller = lump(
            mass=1.0, inertia=[0.0004, 0.0004, 0.0004], shapes=[{"kind": "sphere", "radius": 0.05}]
        )
        view.change_scene(smaller)
        assert violet() == 0  # √(5/2 · 0.0004) = 0.032 m: inside the ball
    finally:
        view.close()
