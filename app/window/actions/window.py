"""Actions of the Window menu: one per panel of the registry."""

from collections.abc import Iterable

from app.panels.base import PanelKind
from app.window.actions.base import Action

NUMBERED = 10  # panels that Alt and a digit shows


def window_actions(panels: Iterable[PanelKind]) -> tuple[Action, ...]:
    """Show or hide each panel, and put all back."""
    return (
        *(_panel(kind, i + 1) for i, kind in enumerate(panels)),
        Action(
            "window.layout",
            "Reset layout",
            "Window",
            "layout",
            "Put all panels back to where they were at first",
            lambda do: do.layout.reset(),
            separator=True,
            also="panels restore default",
        ),
    )


def _panel(kind: PanelKind, number: int) -> Action:
    return Action(
        f"window.{kind.id}",
        kind.title,
        "Window",
        kind.icon,
        f"Show or hide the {kind.title.lower()} panel",
        lambda do: do.docks.toggle(kind.id),
        f"Alt+{number % 10}" if number <= NUMBERED else "",
        checked=lambda do: do.docks.is_open(kind.id),
        also=kind.also,
    )
