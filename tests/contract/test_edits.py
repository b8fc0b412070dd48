"""What the window does to any element: every kind is inserted, copied, saved, mirrored, swapped and reversed.

Two scenes move alike when their accelerations agree at a general state; those come from Gauss' principle of
least constraint, so that redundant and reordered rows do not matter.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
import pytest

from app.document.document import Ref, refs_of
from app.edits import add_force, couple_joints, duplicate, insert_joint, swap_bodies
from app.edits.geometry.sign_reversal import with_reversed
from app.edits.geometry.transform import Placing, mirror_at, shift, turn
from app.edits.geometry.transformed import Mover
from engine.compiled.layout import Array
from engine.elements.base import Anchor
from engine.elements.fields import fields_of
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.errors import SceneError
from engine.model.files.scene_file import dumps, loads
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.simulation.simulation import simulate
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.contract.cases import CASES, NAME, Case, quick
from tests.contract.numerics import State, assembled, at_pose, evaluate, random_state, same

MOVING = ("bodies", "joints", "forces", "motions")
THROUGH = (0.3, -0.2, 0.1)
SUPPORTING = ("revolute", "prismatic")  # joints that a coupling or a force on a joint is inserted on

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def acceleration(ev: Evaluator, state: State) -> Array:
    """With M = L Lᵀ and B = J L⁻ᵀ:  Lᵀa = z0 + B⁺(γ − B z0),  z0 = L⁻¹Q."""
    evaluate(ev, state)
    L = np.linalg.cholesky(ev.mass_matrix())
    B, z0 = np.linalg.solve(L, ev.jacobian.T).T, np.linalg.solve(L, ev.forces())
    z = z0 + np.linalg.lstsq(B, ev.gamma - B @ z0, rcond=1e-10)[0]
    return np.asarray(np.linalg.solve(L.T, z))


def general(scene: Scene) -> tuple[Evaluator, State]:
    """A mechanism off its given pose, where coordinates of joints are not zero, on its constraints."""
    ev = quick(compile_scene(scene))
    return ev, assembled(ev, random_state(ev, 3, shift=0.2, turn=0.3))


# a scene at another place


def placed(scene: Scene, placing: Placing) -> Scene:
    """All that moves, and gravity, at another place under the same names."""
    mover = Mover(scene, placing, frozenset(refs_of(scene)))
    lists = {where: tuple(mover(item) for item in getattr(scene, where)) for where in MOVING}
    gravity = placing.vector(tuple(resolve(scene).gravity or ()))
    return msgspec.structs.replace(scene, gravity=gravity, **lists)


def velocities(ev: Evaluator, placing: Placing) -> Array:
    """How velocities change: those of centres in the world, angular ones in axes of their body."""
    det = round(float(np.linalg.det(placing.Q)))
    if ev.mechanism.planar:
        block = np.zeros((3, 3))
        block[:2, :2], block[2, 2] = placing.Q[:2, :2], det
    else:
        spin = -placing.Q if placing.mirrors else np.eye(3)  # only a mirror changes the axes of a body
        block = np.block([[placing.Q, np.zeros((3, 3))], [np.zeros((3, 3)), spin]])
    return np.kron(np.eye(len(ev.mechanism.bodies)), block)


def check_placed(scene: Scene, placing: Placing) -> Scene:
    """The scene at its new place, which moves as the placing says."""
    there = placed(scene, placing)
    assert validate(there) == []
    (ev, state), other = general(scene), quick(compile_scene(there))
    T = velocities(ev, placing)
    step = ev.difference(ev.mechanism.q, state.q)
    q = other.retract(other.mechanism.q, T @ step)
    image = State(state.t, q, T @ state.v, state.a, state.multipliers, np.zeros(len(other.system.tracked)))
    image = at_pose(other, image, q)
    evaluate(other, image)
    same("the constraints hold", np.zeros(len(other.phi)), other.phi, 1e-9)
    same("acceleration", T @ acceleration(ev, state), acceleration(other, image), 1e-7)
    return there


MIRRORED = [
    pytest.param(case, plane, id=f"{case.id}-{plane}")
    for case in CASES
    for plane in (("yz",) if case.space == "planar" else ("yz", "xy"))
]


@pytest.mark.parametrize(("case", "plane"), MIRRORED)
def test_the_mirror_image_moves_as_the_original_seen_in_the_mirror(case: Case, plane: str) -> None:
    """Seen in the mirror again, it moves as the original."""
    scene, placing = case.scene(gravity=True), mirror_at(plane, THROUGH)
    check_alike(scene, placed(check_placed(scene, placing), placing))


def holds_world_axes(case: Case) -> bool:
    """Whether it names a coordinate of the world, which has no name in turned axes."""
    fields = (case.example.planar if case.space == "planar" else case.example.spatial) or {}
    named = {*fields.get("coordinates", ()), fields.get("coordinate")}
    return case.example.absolute and bool(named & {"x", "y", "z"})


@every_case
def test_a_turned_scene_moves_as_the_original(case: Case) -> None:
    """Or is refused where that cannot be; shifted it can be."""
    scene = case.scene(gravity=True)
    axis = (0.0, 0.0, 1.0) if case.space == "planar" else (0.2, -0.5, 0.7)
    if holds_world_axes(case):
        with pytest.raises(SceneError, match="cannot be turned"):
            placed(scene, turn(axis, 0.7, THROUGH))
        check_placed(scene, shift(THROUGH))
    else:
        check_placed(scene, turn(axis, 0.7, THROUGH))


# sides changed for each other, coordinates that count the other way


def check_alike(scene: Scene, other: Scene) -> None:
    """Both move alike."""
    (ev, state), theirs = general(scene), quick(compile_scene(other))
    there = at_pose(
        theirs, State(state.t, state.q, state.v, state.a, state.multipliers, np.zeros(0)), state.q
    )
    evaluate(theirs, there)
    same("the constraints hold", np.zeros(len(theirs.phi)), theirs.phi, 1e-9)
    same("acceleration", acceleration(ev, state), acceleration(theirs, there), 1e-7)


def swapped(scene: Scene, names: Iterable[str]) -> Scene:
    refs = [
        Ref(where, item.name)
        for where in ("joints", "forces", "motions")
        for item in getattr(scene, where)
        if item.name in names
    ]
    after = swap_bodies(scene, refs).after
    assert validate(after) == []
    return after


SWAPPED = [case for case in CASES if case.anchored and not case.example.grounded]


@pytest.mark.parametrize("case", SWAPPED, ids=lambda case: case.id)
def test_bodies_swapped_twice_are_as_before(case: Case) -> None:
    """Once, where the sides are alike: it still moves as before."""
    scene = case.scene(gravity=True)
    once = swapped(scene, [NAME])
    if case.example.symmetric or case.example.absolute:
        check_alike(scene, once)
    check_alike(scene, swapped(once, [NAME]))


SUPPORTED = [case for case in CASES if case.example.support]


ALIKE = [case for case in SUPPORTED if not (case.example.grounded or case.example.at_anchor)]


@pytest.mark.parametrize("case", ALIKE, ids=lambda case: case.id)
def test_what_acts_on_a_joint_does_so_when_its_bodies_are_swapped(case: Case) -> None:
    """One joint at a time: coordinates of one may count the other way while those of another do not."""
    scene = case.scene(gravity=True)
    for i in range(len(case.example.support)):
        check_alike(scene, swapped(scene, [f"H{i}"]))


@pytest.mark.parametrize("case", SUPPORTED, ids=lambda case: case.id)
def test_reversed_twice_is_as_before(case: Case) -> None:
    scene = case.scene(gravity=True)
    joints, after = {joint.name for joint in scene.joints}, scene
    for _ in range(2):
        lists = {
            where: tuple(
                with_reversed(item, joints, ("angle", "displacement")) for item in getattr(after, where)
            )
            for where in ("joints", "forces", "motions")
        }
        after = msgspec.structs.replace(after, **lists)
    check_alike(scene, after)


# defaults, copies, files, runs


def rig(space: str) -> Scene:
    """Two bodies on the world, one that turns and one that slides, and a free one."""
    size = 2 if space == "planar" else 3
    scene = Scene(space=space)  # type: ignore[arg-type]
    inertia = [0.1] if space == "planar" else [0.1, 0.1, 0.1]
    for i, name in enumerate(("one", "two", "three")):
        at = [1.0 * i, 0.5 - 0.2 * i, 0.3][:size]
        ball = {"kind": "sphere", "radius": 0.1}
        scene = scene.with_body(name, position=at, mass=1.0, inertia=inertia, shapes=[ball])
    for kind, name in zip(SUPPORTING, ("one", "two"), strict=True):
        scene = insert_joint(scene, kind, Anchor(body="world"), Anchor(body=name)).after
    return scene


def inserted(sort: str, kind: Any, space: str) -> Scene:
    """A scene with an element as the tools make it: places are given, all numbers are the kind's own."""
    scene = rig(space)
    point = (0.2, 0.1) if space == "planar" else (0.2, 0.1, 0.4)
    ends = {"a": Anchor(body="world", point=point), "b": Anchor(body="three", point=point)}
    if sort == "joint" and kind.uses_anchors:
        return insert_joint(scene, kind.name, **ends).after
    if sort == "joint":
        able = [joint.name for joint in scene.joints]
        wanted = {info.extra.get("coordinate") for info in fields_of(kind.spec)}
        if "displacement" not in wanted:
            scene = insert_joint(scene, "revolute", Anchor(body="world"), Anchor(body="three")).after
            able = [joint.name for joint in scene.joints if joint.__struct_config__.tag == "revolute"]
        return couple_joints(scene, kind.name, tuple(able)).after
    if kind.name == "mesh_loss":  # acts on a coupling of joints, not on a joint
        scene = inserted("joint", JOINTS["gear"], space)
        return add_force(scene, kind.name, joint=scene.joints[-1].name).after
    places = {"joint": scene.joints[0].name, "body": "three", "point": point, **ends}
    names = kind.spec.__struct_fields__
    return add_force(scene, kind.name, **{name: places[name] for name in names if name in places}).after


KINDS = [
    pytest.param(sort, kind, space, id=f"{kind.name}-{space}")
    for sort, kinds in (("joint", JOINTS), ("force", FORCES))
    for kind in kinds
    for space in ("spatial", "planar")
    if space == "spatial" or getattr(kind, "planar_rows", True) is not None
]


@pytest.mark.parametrize(("sort", "kind", "space"), KINDS)
def test_an_element_with_the_defaults_of_its_kind_runs(sort: str, kind: Any, space: str) -> None:
    """And so does what is read back from its file, with a copy of everything in it."""
    scene = inserted(sort, kind, space)
    assert validate(scene) == []
    opened = loads(dumps(scene))
    assert opened == scene
    both = duplicate(opened, refs_of(opened)).after
    assert validate(both) == []
    assert len(both.joints) + len(both.forces) == 2 * (len(scene.joints) + len(scene.forces))
    run = simulate(both, dt=0.001, duration=0.005)
    assert run.status.name == "FINISHED"
    made = scene.joints[-1] if sort == "joint" else scene.forces[-1]
    channels = [name for name in run.names() if f".{made.name}." in name or f'"{made.name}"' in name]
    assert channels
    assert all(np.isfinite(run.channel(name)).all() for name in channels)
