"""The viewer's place, and what the viewport shows."""

from app.tools.interactive_viewport import ViewportWidget
from app.window.context import WindowContext
from app.window.handlers.selection_edits import SelectionEdits
from app.window.view_memory import ARROWS, remember_styles, remembered_styles


class ViewHandler:
    """View menu: camera, switches, arrows."""

    def __init__(self, context: WindowContext, edits: SelectionEdits, viewport: ViewportWidget) -> None:
        self._context, self._settings = context, context.settings
        self._edits, self._viewport = edits, viewport
        self.styles, self.arrow_scale = remembered_styles(context.settings)  # the switches by name

    # camera

    def fit_selection(self) -> None:
        self._viewport.view.framing.fit(self._edits.selected)
        self._viewport.update()

    def toggle_orthographic(self) -> None:
        self._viewport.set_orthographic(not self.is_orthographic)

    @property
    def is_orthographic(self) -> bool:
        return self._viewport.view.camera.is_orthographic

    def toggle_follow(self) -> None:
        """Go along with the selected body, or stay."""
        view = self._viewport.view
        bodies = [ref.name for ref in self._edits.selected if ref.where == "bodies"]
        followed = view.followed
        view.follow("" if followed or not bodies else bodies[0])
        if view.followed:
            self._context.tell(f"Following {view.followed}")
        elif followed:
            self._context.tell("No longer following")
        else:
            self._context.tell("Select a body to follow", 4)

    @property
    def is_following(self) -> bool:
        return bool(self._viewport.view.followed)

    # what is shown

    def toggle_style(self, name: str) -> None:
        self.styles[name] = not self.styles[name]
        self._change_styles()

    def scale_arrows(self, factor: float) -> None:
        """Longer or shorter arrows; 0 gives them back their own length."""
        scale = self.arrow_scale * factor if factor else 1.0
        self.arrow_scale = min(max(scale, ARROWS[0]), ARROWS[1])
        self._change_styles()
        self._context.tell(f"Arrow scale {self.arrow_scale:.3g}", 4)

    def _change_styles(self) -> None:
        remember_styles(self._settings, self.styles, self.arrow_scale)
        self.show_style()

    def show_style(self) -> None:
        """Let the viewport follow theme and switches."""
        dark = self._context.look.theme.dark
        self._viewport.set_view_style(dark=dark, arrow_scale=self.arrow_scale, **self.styles)

    def show_navigation(self) -> None:
        """Let the mouse do in the viewport what the user prefers."""
        self._viewport.set_navigation(self._settings.preferences.navigation)
