"""Rods and springs need two ends."""

import pytest

from engine import Scene, SceneError, simulate, validate

RODS = ("distance", "revolute_revolute", "revolute_spherical")


def with_rod(kind, space="spatial", **b):
    origin = [0, 0] if space == "planar" else [0, 0, 0]
    place = [1, 2] if space == "planar" else [1, 2, 3]
    turned = {"angle": 0.4} if space == "planar" else {"orientation": {"axis": [0, 0, 1], "angle": 0.4}}
    return (
        Scene(space=space)
        .with_body("bob", mass=1, inertia=[1] if space == "planar" else [1, 1, 1], position=place, **turned)
        .with_joint(kind, "rod", a={"body": "world", "point": place}, b={"body": "bob", **b})
    ), origin


@pytest.mark.parametrize("kind", RODS)
@pytest.mark.parametrize("space", ["spatial", "planar"])
def test_a_rod_of_no_length_is_refused(kind, space):
    scene, origin = with_rod(kind, space)
    for case in (scene, with_rod(kind, space, point=origin)[0]):
        (problem,) = validate(case)
        assert problem.path == 'joints[0] "rod".b.point'
        assert "no length" in problem.message
        assert "length" in problem.remedy
        with pytest.raises(SceneError, match="no length"):
            simulate(case, duration=0.0)


def test_rods_with_two_ends_or_a_length_are_sound():
    assert validate(with_rod("distance", point=[0.1, 0, 0])[0]) == []
    scene, _ = with_rod("distance")
    joint = scene.joint("rod")
    given = Scene(space=scene.space, bodies=scene.bodies).with_joint(
        "distance", "rod", a=joint.a, b={"body": "bob", "point": [0, 0, 0]}, length=2.0
    )
    assert validate(given) == []


def test_named_points_and_expressions_are_followed():
    scene = (
        Scene(space="planar")
        .with_parameter("L", 0.5)
        .with_body("one", mass=1, inertia=[1], points=[{"name": "P", "position": ["L", 0]}])
        .with_body(
            "two", mass=1, inertia=[1], position=["2*L", 0], points=[{"name": "Q", "position": ["-L", 0]}]
        )
    )
    ends = {"a": {"body": "one", "point": "P"}, "b": {"body": "two", "point": "Q"}}
    assert [p.path for p in validate(scene.with_joint("distance", "d", **ends))] == ['joints[0] "d".b.point']
    spring = scene.with_force("spring", "s", **ends, stiffness=1)
    assert [p.message for p in validate(spring)] == [
        "the spring begins and ends at one point, so that it has no direction"
    ]
    # an unknown point is the only thing that is told
    (problem,) = validate(scene.with_joint("distance", "d", a=ends["a"], b={"body": "two", "point": "R"}))
    assert "R" in problem.message


def test_a_scene_built_by_calls_is_checked_before_it_runs():
    scene = (
        Scene()
        .with_body("bob", mass=-1.0)
        .with_joint("revolute", "J", a={"body": "world"}, b={"body": "bub"})
        .with_trace("path", body="bob", point="P")
    )
    with pytest.raises(SceneError) as caught:
        simulate(scene)
    text = str(caught.value)
    assert "3 problems" in text
    for words in ("mass must be", "bub", "'P'"):
        assert words in text
