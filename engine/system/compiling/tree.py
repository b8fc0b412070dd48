"""The tree of an open mechanism: which body hangs on which, and how each moves against the one before.

A joint is a product of constant placements and movements about z, T = C₀ m₁ C₁ … m_k C_k: from the body that
is nearer to the world to frame A, movement by movement, and from frame B to the body that it carries. Each
movement is a line of `System.tree`; frames between two movements of one joint carry no mass. Where the joint
is met from its other end the product is inverted: the movements come in the other order, with their
coordinates reversed. A body that nothing joins to the world moves freely, and the tree goes on from it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import tree as TREE
from engine.compiled.columns import tree_reals as TREE_REAL
from engine.compiled.columns import tree_sorts as TREE_SORT
from engine.compiled.layout import Array, Ints
from engine.elements.coordinates.frames import Frame
from engine.elements.coordinates.relative_motion import FREE, PLANAR_FREE, Movement, Movements
from engine.elements.joints import JOINTS
from engine.model.scene import Scene
from engine.system.compiling.collect import Builder

# z becomes the axis of a movement
TO_AXIS = {
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "z": np.eye(3),
}
QUARTER = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # about x
UPPER = np.triu_indices(3)


class Tree(NamedTuple):
    """Tables of the movements, or the reason why there are none."""

    ints: Ints
    reals: Array
    missing: str


class Placement(NamedTuple):
    """Axes and origin of a frame in another."""

    axes: Array
    point: Array

    def then(self, other: Placement) -> Placement:
        return Placement(self.axes @ other.axes, self.point + self.axes @ other.point)

    @property
    def inverse(self) -> Placement:
        return Placement(self.axes.T, -self.axes.T @ self.point)


@dataclass(frozen=True)
class Link:
    """A joint as it is met from one of its bodies: constants and movements in turn, and the body at its
    other end."""

    body: int
    constants: list[Placement]
    movements: list[Movement]


def no_tree(missing: str) -> Tree:
    return Tree(np.zeros((0, TREE.COLUMNS), np.int64), np.zeros((0, TREE_REAL.COLUMNS)), missing)


def tree_of(scene: Scene, build: Builder, bodies: Ints, body_reals: Array) -> Tree:
    """The tree of a scene."""
    missing = _refusal(scene, build)
    if missing:
        return no_tree(missing)
    world = len(bodies) - 1
    joints = defaultdict[int, list[Any]](list)
    for joint in scene.joints:
        for frame in build.joint_pair(joint):
            joints[frame.body].append(joint)
    lines = _Lines(bodies, body_reals, build)
    reached, used = {world}, set[str]()
    for body in (world, *range(world)):
        if body != world:
            if body in reached:
                continue
            lines.hang(world, _free(body, build.planar))
            reached.add(body)
        todo = [body]
        for near in todo:  # grows
            for joint in joints[near]:
                if joint.name in used:
                    continue
                used.add(joint.name)
                link = _link(build, joint, near)
                if link.body in reached:
                    return no_tree(f"joint {joint.name!r} closes a loop")
                lines.hang(near, link)
                reached.add(link.body)
                todo.append(link.body)
    return Tree(*lines.tables(), "")


def _refusal(scene: Scene, build: Builder) -> str:
    """What no tree can have, found without looking at it."""
    if scene.motions:
        return f"motion {scene.motions[0].name!r} prescribes a coordinate"
    for joint in scene.joints:
        kind = JOINTS[str(joint.__struct_config__.tag)]
        if kind.movements_in(scene.space) is None:
            return f"joint {joint.name!r} is of the kind {kind.name!r}"
    if build.conditional_rows:
        return "contacts, stops or friction hold and let go"
    moving = sum(not body.fixed for body in scene.bodies)
    if len(scene.joints) > moving:
        return f"it has {len(scene.joints)} joints for {moving} bodies that move, so there are closed loops"
    return ""


def _free(body: int, planar: bool) -> Link:
    movements = PLANAR_FREE if planar else FREE
    return Link(body, *_product(_at_rest(), movements, _at_rest()))


def _at_rest() -> Placement:
    return Placement(np.eye(3), np.zeros(3))


def _link(build: Builder, joint: Any, near: int) -> Link:
    """A joint, met from the body `near`."""
    a, b = build.joint_pair(joint)
    made = JOINTS[str(joint.__struct_config__.tag)].movements_in(build.scene.space)
    assert made is not None
    movements = made(joint)
    turns = any(movement.sort == "turn" for movement in movements)
    axes = b.axes if turns or not build.planar else _parallel(a, b)
    last = Placement(axes, b.point).inverse
    constants, turned = _product(Placement(a.axes, a.point), movements, last)
    if a.body == near:
        return Link(b.body, constants, turned)
    # a ball or a turn by −z about z is again one by z, whose direction nobody asks for
    return Link(a.body, [constant.inverse for constant in reversed(constants)], turned[::-1])


def _parallel(a: Frame, b: Frame) -> Array:
    """In the plane rows hold whatever angle is given: axes of frame B parallel to those of A then."""
    return a.axes_W if b.place.fixed else b.place.R_WB.T @ a.axes_W


def _product(
    first: Placement, movements: Movements, last: Placement
) -> tuple[list[Placement], list[Movement]]:
    """Constants around the movements, which are all about or along z then; two where there is none."""
    if not movements:
        return [first, last], []
    constants, before = list[Placement](), first.axes
    point = first.point
    for movement in movements:
        axes = TO_AXIS[movement.axis]
        before = before @ QUARTER @ axes if movement.tilted else before @ axes
        constants.append(Placement(before, point))
        before, point = axes.T, np.zeros(3)
    constants.append(Placement(before @ last.axes, point + before @ last.point))
    return constants, list(movements)


class _Lines:
    """Lines of the table, as joints are hung on each other."""

    def __init__(self, bodies: Ints, body_reals: Array, build: Builder) -> None:
        self._bodies, self._body_reals, self._build = bodies, body_reals, build
        self._world = len(bodies) - 1
        self._ints: list[Ints] = []
        self._reals: list[Array] = []
        # of each body, and of the world: its line, and its placement in that frame
        self._lines = {self._world: -1}
        self._placed = {self._world: _at_rest()}

    def hang(self, near: int, link: Link) -> None:
        *before, last = link.constants
        parent, constant = self._lines[near], self._placed[near]
        q, v = (int(self._bodies[link.body, column]) for column in (BODY.Q, BODY.V))
        marks = self._marks(link)
        joint_point, angle = last.inverse.point, self._angle(near, link)
        for k, place in enumerate(before):
            constant = constant.then(place)
            movement = link.movements[k] if link.movements else None
            ends = k == len(before) - 1
            ints, reals = np.zeros(TREE.COLUMNS, np.int64), np.zeros(TREE_REAL.COLUMNS)
            ints[TREE.PARENT], ints[TREE.BODY], ints[TREE.END] = parent, link.body if ends else -1, link.body
            ints[TREE.Q], ints[TREE.V] = q, v
            ints[TREE.STRAIGHT] = np.array_equal(constant.axes, np.eye(3))
            reals[TREE_REAL.AXES : TREE_REAL.AXES + 9] = constant.axes.ravel()
            reals[TREE_REAL.POINT : TREE_REAL.POINT + 3] = constant.point
            reals[TREE_REAL.JOINT_POINT : TREE_REAL.JOINT_POINT + 3] = joint_point
            if movement is None:
                ints[TREE.SORT] = TREE_SORT.HELD
            elif movement.sort == "ball":
                ints[TREE.SORT] = TREE_SORT.BALL
                q, v = q + 4, v + 3
            else:
                ints[TREE.SORT] = TREE_SORT.ALONG_AXIS
                reals[TREE_REAL.TURN] = movement.sort == "turn"
                ints[TREE.THREADED] = movement.advance is not None
                reals[TREE_REAL.ADVANCE] = 1.0 if movement.sort == "slide" else movement.advance or 0.0
                mark, marked = marks[k]
                reals[TREE_REAL.MARK : TREE_REAL.MARK + 3] = mark
                reals[TREE_REAL.MARKED : TREE_REAL.MARKED + 3] = marked
                q, v = q + 1, v + 1
            if ends:
                self._load(ints, reals, link.body, last)
                reals[TREE_REAL.ANGLE] = angle
            self._ints.append(ints)
            self._reals.append(reals)
            parent, constant = len(self._ints) - 1, _at_rest()
        self._lines[link.body], self._placed[link.body] = parent, last

    def _marks(self, link: Link) -> list[tuple[Array, Array]]:
        """Per movement: a direction across its axis that later movements leave alone, and where it is on the
        body: the axis of the next turn, or x."""
        found, rest = list[tuple[Array, Array]](), link.constants[-1].axes
        later: Array | None = None  # axis of the turn behind, in the frame of this movement
        for k in range(len(link.movements) - 1, -1, -1):
            mark = np.array([1.0, 0.0, 0.0]) if later is None else later
            found.append((mark, rest.T @ mark))
            axes = link.constants[k].axes
            if link.movements[k].sort == "turn":
                later = axes[:, 2]
            elif later is not None:
                later = axes @ later
            rest = axes @ rest
        return found[::-1]

    def _load(self, ints: Ints, reals: Array, body: int, placed: Placement) -> None:
        """The body that a movement carries: its mass, and its inertia about the origin of the frame."""
        own, c = self._body_reals[body], placed.point
        mass = own[BODY_REAL.MASS]
        inertia = own[BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(3, 3)
        about_origin = placed.axes @ inertia @ placed.axes.T + mass * ((c @ c) * np.eye(3) - np.outer(c, c))
        ints[TREE.ALIGNED] = np.array_equal(placed.axes, np.eye(3))
        reals[TREE_REAL.MASS] = mass
        reals[TREE_REAL.CENTRE : TREE_REAL.CENTRE + 3] = c
        reals[TREE_REAL.BODY_AXES : TREE_REAL.BODY_AXES + 9] = placed.axes.ravel()
        reals[TREE_REAL.INERTIA : TREE_REAL.INERTIA + 6] = about_origin[UPPER]

    def _angle(self, near: int, link: Link) -> float:
        """In the plane: by which the body at the end is turned against the one before when all movements are
        at zero; with its whole turns where none of them is a turn."""
        if self._build.planar and not any(movement.sort == "turn" for movement in link.movements):
            return self._build.planar_angle(link.body) - self._build.planar_angle(near)
        axes = reduce(np.matmul, (constant.axes for constant in link.constants))
        return float(np.arctan2(axes[1, 0], axes[0, 0]))

    def tables(self) -> tuple[Ints, Array]:
        ints = np.array(self._ints, np.int64).reshape(-1, TREE.COLUMNS)
        ints[ints[:, TREE.PARENT] < 0, TREE.PARENT] = len(ints)
        return ints, np.array(self._reals).reshape(-1, TREE_REAL.COLUMNS)
