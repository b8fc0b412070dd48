"""Actions of the Help menu."""

from app.window.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action(
        "help.guide",
        "Guide",
        "Help",
        "help",
        "Read how Trammel works, offline",
        lambda do: do.help.show("guide"),
        "F1",
        also="manual documentation tutorial",
    ),
    Action(
        "help.first_build",
        "Guided first build",
        "Help",
        "guide",
        "Build a four-bar with a motor step by step",
        lambda do: do.insert.guide_first_build(),
        also="tutorial lesson learn introduction",
    ),
    Action(
        "help.shortcuts",
        "Keyboard shortcuts",
        "Help",
        "keyboard",
        "Show all keyboard shortcuts",
        lambda do: do.help.show("shortcuts"),
        "Ctrl+/",
        also="keys hotkeys bindings",
    ),
    Action(
        "help.methods",
        "Methods",
        "Help",
        "method",
        "Read about the numerical methods",
        lambda do: do.help.show("methods"),
        also="solver integrator algorithm formulation",
    ),
    Action(
        "help.diagnostics",
        "Copy diagnostics",
        "Help",
        "copy",
        "Copy versions and the graphics driver for a report",
        lambda do: do.help.copy_diagnostics(),
        separator=True,
    ),
    Action(
        "help.about",
        "About Trammel",
        "Help",
        "info",
        "Versions and licences",
        lambda do: do.help.show_about(),
    ),
)
