"""Tools of the viewport."""

from typing import Any

from app.window.files import FileActions

PREFIX = "insert."  # of the actions that take a tool in hand; the rest of the id is the tool's


class BuildActions(FileActions):
    """Actions of the Insert menu."""

    def use_tool(self, name: str) -> None:
        """Take a tool in hand; the viewport must be on show for that."""
        self.hide_welcome()
        viewport: Any = self.viewport
        viewport.use_tool(name)
        viewport.setFocus()

    def _show_tool(self) -> None:
        """Mark the action of the tool that is in hand."""
        tool = getattr(self.viewport, "tool", None)
        for id, made in self.actions_by_id.items():
            if id.startswith(PREFIX) and made.isCheckable():
                made.setChecked(tool is not None and id == PREFIX + tool.id)
