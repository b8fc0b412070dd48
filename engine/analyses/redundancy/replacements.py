"""What may stand in for a joint so that it holds less: other kinds in the same frame, slots, or nothing.

Every stand-in allows what the joint allows, so each pose of the mechanism stays one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from engine.compiled.layout import Array
from engine.elements.base import Anchor
from engine.elements.coordinates.frames import Frame
from engine.elements.fields import fields_of
from engine.elements.joints import JOINTS
from engine.elements.joints.base import AnchoredSpec, JointSpec
from engine.model.scene import Scene
from engine.system.compiling.mechanism import Mechanism

AXES = ("z", "x", "y")  # of the joint frame, its own axis first
COMPONENT_ROUNDING = 1e-9  # components of directions below this are zeros that rounding spoilt

COST_REMOVED = 1.8  # beside the costs of the kinds


@dataclass(frozen=True, eq=False)  # each is itself: joints hold dicts, which have no hash
class Change:
    """One element gives way: a joint to another joint, or to nothing."""

    where: str  # list of the scene
    name: str
    spec: JointSpec | None  # None: it is removed
    words: str
    cost: float


def changes_of(scene: Scene, mechanism: Mechanism, joint: Any) -> list[Change]:
    """Every way in which a joint of the scene can hold less."""
    made = list(_Maker(scene, mechanism, joint).changes())
    kind = JOINTS[_tag(joint)]
    referred = refers_to(scene, joint.name)
    if referred:  # a motion or a gear reads its coordinates
        needed = set(kind.coordinates_in(scene.space))
        made = [
            change
            for change in made
            if change.spec is not None
            and needed <= set(JOINTS[_tag(change.spec)].coordinates_in(scene.space))
        ]
    else:
        made.append(Change("joints", joint.name, None, f"remove {joint.name}", COST_REMOVED))
    return made


def refers_to(scene: Scene, joint: str) -> bool:
    """Whether a motion, a force, another joint or an expression of channels reads this joint."""
    elements = (*scene.motions, *scene.forces, *(other for other in scene.joints if other.name != joint))
    if any(_reads(element, joint) for element in elements):
        return True
    texts = [*scene.simulation.stop_when, *(str(getattr(m, "expression", "")) for m in scene.measures)]
    return any(f"joint.{joint}." in text or f'joint."{joint}".' in text for text in texts)


def _reads(node: Any, joint: str) -> bool:
    if isinstance(node, Struct):
        for info in fields_of(type(node)):
            value = getattr(node, info.name)
            if info.role == "reference" and info.extra.get("to") == "joints" and value == joint:
                return True
            if _reads(value, joint):
                return True
    elif isinstance(node, tuple | list):
        return any(_reads(item, joint) for item in node)
    elif isinstance(node, dict):
        return any(_reads(item, joint) for item in node.values())
    return False


def _tag(joint: Any) -> str:
    return str(joint.__struct_config__.tag)


def _title(kind: str) -> str:
    return JOINTS[kind].title.lower()


class _Maker:
    """The stand-ins of one joint, with the frames it has now."""

    def __init__(self, scene: Scene, mechanism: Mechanism, joint: Any) -> None:
        self.scene, self.mechanism, self.joint = scene, mechanism, joint
        self.planar = scene.space == "planar"
        self.frames = mechanism.joint_frames.get(joint.name)

    def changes(self) -> Iterator[Change]:
        known = JOINTS[_tag(self.joint)]
        for spec, words in known.reduced(self.joint):
            yield Change("joints", self.joint.name, spec, f"{self.joint.name}: {words}", known.cost)
        if self.frames is None or not isinstance(self.joint, AnchoredSpec):
            return
        for weaker in known.weaker_in(self.scene.space):
            kind = weaker.kind
            if weaker.where == "slots":
                yield from self._slots(kind)
            elif weaker.where == "each arm":
                for arm in ("x", "y"):
                    a, b = self._turned("a", "z", arm), self._turned("b", arm, "z")
                    yield self._change(kind, f"its second arm along {arm}", a=a, b=b)
            elif weaker.where == "each axis" and self.planar:
                for axis in ("x", "y"):
                    yield self._change(kind, f"along {axis}", a=self._along(axis), b=None)
            elif weaker.where == "each axis":
                for axis in AXES:
                    reference = AXES[AXES.index(axis) - 1]
                    a, b = self._turned("a", axis, reference), self._turned("b", axis, reference)
                    yield self._change(kind, f"{weaker.word} its {axis}", a=a, b=b)
            else:
                yield self._change(kind, "")

    def _change(self, kind: str, how: str, *, a: Anchor | None = None, b: Anchor | None = None) -> Change:
        old, spec = self.joint, JOINTS[kind].spec
        names = {info.name for info in msgspec.structs.fields(spec)}
        kept = {
            info.name: getattr(old, info.name)
            for info in msgspec.structs.fields(type(old))
            if info.name in names and info.name != "start"
        }
        if "start" in names:
            known = JOINTS[kind].coordinates_in(self.scene.space)
            kept["start"] = {k: v for k, v in getattr(old, "start", {}).items() if k in known}
        kept["a"], kept["b"] = a or old.a, b or old.b
        words = f"{old.name}: {_title(_tag(old))} → {_title(kind)}" + (f", {how}" if how else "")
        made = spec(**kept)
        assert isinstance(made, JointSpec)
        return Change("joints", old.name, made, words, JOINTS[kind].cost)

    # anchors

    def _side(self, side: str) -> tuple[Anchor, Frame]:
        assert self.frames is not None
        anchor = getattr(self.joint, side)
        return anchor, self.frames[0 if side == "a" else 1]

    def _turned(self, side: str, axis: str, reference: str) -> Anchor:
        """The anchor with other axes of its frame as z and x."""
        anchor, frame = self._side(side)
        return msgspec.structs.replace(
            anchor,
            axis=self._direction(side, frame.axis(axis)),
            reference=self._direction(side, frame.axis(reference)),
        )

    def _along(self, axis: str) -> Anchor:
        """Frame A of a planar joint that slides along an axis of the present one."""
        anchor, frame = self._side("a")
        return msgspec.structs.replace(
            anchor, axis=self._direction("a", frame.axis(axis))[:2], reference=None
        )

    def _direction(self, side: str, vector: Array) -> tuple[float, ...]:
        """A direction of a frame in the axes of the anchor's body."""
        place = self._side(side)[1].place
        found = place.R_WB.T @ vector if place.fixed else vector
        return tuple(float(x) if abs(x) > COMPONENT_ROUNDING else 0.0 for x in found)

    def _slots(self, kind: str) -> Iterator[Change]:
        """The pin of one body in a slot of the other, along the line to another joint or across it."""
        for side, other in (("a", "b"), ("b", "a")):
            anchor, frame = self._side(side)
            along = self._towards_next(frame)
            for words, direction in (("along", along), ("across", np.array([-along[1], along[0], 0.0]))):
                slot = Anchor(
                    body=anchor.body,
                    point=self._point(side),
                    axis=self._direction(side, direction)[:2],
                )
                pin = Anchor(body=getattr(self.joint, other).body, point=self._point(other))
                if frame.body == len(self.mechanism.bodies):
                    where = "x" if words == "along" else "y"
                    how = f"a slot in {anchor.body} along {where}"
                else:
                    how = f"a slot in {anchor.body} {words} it"
                yield self._change(kind, how, a=slot, b=pin)

    def _point(self, side: str) -> Any:
        """Where the anchor is on its body: as it was written, or in numbers."""
        anchor, frame = self._side(side)
        if anchor.point is not None:
            return anchor.point
        return tuple(float(x) for x in (frame.p_B[:2] if self.planar else frame.p_B))

    def _towards_next(self, frame: Frame) -> Array:
        """Unit vector in body axes from the joint to the farthest other joint of its body."""
        across = np.array([1.0, 0.0, 0.0])
        if frame.body == len(self.mechanism.bodies):
            return across
        points = [
            other.point - frame.point
            for pair in self.mechanism.joint_frames.values()
            for other in pair
            if other.body == frame.body
        ]
        farthest = max(points, key=lambda p: float(np.linalg.norm(p)), default=across)
        size = float(np.linalg.norm(farthest))
        return farthest / size if size > COMPONENT_ROUNDING else across
