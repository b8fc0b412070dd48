"""Actions of the Insert menu: tools of the viewport, and elements."""

from app.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action(
        "insert.select",
        "Select",
        "Insert",
        "pointer",
        "Put the tool away: clicks in the viewport select again",
        "use_tool",
        "Shift+Q",
        argument="select",
        checkable=True,
        toolbar=True,
    ),
    Action(
        "insert.template",
        "Template…",
        "Insert",
        "template",
        "Insert a mechanism by its dimensions: linkages, legs, drives, platforms, chains",
        "insert_template",
        "Ctrl+T",
        toolbar=True,
        separator=True,
    ),
)
