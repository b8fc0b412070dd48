"""The table of actions: menus, toolbar, shortcuts and command search are made from it, one line each.

An action names a method of the window; `needs` says when it is possible. One file per menu, in their order.
"""

from app.window.actions import edit, files, help, insert, plots, simulation, view, window
from app.window.actions.base import NEEDS, Action

__all__ = ["ACTIONS", "MENUS", "NEEDS", "Action", "action"]

MENUS = {
    "File": files.ACTIONS,
    "Edit": edit.ACTIONS,
    "Insert": insert.ACTIONS,
    "View": view.ACTIONS,
    "Simulation": simulation.ACTIONS,
    "Plots": plots.ACTIONS,
    "Window": window.ACTIONS,
    "Help": help.ACTIONS,
}
ACTIONS: tuple[Action, ...] = tuple(found for menu in MENUS.values() for found in menu)


def action(id: str) -> Action:
    """The action of an id."""
    return next(found for found in ACTIONS if found.id == id)
