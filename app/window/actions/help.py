"""Actions of the Help menu."""

from app.window.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("help.guide", "Guide", "Help", "help", "Read how Trammel works, offline", "show_help", "F1"),
    Action(
        "help.first_build",
        "Guided first build",
        "Help",
        "guide",
        "Build a four-bar with a motor step by step",
        "guide_first_build",
    ),
    Action(
        "help.shortcuts",
        "Keyboard shortcuts",
        "Help",
        "keyboard",
        "Show all keyboard shortcuts",
        "show_shortcuts",
        "Ctrl+/",
    ),
    Action("help.methods", "Methods", "Help", "method", "Read about the numerical methods", "show_methods"),
    Action(
        "help.diagnostics",
        "Copy diagnostics",
        "Help",
        "copy",
        "Copy versions and the graphics driver for a report",
        "copy_diagnostics",
        separator=True,
    ),
    Action("help.about", "About Trammel", "Help", "info", "Versions and licences", "show_about"),
)
