"""Mirror images of bodies, joints and all that acts between them."""

from __future__ import annotations

from collections.abc import Iterable

from app.document.document import Edit, Ref
from app.edits.elements.copies import chosen, with_copies, with_what_holds, words
from app.edits.geometry.transform import PLANES, mirror_at
from app.edits.geometry.transformed import Mover
from engine.errors import Problem, SceneError
from engine.model.scene import Scene


def mirror(
    scene: Scene,
    refs: Iterable[Ref],
    plane: str = "yz",
    through: tuple[float, ...] = (0.0, 0.0, 0.0),
    *,
    ground: bool = True,
) -> Edit:
    """Copy elements as their mirror image in the plane "xy", "yz" or "zx" through a point of the world.

    Joints, forces and motions among the bodies are mirrored with them, with `ground` those to the ground too.
    What sits on a body that is not chosen goes to the mirrored place of that body. Raises SceneError.
    """
    if plane not in PLANES:
        raise _problem(plane, f"there is no plane {plane!r}", f"choose one of {', '.join(PLANES)}")
    if scene.space == "planar" and plane == "xy":
        raise _problem(plane, "a planar scene lies in the plane xy", "mirror it in yz or zx")
    given = chosen(scene, refs)
    wanted = with_what_holds(scene, given, ground=ground)
    mover = Mover(scene, mirror_at(plane, through), frozenset(wanted))
    copies = with_copies(scene, wanted, mover)
    return Edit(f"Mirror {words(given)}", copies.after, made=copies.made, notes=mover.notes)


def _problem(value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem("mirror", value, message, remedy)])
