"""The table of actions: menus, toolbar, shortcuts and command search are made from it, one line each.

An action calls a handler; `needs` says when it is possible. One file per menu, in their order.
"""

from collections.abc import Iterable

from app.panels.base import PanelKind
from app.panels.registry import PANELS
from app.window.actions import edit, files, help, insert, plots, simulation, view
from app.window.actions.base import Action
from app.window.actions.window import window_actions

__all__ = ["ACTIONS", "MENUS", "Action", "menus"]


def menus(panels: Iterable[PanelKind]) -> dict[str, tuple[Action, ...]]:
    """The actions of a window with these panels, by menu."""
    return {
        "File": files.ACTIONS,
        "Edit": edit.ACTIONS,
        "Insert": insert.ACTIONS,
        "View": view.ACTIONS,
        "Simulation": simulation.ACTIONS,
        "Plots": plots.ACTIONS,
        "Window": window_actions(panels),
        "Help": help.ACTIONS,
    }


MENUS = menus(PANELS)
ACTIONS: tuple[Action, ...] = tuple(found for menu in MENUS.values() for found in menu)
