"""Actions of the Window menu."""

from app.window.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    *(
        Action(
            f"window.{name}",
            text,
            "Window",
            name,
            f"Show or hide the {text.lower()} panel",
            "toggle_dock",
            f"Alt+{key % 10}",
            argument=name,
            checkable=True,
        )
        for key, (name, text) in enumerate(
            (
                ("tree", "Scene"),
                ("inspector", "Inspector"),
                ("plots", "Plots"),
                ("messages", "Messages"),
                ("runs", "Runs"),
                ("analyses", "Analyses"),
                ("parameters", "Parameters"),
                ("history", "History"),
                ("doctor", "Doctor"),
                ("insert", "Insert"),
            ),
            1,
        )
    ),
    Action(
        "window.layout",
        "Reset layout",
        "Window",
        "layout",
        "Put all panels back to where they were at first",
        "reset_layout",
        separator=True,
    ),
)
