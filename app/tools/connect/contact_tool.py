"""Contact: click one body, then the other; an empty place is a level floor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from app.document.document import Ref
from app.edits.building.contact import add_contact, add_floor
from app.session.session import Session
from app.tools.connect.pick_tools import PickTool
from app.tools.draw.draft_paint import Ink
from app.tools.draw.return_to_start import to_start
from app.tools.draw.typed_numbers import Typed
from app.tools.snapping import Snapped, WorkPlane

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget


class ContactTool(PickTool):
    """Bodies that touch lie beside each other: there is no place at which both could be clicked."""

    id = "force.contact"
    kind: ClassVar[str] = "contact"  # whose tool it is
    on_grid = True  # a floor lies at a round height

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self._first = ""

    @property
    def plane(self) -> WorkPlane:
        """In space a floor lies on the work plane as it is, not at the height of the first click."""
        plane: WorkPlane = self.viewport.drafting.work_plane(self.viewport.view)
        return plane

    def instruct(self) -> str:
        if not self.placed:
            return "Contact: click one of the two bodies that may touch."
        return f"Click what {self._first} may touch: a body, or an empty place for a floor. Esc: step back."

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        found = next(iter(self.bodies_at(place)), "")
        if not self.placed:
            if not found:
                raise ValueError("there is no body here: click on one")
            to_start(self.session)
            self.placed, self.pinned, self._first = [place], [False], found
            self.session.selection.set([Ref("bodies", found)])
            return
        scene = self.session.document.scene
        if found == self._first:
            raise ValueError(f"{found} cannot touch itself: click another body, or an empty place")
        if found:
            self.insert(add_contact(scene, self._first, found))
        else:
            up, p = self.viewport.view.stage.up, self.placed[0].point
            below = p + up * ((place.point - p) @ up)  # what is drawn of the plane lies under the body
            self.insert(add_floor(scene, self._first, below, up))

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        if self.placed:
            ink.line([self.placed[0].point, place.point], dashed=True)
