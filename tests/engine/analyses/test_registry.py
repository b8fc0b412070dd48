"""Every registered analysis answers, tells its progress and can be stopped."""

from contextlib import suppress

import pytest
from msgspec.structs import replace

from app.platform.resources import scene_paths
from engine import Scene, SceneError, load_scene, simulate
from engine.analyses import ANALYSES
from engine.analyses.answers.result import Mention, Result
from engine.analyses.base import Analysis, Question
from engine.analyses.kinematics.closure import CLOSURE
from engine.analyses.mobility.degrees_of_freedom import DEGREES_OF_FREEDOM
from engine.elements.fields import fields_of
from engine.progress import Cancelled


def scene(name: str):
    return load_scene(scene_paths()[name])


def ask(kind: Analysis, given, **more) -> Result:
    return kind.run(Question(given, kind.options(), simulate=simulate, **more))


@pytest.mark.parametrize("kind", list(ANALYSES), ids=lambda kind: kind.name)
def test_it_answers_and_tells_how_far_it_is(kind: Analysis) -> None:
    told: list[float] = []
    result = ask(kind, scene("four_bar"), progress=lambda share, words: told.append(share))
    assert result.summary.endswith(".")
    assert result.summary in result.text()
    assert told == sorted(told)
    assert all(0.0 <= share <= 1.0 for share in told)
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    assert all(field.title for field in fields_of(kind.options))


@pytest.mark.parametrize("kind", list(ANALYSES), ids=lambda kind: kind.name)
def test_it_can_be_stopped(kind: Analysis) -> None:
    with pytest.raises(Cancelled):
        ask(kind, scene("four_bar"), cancel=lambda: True)


def odd_scenes() -> dict[str, Scene]:
    """Nothing that holds, nothing that moves, nothing that weighs."""
    free = Scene(space="planar").with_body("b", mass=1.0, inertia=[1.0])
    welds = ({"a": {"body": "world"}, "b": {"body": "b"}} for _ in range(2))
    hinge = free.with_joint("revolute", "h", a={"body": "world"}, b={"body": "b", "point": [-1.0, 0.0]})
    return {
        "free": free,
        "free in space": Scene().with_body("b", mass=1.0, inertia=[1.0, 1.0, 1.0]),
        "weightless": replace(free, gravity=(0.0, 0.0)),
        "two": free.with_body("c", mass=1.0, inertia=[1.0], position=[1.0, 0.0]),
        "welded twice": free.with_joint("fixed", "f", **next(welds)).with_joint("fixed", "g", **next(welds)),
        "driven": hinge.with_motion("joint_motion", "m", joint="h", coordinate="angle", function="t"),
    }


@pytest.mark.parametrize("name", odd_scenes())
def test_it_answers_or_refuses_where_there_is_little_to_ask(name: str) -> None:
    given = odd_scenes()[name].with_simulation(duration=0.02)
    for kind in ANALYSES:
        with suppress(SceneError):
            assert ask(kind, given).summary.endswith((".", "?")), kind.name


def test_redundant_rows_are_named() -> None:
    """Bricard: six hinges, one row too many at every pose."""
    result = ask(DEGREES_OF_FREEDOM, scene("bricard"))
    ((row, others, when),) = result.tables[0].rows
    assert isinstance(row, Mention)
    assert row.where == "joints"
    assert isinstance(others, tuple)
    assert {other.name for other in others} >= {"P0", "P1"}
    assert when == "always"
    assert result.summary.startswith("1 degree of freedom, 1 redundant row,")


def test_what_moved_is_listed() -> None:
    given = scene("four_bar")
    coupler = given.body("coupler")
    import msgspec

    off = msgspec.structs.replace(coupler, angle=0.3, position=(0.05, 0.2, 0.0))
    bodies = tuple(off if body.name == "coupler" else body for body in given.bodies)
    moved = msgspec.structs.replace(given, bodies=bodies)
    result = ask(CLOSURE, moved)
    names = [row[0].name for row in result.tables[0].rows if isinstance(row[0], Mention)]
    assert "coupler" in names
    distances = [row[1] for row in result.tables[0].rows]
    assert distances == sorted(distances, reverse=True)
