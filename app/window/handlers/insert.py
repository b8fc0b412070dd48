"""Tools of the viewport, and what the selection can be given at once."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QFileDialog

from app.document.document import Edit
from app.document.element_ref import Piece
from app.document.element_words import reason
from app.edits import set_space
from app.tools.connect.pick_tools import apply_sound
from app.tools.draw.return_to_start import to_start
from app.tools.interactive_viewport import ViewportWidget
from app.tools.move.move_tool import MoveTool
from app.tools.suggestions import Suggestion, direct
from app.widgets.editors.file import MESHES
from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.handlers.file import FileHandler
from app.window.handlers.import_ import ImportHandler
from app.window.overlays.overlays import Overlays
from app.window.pages import Pages
from engine.errors import SceneError
from engine.model.scene import Scene


class InsertHandler:
    """Insert menu, and the guided first build."""

    def __init__(
        self,
        context: WindowContext,
        viewport: ViewportWidget,
        pages: Pages,
        overlays: Overlays,
        files: FileHandler,
        imports: ImportHandler,
        docks: Docks,
    ) -> None:
        self._context, self._session = context, context.session
        self._viewport, self._pages, self._overlays = viewport, pages, overlays
        self._files, self._imports, self._docks = files, imports, docks

    def guide_first_build(self) -> None:
        """Begin the guided build: in an empty planar scene."""
        document = self._session.document
        if document.scene.bodies:
            self._files.new()
            if document.scene.bodies:  # the user stays with what there is
                return
        self._pages.hide_welcome()
        if document.scene.space != "planar":
            self.set_space("planar")
        self._overlays.first_build.begin()

    def use_tool(self, name: str) -> None:
        """Take a tool in hand; what the user's selection leaves no choice about is done at once."""
        self._pages.hide_welcome()
        selection = self._session.selection
        suggestion = direct(self._session.document.scene, selection.refs, name)
        if suggestion is not None and not selection.is_new:
            self.take_suggestion(suggestion)
            return
        self._viewport.use_tool(name)
        self._viewport.setFocus()

    def hold_piece(self, piece: Piece) -> None:
        """Handles on a point or shape of the selected body."""
        if not isinstance(self._viewport.tool, MoveTool):
            self._viewport.use_tool(MoveTool.id)
        self._session.selection.set_piece(piece)
        self._viewport.setFocus()
        self._viewport.update()

    def take_suggestion(self, suggestion: Suggestion) -> None:
        """Do what was offered for the selection."""
        to_start(self._session)
        before = self._session.document.scene.parameters
        self._insert(suggestion.make)
        if self._session.document.scene.parameters != before:
            self._docks.show("parameters")  # where its slider is
        self._viewport.setFocus()  # keys go to the picture, as after a tool

    def _insert(self, make: Callable[[Scene], Edit]) -> None:
        document = self._session.document
        try:
            apply_sound(document, make(document.scene), self._session)
        except (SceneError, ValueError, KeyError) as error:
            self._session.message.emit("warning", reason(error), None)

    def ground(self) -> None:
        """Selected bodies become part of the world; if all are, they are freed."""
        names = [ref.name for ref in self._session.selection.refs if ref.where == "bodies"]
        if not names:
            return
        scene = self._session.document.scene
        fixed = not all(scene.body(name).fixed for name in names)
        bodies = tuple(
            msgspec.structs.replace(body, fixed=fixed) if body.name in names else body
            for body in scene.bodies
        )
        what = names[0] if len(names) == 1 else f"{len(names)} bodies"
        text = f"{'Ground' if fixed else 'Free'} {what}"
        self._session.document.apply(Edit(text, msgspec.structs.replace(scene, bodies=bodies)))

    def set_space(self, space: str) -> None:
        """Draw in the plane or in space."""
        scene = self._session.document.scene
        try:
            self._session.document.apply(set_space(scene, space))
        except SceneError as error:
            self._session.message.emit(
                "warning", f"This scene has no place in the plane: {reason(error)}", None
            )

    def insert_mesh(self) -> None:
        """Ask for a mesh file, and for its unit and the body that gets it."""
        window, folder = self._context.window, self._context.files_folder()
        name, _ = QFileDialog.getOpenFileName(window, "Mesh file", str(folder), MESHES)
        if name:
            self._imports.import_mesh(Path(name))

    # what is marked in the menu

    def in_hand(self, tool: str) -> bool:
        return self._viewport.tool.id == tool

    def is_space(self, space: str) -> bool:
        return self._session.document.scene.space == space
