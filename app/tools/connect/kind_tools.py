"""A tool for every kind of joint, force, motion and measure that the engine knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from app.edits.building.connect import (
    add_force,
    add_motion,
    add_motor,
    add_trace,
    coordinate_of,
    couple_joints,
    insert_joint,
    measure_between,
)
from app.tools.base import Tool
from app.tools.connect.contact_tool import ContactTool
from app.tools.connect.joint_tool import JointTool
from app.tools.connect.pick_tools import (
    JointPickTool,
    JointsPickTool,
    PickTool,
    PointPickTool,
    Spot,
    TwoPointTool,
)
from app.tools.draw.typed_numbers import Typed
from app.tools.snap_targets import local
from app.tools.snapping import Snapped
from engine.elements.base import WORLD, Anchor, Directions
from engine.elements.drivers import MOTIONS
from engine.elements.drivers.base import MotionKind
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointKind
from engine.elements.measures import MEASURES
from engine.elements.measures.base import MeasureKind


class MotorTool(JointPickTool):
    """A motion on the joint that is clicked."""

    id = "motor"
    kind = "joint_motion"  # whose tool it is: it has a place and a key of its own
    words = "Motor: click the joint that it drives. It turns at 2 rad/s; the inspector changes that."
    make = staticmethod(add_motor)


class TraceTool(PointPickTool):
    """The path of the point that is clicked."""

    id = "trace"
    words = "Trace: click the point of a body whose path is drawn."
    make = staticmethod(add_trace)


class FrameForceTool(PickTool):
    """A force between two frames that coincide, where two bodies lie over each other."""

    kind: ClassVar[str]

    def instruct(self) -> str:
        title = FORCES[self.kind].title
        return f"{title}: click where two bodies lie over each other; one alone is held by the ground."

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        bodies = self.bodies_at(place)
        if not bodies:
            raise ValueError("there is no body here: click on one")
        sides = {
            side: Anchor(body=body, point=local(self.viewport.view, body, place.point))
            for side, body in (("a", bodies[1] if len(bodies) > 1 else WORLD), ("b", bodies[0]))
        }
        self.insert(add_force(self.session.document.scene, self.kind, **sides))


def _between(scene: Any, a: Spot, b: Spot) -> dict[str, Anchor]:
    return {"a": Anchor(body=a.body, point=a.point), "b": Anchor(body=b.body, point=b.point)}


def joint_tool(kind: JointKind) -> type[Tool]:
    """The tool that makes joints of a kind."""
    name = kind.name
    if not kind.uses_anchors:
        base: type[Tool] = JointsPickTool
        facts: dict[str, Any] = {
            "make": staticmethod(lambda scene, joints: couple_joints(scene, name, joints))
        }
    elif kind.symbol == "rod":
        base = TwoPointTool
        facts = {"make": staticmethod(lambda scene, a, b: insert_joint(scene, name, **_between(scene, a, b)))}
    else:
        base, facts = JointTool, {"kind": name}
    return _made(base, f"joint.{name}", kind.title, facts)


def force_tool(kind: Any) -> type[Tool]:
    """The tool that makes forces of a kind."""
    name, fields = kind.name, kind.spec.__struct_fields__
    if name == ContactTool.kind:
        return ContactTool
    if kind.directions is Directions.FRAME:
        return _made(FrameForceTool, f"force.{name}", kind.title, {"kind": name})
    if {"a", "b"} <= set(fields):
        make: Any = lambda scene, a, b: add_force(scene, name, **_between(scene, a, b))  # noqa: E731
        return _made(TwoPointTool, f"force.{name}", kind.title, {"make": staticmethod(make)})
    if "joint" in fields:
        make = lambda scene, joint: add_force(scene, name, joint=joint)  # noqa: E731
        words = f"{kind.title}: click the joint that it acts on."
        return _made(JointPickTool, f"force.{name}", words, {"make": staticmethod(make)})
    if "body" not in fields:
        make = lambda scene, body, point: add_force(scene, name)  # noqa: E731
        words = f"{kind.title}: click any body. It is for all bodies; the inspector has the group."
        return _made(PointPickTool, f"force.{name}", words, {"make": staticmethod(make)})
    points = "point" in fields

    def at_point(scene: Any, body: str, point: Any) -> Any:
        return add_force(scene, name, body=body, **({"point": point} if points else {}))

    words = f"{kind.title}: click {'the point that it acts on' if points else 'the body that it turns'}."
    return _made(PointPickTool, f"force.{name}", words, {"make": staticmethod(at_point)})


def motion_tool(kind: MotionKind) -> type[Tool]:
    """The tool that makes motions of a kind."""
    name, fields = kind.name, kind.spec.__struct_fields__
    if {"a", "b"} <= set(fields):
        make: Any = lambda scene, a, b: add_motion(scene, name, **_between(scene, a, b))  # noqa: E731
        return _made(TwoPointTool, f"motion.{name}", kind.title, {"make": staticmethod(make)})
    how = "It goes to and fro; the inspector changes how."
    if "joint" in fields:
        words = f"{kind.title}: click the joint that is moved. {how}"

        def at_joint(scene: Any, joint: str) -> Any:
            return add_motion(scene, name, joint=joint, coordinate=coordinate_of(scene, joint))

        return _made(JointPickTool, f"motion.{name}", words, {"make": staticmethod(at_joint)})
    words = f"{kind.title}: click the point that is moved. {how}"
    make = lambda scene, body, point: add_motion(scene, name, body=body, point=point)  # noqa: E731
    return _made(PointPickTool, f"motion.{name}", words, {"make": staticmethod(make)})


def measure_tool(kind: MeasureKind) -> type[Tool]:
    """The tool that makes measures of a kind from two points."""

    def make(scene: Any, a: Spot, b: Spot) -> Any:
        return measure_between(scene, kind.name, (a.body, a.point), (b.body, b.point))

    return _made(TwoPointTool, f"measure.{kind.name}", kind.summary, {"make": staticmethod(make)})


def _made(base: type[Tool], id: str, words: str, facts: dict[str, Any]) -> type[Tool]:
    name = "".join(word.capitalize() for word in id.replace(".", "_").split("_"))
    doc = f"Makes {words.partition(':')[0].lower()}."
    return type(f"{name}Tool", (base,), {"id": id, "words": words, "__doc__": doc, **facts})


KIND_TOOLS: tuple[type[Tool], ...] = (
    *(joint_tool(kind) for kind in JOINTS),
    *(force_tool(kind) for kind in FORCES),
    *(motion_tool(kind) for kind in MOTIONS if kind.name != MotorTool.kind),
    *(measure_tool(kind) for kind in MEASURES if kind.between is not None),
)
