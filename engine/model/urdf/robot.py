"""Links and joints of a robot as the file gives them, checked to be a tree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.maths.rotations import X, Y, Z, about
from engine.model.urdf.xml_tree import Node, UrdfError

Array = NDArray[np.float64]
KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


@dataclass(frozen=True)
class Pose:
    """Where a frame is, seen from another one."""

    p: Array = field(default_factory=lambda: np.zeros(3))  # shape (3,) [m]
    R: Array = field(default_factory=lambda: np.eye(3))  # shape (3, 3)

    def then(self, inner: Pose) -> Pose:
        return Pose(self.p + self.R @ inner.p, self.R @ inner.R)


def pose_of(node: Node | None) -> Pose:
    """<origin xyz rpy>: turned about the fixed axes x, then y, then z."""
    origin = node.first("origin") if node is not None else None
    if origin is None:
        return Pose()
    r, p, y = origin.vector("rpy", (0.0, 0.0, 0.0))
    return Pose(np.array(origin.vector("xyz", (0.0, 0.0, 0.0))), about(Z, y) @ about(Y, p) @ about(X, r))


@dataclass(frozen=True)
class Inertial:
    mass: float
    com: Array  # shape (3,), in the frame of the link [m]
    inertia: Array  # shape (3, 3), about the centre of mass, in axes of the link [kg·m²]
    line: int


@dataclass(frozen=True)
class Link:
    name: str
    node: Node
    inertial: Inertial | None


@dataclass(frozen=True)
class RobotJoint:
    name: str
    kind: str
    parent: str
    child: str
    origin: Pose
    axis: Array  # in the frame of the joint, unit length
    node: Node


@dataclass(frozen=True)
class Robot:
    name: str
    node: Node
    links: dict[str, Link]
    joints: dict[str, RobotJoint]  # by the name of the child
    root: str

    def outward(self) -> Iterator[str]:
        """Links, each after the one that carries it."""
        waiting = [self.root]
        while waiting:
            name = waiting.pop(0)
            yield name
            waiting += [joint.child for joint in self.joints.values() if joint.parent == name]


def robot_of(root: Node) -> Robot:
    links: dict[str, Link] = {}
    for node in root.all("link"):
        name = node.need("name")
        if name in links:
            raise UrdfError(f"line {node.line}: there are two links {name!r}")
        links[name] = Link(name, node, _inertial(node))
    if not links:
        raise UrdfError(f"line {root.line}: the robot has no links")
    joints: dict[str, RobotJoint] = {}
    names: set[str] = set()
    for node in root.all("joint"):
        joint = _joint(node, links)
        if joint.name in names:
            raise UrdfError(f"line {node.line}: there are two joints {joint.name!r}")
        if joint.child in joints:
            other = joints[joint.child].name
            raise UrdfError(
                f"line {node.line}: link {joint.child!r} is carried by two joints, {other!r} and"
                f" {joint.name!r}; a robot is a tree: close the loop in the scene"
            )
        names.add(joint.name)
        joints[joint.child] = joint
    return Robot(root.attributes.get("name", "robot"), root, links, joints, _root(links, joints))


def _root(links: dict[str, Link], joints: dict[str, RobotJoint]) -> str:
    roots = [name for name in links if name not in joints]
    if len(roots) > 1:
        lines = ", ".join(f"{name!r} (line {links[name].node.line})" for name in roots)
        raise UrdfError(f"line {links[roots[1]].node.line}: links {lines} hang on no joint; only one may")
    reached: set[str] = set()
    name = roots[0] if roots else ""
    waiting = [name] if name else []
    while waiting:
        reached.add(waiting[-1])
        at = waiting.pop()
        waiting += [joint.child for joint in joints.values() if joint.parent == at]
    lost = [name for name in links if name not in reached]
    if lost:
        line = joints[lost[0]].node.line
        raise UrdfError(f"line {line}: the joints of links {', '.join(map(repr, lost))} go round in a circle")
    return name


def _joint(node: Node, links: dict[str, Link]) -> RobotJoint:
    name, kind = node.need("name"), node.need("type")
    if kind not in KINDS:
        raise UrdfError(
            f"line {node.line}: joint {name!r} has the unknown type {kind!r} (known: {', '.join(KINDS)})"
        )
    ends = []
    for word in ("parent", "child"):
        end = node.first(word)
        if end is None:
            raise UrdfError(f"line {node.line}: joint {name!r} has no <{word}>")
        link = end.need("link")
        if link not in links:
            known = ", ".join(links)
            raise UrdfError(f"line {end.line}: joint {name!r}: there is no link {link!r} (known: {known})")
        ends.append(link)
    axis = node.first("axis")
    direction = np.array(axis.vector("xyz", (1.0, 0.0, 0.0)) if axis is not None else (1.0, 0.0, 0.0))
    length = math.hypot(*direction)
    if not length < math.inf:
        line = axis.line if axis is not None else node.line
        raise UrdfError(f"line {line}: joint {name!r}: its axis is too long; give a direction as 0 0 1")
    if not length > 0.0 and kind not in ("fixed", "floating"):
        line = axis.line if axis is not None else node.line
        raise UrdfError(f"line {line}: joint {name!r}: its axis has no length; give a direction as 0 0 1")
    unit = direction / length if length > 0.0 else np.array([1.0, 0.0, 0.0])
    return RobotJoint(name, kind, ends[0], ends[1], pose_of(node), unit, node)


def _inertial(link: Node) -> Inertial | None:
    node = link.first("inertial")
    if node is None:
        return None
    mass = node.first("mass")
    weight = mass.number("value") if mass is not None else 0.0
    if weight < 0.0:
        raise UrdfError(f"line {node.line}: the mass of link {link.need('name')!r} is negative")
    if weight == 0.0:
        return None
    pose, given = pose_of(node), node.first("inertia")
    matrix = np.zeros((3, 3))
    for i, j, word in ((0, 0, "xx"), (1, 1, "yy"), (2, 2, "zz"), (0, 1, "xy"), (0, 2, "xz"), (1, 2, "yz")):
        if given is not None:
            matrix[i, j] = matrix[j, i] = given.number(f"i{word}", 0.0)
    return Inertial(weight, pose.p, pose.R @ matrix @ pose.R.T, (given or node).line)
