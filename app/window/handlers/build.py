"""Tools of the viewport, and what the selection can be given at once."""

from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtWidgets import QFileDialog

from app.document.document import Edit
from app.document.element_ref import Piece
from app.document.element_words import reason
from app.edits import set_space
from app.tools.connect.pick_tools import apply_sound
from app.tools.draw.return_to_start import to_start
from app.tools.move.move_tool import MoveTool
from app.tools.suggestions import Offer, direct
from app.widgets.editors.file import MESHES
from app.window.handlers.file import FileActions
from app.window.overlays.empty import StartCard
from app.window.overlays.falling import FallWatch
from app.window.overlays.first_build import FirstBuild
from app.window.overlays.notice import Notice
from app.window.overlays.tool_options import ToolStrip
from engine.errors import SceneError

PREFIX = "insert."  # of the actions that take a tool in hand; the rest of the id is the tool's


class BuildActions(FileActions):
    """Actions of the Insert menu."""

    first_build: FirstBuild | None = None

    def _make_overlays(self) -> None:
        """What lies over the viewport; a viewport without tools, as tests may have it, gets none."""
        viewport: Any = self.viewport
        if not hasattr(viewport, "drafting"):
            return
        self.start_card = StartCard(viewport, self.session, self.actions_by_id)
        self.tool_strip = ToolStrip(viewport, self.session, self.look)
        self.notice = Notice(viewport, self.look)
        self.first_build = FirstBuild(viewport, self.session, self.look)
        self.start_card.give_way_to(self.first_build)
        self._falling = FallWatch(viewport, self.session, self.notice)
        self.look.changed.connect(self._dress_tools)
        self.session.document.changed.connect(self._show_tool)  # a lambda would keep this window for ever
        self._dress_tools()

    def _dress_tools(self) -> None:
        viewport: Any = self.viewport
        viewport.units = self.look.units

    def guide_first_build(self) -> None:
        """Begin the guided build: in an empty planar scene."""
        document = self.session.document
        if document.scene.bodies:
            self.new_scene()
            if document.scene.bodies:  # the user stays with what there is
                return
        self.hide_welcome()
        if document.scene.space != "planar":
            self.set_space("planar")
        if self.first_build is not None:
            self.first_build.begin()

    def use_tool(self, name: str) -> None:
        """Take a tool in hand; what the selection leaves no choice about is done at once."""
        self.hide_welcome()
        document = self.session.document
        offer = direct(document.scene, self.session.selection.refs, name)
        if offer is not None:
            self.take_offer(offer)
            self._show_tool()
            return
        viewport: Any = self.viewport
        if not hasattr(viewport, "use_tool"):
            return
        viewport.use_tool(name)
        viewport.setFocus()

    def hold_piece(self, piece: Piece) -> None:
        """Handles on a point or shape of the selected body."""
        viewport: Any = self.viewport
        if not isinstance(viewport.tool, MoveTool):
            viewport.use_tool(MoveTool.id)
        self.session.selection.set_piece(piece)
        viewport.setFocus()
        viewport.update()

    def take_offer(self, offer: Offer) -> None:
        """Do what was offered for the selection."""
        to_start(self.session)
        self._insert(offer.make)

    def _insert(self, make: Any) -> None:
        document = self.session.document
        try:
            apply_sound(document, make(document.scene), self.session)
        except (SceneError, ValueError, KeyError) as error:
            self.session.message.emit("warning", reason(error), None)

    def ground_selected(self) -> None:
        """Selected bodies become part of the world; if all are, they are freed."""
        names = [ref.name for ref in self.session.selection.refs if ref.where == "bodies"]
        if not names:
            return
        scene = self.session.document.scene
        fixed = not all(scene.body(name).fixed for name in names)
        bodies = tuple(
            msgspec.structs.replace(body, fixed=fixed) if body.name in names else body
            for body in scene.bodies
        )
        what = names[0] if len(names) == 1 else f"{len(names)} bodies"
        text = f"{'Ground' if fixed else 'Free'} {what}"
        self.session.document.apply(Edit(text, msgspec.structs.replace(scene, bodies=bodies)))

    def set_space(self, space: str) -> None:
        """Draw in the plane or in space."""
        scene = self.session.document.scene
        try:
            self.session.document.apply(set_space(scene, space))
        except SceneError as error:
            self.session.message.emit(
                "warning", f"This scene has no place in the plane: {reason(error)}", None
            )

    def insert_mesh(self) -> None:
        """Ask for a mesh file, and for its unit and the body that gets it."""
        name, _ = QFileDialog.getOpenFileName(self, "Mesh file", str(self.files_folder()), MESHES)
        if name:
            self.import_mesh(Path(name))

    def _show_tool(self, *_: Any) -> None:
        """Mark the action of the tool that is in hand, and the space of the scene."""
        tool = getattr(self.viewport, "tool", None)
        space = self.session.document.scene.space
        for id, made in self.actions_by_id.items():
            if id.startswith(PREFIX) and made.isCheckable():
                on = tool is not None and id == PREFIX + tool.id
                made.setChecked(on or id == PREFIX + space)
