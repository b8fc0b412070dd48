"""Reactions of joints, and pushes of contacts, as arrows. No Qt."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.motion.contact_arrows import ContactPushes, contacts_of
from app.viewport.motion.event_states import COLORS
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.marks.arrows import Arrow
from engine.model.rounding_noise import largest, noise_floor

MAX_LENGTH = 0.25  # of the scene's extent: the largest reaction so far
NO_STATES: Mapping[Ref, str] = {}
FORCE, NEWTON, AXES = "#D55E00", "N", ("fx", "fy", "fz")


def channel_names(scene: Any, known: set[str]) -> list[str]:
    """Reaction channels of all joints that have them, and forces of all contacts."""
    names = [f"joint.{joint.name}.reaction.{axis}" for joint in scene.joints for axis in AXES]
    names += [f"force.{contact.name}.force" for contact in contacts_of(scene)]
    names += _drives(scene)
    return [name for name in dict.fromkeys(names) if name in known]


def _drives(scene: Any) -> list[str]:
    """Channels of what reactions answer: forces, springs and motions."""
    names = [f"motion.{motion.name}.effort" for motion in scene.motions]
    for force in scene.forces:
        names += [f"{family}.{force.name}.force" for family in ("spring", "force")]
        names += [f"force.{force.name}.{word}" for word in ("effort", *AXES)]
    return names


def _weight(resolved: Any) -> float:
    """Of all bodies whose mass is given [N]."""
    masses = [body.mass for body in resolved.bodies if body.mass is not None]
    return float(np.sum(masses) * np.linalg.norm(resolved.gravity))


class ReactionArrows:
    """One arrow per joint and contact, the force on body B; the largest so far sets the scale."""

    def __init__(self) -> None:
        self._largest = 0.0
        self._made_of = 0.0  # N: the largest of what reactions answer, which their rounding errors go by
        self._contacts = ContactPushes()

    def arrows(
        self, view: SceneView, values: Mapping[str, float], states: Mapping[Ref, str] = NO_STATES
    ) -> list[Arrow]:
        """`states`: colours of contacts that stick or slip."""
        vectors = {}
        for joint in view.scene.joints:
            force = [values.get(f"joint.{joint.name}.reaction.{axis}", 0.0) for axis in AXES]
            if np.isfinite(force).all() and np.any(force):
                vectors[joint.name] = np.array(force)
        self._made_of = largest([self._made_of, *values.values(), _weight(view.stage.scene)])
        floor = noise_floor(self._made_of)
        vectors = {name: vector for name, vector in vectors.items() if np.linalg.norm(vector) > floor}
        sizes = [float(np.linalg.norm(vector)) for vector in vectors.values()]
        pushes = [
            (push, size)
            for push in self._contacts.pushes(view.stage, values)
            if (size := float(np.linalg.norm(push.force))) > floor
        ]
        self._largest = max([self._largest, *sizes, *(size for _, size in pushes)])
        scale = self.length_per_unit(view)
        found = []
        for (name, vector), size in zip(vectors.items(), sizes, strict=True):
            ref = Ref("joints", name)
            for frame in view.queries.frames_of(ref)[-1:]:  # that of B, which the channels are about
                place = view.stage.world_point(frame)
                found.append(Arrow(place, scale * vector, FORCE, False, ref, size, NEWTON))
        for push, size in pushes:
            contact = Ref("forces", push.name)
            color = states.get(contact, COLORS["touch"])
            arrow = Arrow(push.place, scale * push.force, color, False, contact, size, NEWTON, push.friction)
            found.append(arrow)
        return found

    def length_per_unit(self, view: SceneView) -> float:
        """How long an arrow of one newton is [m]; 0 while there was no force."""
        return MAX_LENGTH * view.stage.extent / self._largest if self._largest > 0.0 else 0.0
