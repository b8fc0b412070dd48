"""A robot becomes a scene: links at the zero of all joints, body frames where the link frames are.

Links without mass that are welded to another one become named points of it. The root stays where it is unless
it shall be free. Damping, friction, mimic and, on request, limits become elements; all else is listed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from engine.elements.base import WORLD
from engine.elements.joints.base import Start
from engine.model.names import clean_name
from engine.model.scene import Scene
from engine.model.urdf.robot import Array, Link, Pose, Robot, RobotJoint, robot_of
from engine.model.urdf.visuals import Look, placed
from engine.model.urdf.xml_tree import Node, UrdfError, parse

COORDINATE = {"revolute": "angle", "continuous": "angle", "prismatic": "displacement"}
KIND = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "planar": "planar"}
UNITS = {"angle": ("rad", "N·m"), "displacement": ("m", "N")}
IGNORED = {
    "transmission": "transmissions drive nothing here; add a motor or a motion",
    "gazebo": "settings of Gazebo are left out",
    "ros2_control": "controllers are left out",
    "sensor": "sensors are left out",
}


@dataclass(frozen=True)
class Imported:
    """The scene, and what of the file is not in it: (line, text)."""

    scene: Scene
    notes: tuple[tuple[int, str], ...]

    def lines(self) -> list[str]:
        return [f"line {line}: {text}" for line, text in self.notes]


def load_urdf(
    path: str | os.PathLike[str], *, free_base: bool = False, stop_stiffness: float | None = None
) -> Imported:
    """A robot from a file; raises UrdfError that names the file and the line, or OSError."""
    file = Path(path)
    try:
        return read_urdf(
            file.read_bytes(), folder=file.parent, free_base=free_base, stop_stiffness=stop_stiffness
        )
    except UrdfError as error:
        raise UrdfError(f"{file.name}, {error}") from None


def read_urdf(
    text: str | bytes,
    *,
    folder: Path | None = None,
    free_base: bool = False,
    stop_stiffness: float | None = None,
) -> Imported:
    """A robot from text. `folder` is where its mesh files are looked for; stops get the stiffness, if any."""
    return _Maker(robot_of(parse(text)), folder, free_base, stop_stiffness).make()


@dataclass
class _Carried:
    """Where a link ends up: in a body, or in the world."""

    body: str
    pose: Pose  # of the link in the body
    fixed: bool = False  # the body does not move


@dataclass
class _Made:
    """A body that is being made."""

    name: str
    world: Pose
    fixed: bool
    link: Link
    shapes: list[dict[str, Any]] = field(default_factory=list)
    points: list[dict[str, Any]] = field(default_factory=list)


class _Maker:
    def __init__(self, robot: Robot, folder: Path | None, free_base: bool, stiffness: float | None) -> None:
        self._robot, self._free, self._stiffness = robot, free_base, stiffness
        self._notes: list[tuple[int, str]] = []
        self._look = Look(robot, folder, self._note)
        self._bodies: dict[str, _Made] = {}
        self._carried: dict[str, _Carried] = {}
        self._joints: dict[str, str] = {}  # name in the file → name in the scene
        self._used: set[str] = set()

    def _note(self, line: int, text: str) -> None:
        self._notes.append((line, text))

    def make(self) -> Imported:
        robot = self._robot
        for name in robot.outward():
            self._carry(robot.links[name])
        scene = Scene(title=clean_name(robot.name, otherwise="robot"))
        for made in self._bodies.values():
            scene = self._with_body(scene, made)
        couplers = []
        for joint in robot.joints.values():
            scene = self._with_joint(scene, joint)
            if joint.node.first("mimic") is not None and joint.name in self._joints:
                couplers.append(joint)
        for joint in couplers:  # the joint that is followed may stand further down
            scene = self._with_mimic(scene, joint)
        for child in robot.node.children:
            if child.tag in IGNORED:
                self._note(child.line, f"<{child.tag}>: {IGNORED[child.tag]}")
            elif child.tag not in ("link", "joint", "material"):
                self._note(child.line, f"<{child.tag}> is not known")
        return Imported(scene, tuple(sorted(self._notes)))

    # links

    def _carry(self, link: Link) -> None:
        robot, joint = self._robot, self._robot.joints.get(link.name)
        welded = joint is not None and joint.kind == "fixed"
        below = self._carried[joint.parent] if joint is not None else None
        if joint is None and link.name == WORLD and link.inertial is None:
            self._carried[link.name] = _Carried(WORLD, Pose(), fixed=True)
            if link.node.first("visual") is not None:
                self._note(link.node.line, "what link 'world' looks like is left out")
            return
        pose = below.pose.then(joint.origin) if below is not None and joint is not None else Pose()
        if welded and below is not None and link.inertial is None and below.body != WORLD:
            self._carried[link.name] = _Carried(below.body, pose, below.fixed)
            made = self._bodies[below.body]
            taken = [point["name"] for point in made.points]
            point = clean_name(link.name, taken, "point")
            made.points.append({"name": point, "position": [float(x) for x in pose.p]})
            made.shapes += self._look.shapes(link.node, pose)
            self._tell_collision(link)
            return
        base = self._bodies[below.body].world if below is not None and below.body in self._bodies else Pose()
        fixed = (joint is None and not self._free) or (welded and below is not None and below.fixed)
        name = clean_name(link.name, self._bodies, "link")
        if name != link.name:
            self._note(link.node.line, f"link {link.name!r} is called {name!r}")
        if joint is None and fixed:
            self._note(link.node.line, f"the root link {link.name!r} is fixed to the ground")
        self._bodies[name] = _Made(name, base.then(pose), fixed, link, self._look.shapes(link.node, Pose()))
        self._carried[link.name] = _Carried(name, Pose(), fixed)
        self._tell_collision(link)
        if link.inertial is None and not fixed and robot.links:
            self._note(link.node.line, f"link {link.name!r} has no mass; give it one before it is simulated")

    def _tell_collision(self, link: Link) -> None:
        for node in link.node.children:
            if node.tag == "collision":
                self._note(node.line, f"link {link.name!r}: shapes for collision are left out")
            elif node.tag not in ("inertial", "visual"):
                self._note(node.line, f"link {link.name!r}: <{node.tag}> is left out")

    def _with_body(self, scene: Scene, made: _Made) -> Scene:
        fields: dict[str, Any] = {**placed(made.world), "shapes": made.shapes, "points": made.points}
        inertial = made.link.inertial
        if made.fixed:
            fields["fixed"] = True
        if inertial is not None:
            self._check_inertia(made.link)
            xx, yy, zz = np.diag(inertial.inertia)
            off = (inertial.inertia[0, 1], inertial.inertia[0, 2], inertial.inertia[1, 2])
            fields["mass"] = inertial.mass
            fields["com"] = [float(x) for x in inertial.com]
            fields["inertia"] = [float(x) for x in (xx, yy, zz, *(off if any(off) else ()))]
        elif not made.fixed:
            fields["mass"], fields["inertia"] = 0.0, [0.0, 0.0, 0.0]
        return scene.with_body(made.name, **fields)

    def _check_inertia(self, link: Link) -> None:
        assert link.inertial is not None
        low, middle, high = np.linalg.eigvalsh(link.inertial.inertia)
        if low < 0.0 or low + middle < high * (1.0 - 1e-6):
            text = f"link {link.name!r}: no body can have this inertia (principal values"
            self._note(link.inertial.line, f"{text} {low:.3g}, {middle:.3g}, {high:.3g}); mend it")

    # joints

    def _with_joint(self, scene: Scene, joint: RobotJoint) -> Scene:
        below, above = self._carried[joint.parent], self._carried[joint.child]
        if below.body == above.body or (joint.kind == "fixed" and above.fixed and below.fixed):
            return scene
        if joint.kind == "floating":
            self._note(joint.node.line, f"joint {joint.name!r} floats: link {joint.child!r} moves freely")
            return scene
        name = clean_name(joint.name, self._used, "joint")
        if name != joint.name:
            self._note(joint.node.line, f"joint {joint.name!r} is called {name!r}")
        self._used.add(name)
        self._joints[joint.name] = name
        place = below.pose.then(joint.origin)
        anchor: dict[str, Any] = {"body": below.body, "point": _plain(place.p)}
        if joint.kind != "fixed":
            anchor["axis"] = _plain(place.R @ joint.axis)
        scene = scene.with_joint(
            KIND.get(joint.kind, "fixed"),
            name,
            a=anchor,
            b={"body": above.body, "point": _plain(above.pose.p)},
            notes=_notes(joint),
        )
        return self._with_laws(scene, joint, name)

    def _with_laws(self, scene: Scene, joint: RobotJoint, name: str) -> Scene:
        """Damping, friction and stops; what is left of them is told."""
        for node in joint.node.children:
            if node.tag == "dynamics":
                scene = self._with_damping(scene, joint, name, node)
            elif node.tag == "limit":
                scene = self._with_limit(scene, joint, name, node)
            elif node.tag in ("calibration", "safety_controller"):
                self._note(node.line, f"joint {joint.name!r}: <{node.tag}> is left out")
            elif node.tag not in ("origin", "parent", "child", "axis", "mimic"):
                self._note(node.line, f"joint {joint.name!r}: <{node.tag}> is not known")
        return scene

    def _with_damping(self, scene: Scene, joint: RobotJoint, name: str, node: Node) -> Scene:
        damping, friction = node.number("damping", 0.0), node.number("friction", 0.0)
        coordinate = COORDINATE.get(joint.kind)
        if friction and (coordinate is None or friction < 0.0):
            self._note(node.line, f"joint {joint.name!r}: friction {friction:g} is left out")
        elif friction:
            label = self._law_name(scene, f"friction of {name}")
            scene = scene.with_force("friction", label, joint=name, coordinate=coordinate, kinetic=friction)
        if not damping:
            return scene
        if coordinate is None or damping < 0.0:
            self._note(node.line, f"joint {joint.name!r}: damping {damping:g} is left out")
            return scene
        label = self._law_name(scene, f"damping of {name}")
        if coordinate == "angle":
            return scene.with_force("rotational_spring", label, joint=name, damping=damping)
        effort = f"-{damping!r}*v"
        return scene.with_force("motor", label, joint=name, coordinate=coordinate, effort=effort)

    def _with_limit(self, scene: Scene, joint: RobotJoint, name: str, node: Node) -> Scene:
        coordinate = COORDINATE.get(joint.kind)
        if coordinate is None or joint.kind == "continuous":
            return scene
        low, high = node.number("lower", 0.0), node.number("upper", 0.0)
        unit, _ = UNITS[coordinate]
        if self._stiffness is None or not low < high:
            text = f"joint {joint.name!r}: its limits {low:g} … {high:g} {unit} do not stop it"
            self._note(node.line, f"{text}; they stand in its notes")
            return scene
        label = self._law_name(scene, f"stops of {name}")
        ignored = [word for word in ("velocity", "effort") if word in node.attributes]
        if ignored:
            text = f"joint {joint.name!r}: its largest {' and '.join(ignored)} are not held"
            self._note(node.line, f"{text}; they stand in its notes")
        limits = {"lower": low, "upper": high, "stiffness": float(self._stiffness)}
        return scene.with_force("stop", label, joint=name, coordinate=coordinate, **limits)

    def _law_name(self, scene: Scene, wanted: str) -> str:
        return clean_name(wanted, [force.name for force in scene.forces])

    def _with_mimic(self, scene: Scene, joint: RobotJoint) -> Scene:
        node = joint.node.first("mimic")
        assert node is not None
        other = node.need("joint")
        leader = next((item for item in self._robot.joints.values() if item.name == other), None)
        if leader is None:
            raise UrdfError(f"line {node.line}: joint {joint.name!r} mimics {other!r}, which is not there")
        mine, theirs = COORDINATE.get(joint.kind), COORDINATE.get(leader.kind)
        if mine is None or theirs is None or other not in self._joints:
            self._note(node.line, f"joint {joint.name!r}: it cannot mimic {other!r}, which has no coordinate")
            return scene
        # q = multiplier·q_other + offset
        terms = [
            {"joint": self._joints[joint.name], "coordinate": mine, "factor": 1.0},
            {
                "joint": self._joints[other],
                "coordinate": theirs,
                "factor": -node.number("multiplier", 1.0),
            },
        ]
        name = clean_name(f"mimic of {self._joints[joint.name]}", self._used)
        self._used.add(name)
        scene = scene.with_joint("coupler", name, terms=terms, value=node.number("offset", 0.0))
        value = self._at_zero(joint)
        if not value:
            return scene
        # else assembly would move both, each a little
        mimicking = scene.joint(self._joints[joint.name])
        return scene.replace(msgspec.structs.replace(mimicking, start={mine: Start(value=value)}))

    def _at_zero(self, joint: RobotJoint, seen: tuple[str, ...] = ()) -> float:
        """Where a joint is when those that mimic no other are at zero; rings are the assembly's to refuse."""
        node = joint.node.first("mimic")
        if node is None or joint.name in seen:
            return 0.0
        leader = next((item for item in self._robot.joints.values() if item.name == node.need("joint")), None)
        led = 0.0 if leader is None else self._at_zero(leader, (*seen, joint.name))
        return node.number("multiplier", 1.0) * led + node.number("offset", 0.0)


def _notes(joint: RobotJoint) -> str:
    """Limits as words, so that they are not lost."""
    node = joint.node.first("limit")
    if node is None:
        return ""
    unit, effort = UNITS.get(COORDINATE.get(joint.kind, ""), ("", ""))
    words = {"lower": unit, "upper": unit, "effort": effort, "velocity": f"{unit}/s"}
    found = [f"{word} {node.number(word):g} {words[word]}" for word in words if word in node.attributes]
    return f"Limits: {', '.join(found)}" if found else ""


def _plain(vector: Array) -> list[float]:
    return [float(x) + 0.0 for x in vector]
