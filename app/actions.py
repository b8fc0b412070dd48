"""The table of actions: menus, toolbar, shortcuts and command search are made from it, one line each.

An action names a method of the window; `needs` says when it is possible. Nothing here imports Qt, so that
`trammel list actions` is quick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Action:
    """One command of the program. `call` is a method of the window, with `argument` when given."""

    id: str
    text: str
    menu: str  # path of menus, such as "View/Standard views"
    icon: str
    tooltip: str
    call: str
    shortcut: str = ""
    argument: Any = None
    needs: str = ""  # key of NEEDS; empty: always possible
    toolbar: bool = False
    checkable: bool = False
    separator: bool = False  # a line above it in the menu

    def run(self, window: Any) -> None:
        """Do it."""
        method = getattr(window, self.call)
        if self.argument is None:
            method()
        else:
            method(self.argument)

    def enabled(self, session: Any) -> bool:
        """Whether it is possible now."""
        return NEEDS[self.needs](session)

    def row(self) -> dict[str, Any]:
        """What `trammel list actions` shows."""
        return {
            "id": self.id,
            "text": self.text,
            "menu": self.menu,
            "shortcut": self.shortcut,
            "tooltip": self.tooltip,
            "enabled": not self.needs,
            "needs": self.needs,
        }


def _selected(session: Any) -> list[Any]:
    return [ref for ref in session.selection.refs if ref.where not in ("", "scene", "world")]


NEEDS: dict[str, Callable[[Any], bool]] = {
    "": lambda session: True,
    "undo": lambda session: session.document.stack.canUndo(),
    "redo": lambda session: session.document.stack.canRedo(),
    "selection": lambda session: bool(_selected(session)),
    "one selected": lambda session: len(_selected(session)) == 1,
    "run": lambda session: session.current is not None,
    "playable": lambda session: session.state in ("ready", "paused", "detached", "playing", "failed"),
    "recorded": lambda session: session.current is not None and not session.current.empty,
    "unsaved": lambda session: not session.document.clean,
}

ARROW_STEP = 2.0**0.5  # how much longer one command makes the arrows
MENUS = ("File", "Edit", "View", "Simulation", "Plots", "Window", "Help")

ACTIONS: tuple[Action, ...] = (
    # File
    Action("file.new", "New", "File", "new", "Begin an empty scene", "new_scene", "Ctrl+N", toolbar=True),
    Action(
        "file.open",
        "Open…",
        "File",
        "open",
        "Open a scene or a saved run",
        "open_scene",
        "Ctrl+O",
        toolbar=True,
    ),
    Action(
        "file.welcome",
        "Shipped scenes",
        "File",
        "home",
        "Show the welcome page with the shipped scenes and recent files",
        "show_welcome",
        "Ctrl+Shift+N",
        toolbar=True,
    ),
    Action(
        "file.save",
        "Save",
        "File",
        "save",
        "Save the scene",
        "save_scene",
        "Ctrl+S",
        toolbar=True,
        separator=True,
    ),
    Action(
        "file.save_as",
        "Save as…",
        "File",
        "save-as",
        "Save the scene under another name",
        "save_scene_as",
        "Ctrl+Shift+S",
    ),
    Action(
        "file.picture",
        "Save picture…",
        "File",
        "camera",
        "Save what the viewport shows as a picture of any size",
        "save_picture",
        "Ctrl+Shift+P",
        needs="recorded",
        separator=True,
    ),
    Action(
        "file.film",
        "Film…",
        "File",
        "film",
        "Film the run that is shown as MP4 or GIF, in the background",
        "save_film",
        "Ctrl+Shift+M",
        needs="recorded",
    ),
    Action(
        "file.export",
        "Export run…",
        "File",
        "export",
        "Save channels of the run that is shown as CSV, NPZ, HDF5, MATLAB or JSON",
        "export_run",
        "Ctrl+E",
        needs="recorded",
    ),
    Action(
        "file.report",
        "Report…",
        "File",
        "report",
        "Save one page about the run: picture, method, plots, verdict, scene",
        "save_report",
        "Ctrl+Alt+R",
        needs="recorded",
    ),
    Action(
        "file.preferences",
        "Preferences…",
        "File",
        "settings",
        "Units, theme, navigation, memory and font size",
        "show_preferences",
        "Ctrl+,",
        separator=True,
    ),
    Action("file.quit", "Quit", "File", "quit", "Close the window", "close", "Ctrl+Q", separator=True),
    # Edit
    Action(
        "edit.undo",
        "Undo",
        "Edit",
        "undo",
        "Take back the last edit",
        "undo",
        "Ctrl+Z",
        needs="undo",
        toolbar=True,
    ),
    Action(
        "edit.redo",
        "Redo",
        "Edit",
        "redo",
        "Do the edit again",
        "redo",
        "Ctrl+Shift+Z",
        needs="redo",
        toolbar=True,
    ),
    Action(
        "edit.rename",
        "Rename",
        "Edit",
        "rename",
        "Rename the selected element in the tree",
        "rename_selected",
        "F2",
        needs="one selected",
        separator=True,
    ),
    Action(
        "edit.duplicate",
        "Duplicate",
        "Edit",
        "duplicate",
        "Make a copy of what is selected",
        "duplicate_selected",
        "Ctrl+D",
        needs="selection",
    ),
    Action(
        "edit.delete",
        "Delete",
        "Edit",
        "delete",
        "Delete what is selected and what depends on it",
        "delete_selected",
        "Del",
        needs="selection",
    ),
    Action(
        "edit.visible",
        "Show or hide",
        "Edit",
        "eye",
        "Show or hide what is selected",
        "toggle_visible",
        "H",
        needs="selection",
    ),
    Action(
        "edit.select_all",
        "Select all",
        "Edit",
        "select-all",
        "Select every element",
        "select_all",
        "Ctrl+A",
        separator=True,
    ),
    Action(
        "edit.select_none",
        "Select nothing",
        "Edit",
        "deselect",
        "Clear the selection",
        "select_none",
        "Ctrl+Shift+A",
    ),
    Action("edit.find", "Find in tree", "Edit", "search", "Search the scene tree", "focus_search", "Ctrl+F"),
    Action(
        "edit.command",
        "Command search…",
        "Edit",
        "command",
        "Find any command by its name",
        "show_commands",
        "Ctrl+K",
        toolbar=True,
        separator=True,
    ),
    # View
    Action("view.fit", "Fit all", "View", "fit", "Show the whole mechanism", "fit_view", "F", toolbar=True),
    Action(
        "view.fit_selection",
        "Fit selection",
        "View",
        "fit-selection",
        "Show what is selected",
        "fit_selection",
        "Shift+F",
        needs="selection",
    ),
    *(
        Action(
            f"view.{name}",
            name.capitalize(),
            "View/Standard views",
            f"view-{'iso' if name == 'isometric' else sort}",
            f"Look at the mechanism from {'a corner' if name == 'isometric' else 'the ' + name}",
            "standard_view",
            f"Ctrl+{key}",
            argument=name,
        )
        for key, (name, sort) in enumerate(
            (
                ("front", "front"),
                ("back", "front"),
                ("left", "side"),
                ("right", "side"),
                ("top", "top"),
                ("bottom", "top"),
                ("isometric", "iso"),
            ),
            1,
        )
    ),
    Action(
        "view.follow",
        "Follow body",
        "View",
        "follow",
        "Go along with the selected body, or stay again",
        "toggle_follow",
        "Shift+B",
        needs="run",
        checkable=True,
    ),
    Action(
        "view.orthographic",
        "Orthographic",
        "View",
        "orthographic",
        "Parallel lines stay parallel",
        "set_orthographic",
        "O",
        checkable=True,
        separator=True,
    ),
    *(
        Action(
            f"view.{name}",
            text,
            "View",
            image,
            tooltip,
            "toggle_style",
            key,
            argument=name,
            checkable=True,
            separator=name == "grid",
        )
        for name, text, image, tooltip, key in (
            ("grid", "Ground grid", "grid", "Show the ground grid", "G"),
            ("joints", "Joint symbols", "joints", "Show a symbol at every joint", "J"),
            ("frames", "Frames", "frames", "Show the frames of bodies", "R"),
            ("com", "Centres of mass", "com", "Show the centre of mass of every body", "C"),
            ("labels", "Names", "labels", "Show the names of elements", "N"),
            ("traces", "Traces", "traces", "Show the paths of traced points", "T"),
            ("arrows", "Force arrows", "arrows", "Show forces and reactions as arrows", "A"),
            ("velocities", "Velocity arrows", "velocities", "Show the velocities of what is selected", "V"),
            ("ghosts", "Ghosts", "ghosts", "Show the earlier runs that are marked as ghosts", "Shift+G"),
        )
    ),
    *(
        Action(
            f"view.arrows_{name}",
            text,
            "View/Arrow scale",
            image,
            tooltip,
            "scale_arrows",
            key,
            argument=factor,
        )
        for name, text, image, tooltip, key, factor in (
            ("longer", "Longer", "plus", "Draw all arrows longer", "Ctrl+Alt+Up", ARROW_STEP),
            ("shorter", "Shorter", "minus", "Draw all arrows shorter", "Ctrl+Alt+Down", 1.0 / ARROW_STEP),
            ("reset", "Own length", "reset", "Give all arrows back their own length", "Ctrl+Alt+0", 0.0),
        )
    ),
    Action(
        "view.theme",
        "Light or dark",
        "View",
        "theme",
        "Change between the light and the dark theme",
        "toggle_theme",
        "Ctrl+Shift+T",
        toolbar=True,
        separator=True,
    ),
    Action(
        "view.fullscreen",
        "Full screen",
        "View",
        "fullscreen",
        "Use the whole screen",
        "toggle_fullscreen",
        "F11",
        checkable=True,
    ),
    # Simulation
    Action(
        "run.toggle",
        "Play or pause",
        "Simulation",
        "play",
        "Play or pause the simulation",
        "toggle_play",
        "Space",
        needs="playable",
    ),
    Action(
        "run.step",
        "Step",
        "Simulation",
        "step",
        "Do one step of the method",
        "step_forward",
        ".",
        needs="playable",
    ),
    Action(
        "run.step_back",
        "Step back",
        "Simulation",
        "step-back",
        "Go back by one recorded sample",
        "step_back",
        ",",
        needs="run",
    ),
    Action(
        "run.reset",
        "Back to start",
        "Simulation",
        "to-start",
        "Go back to the start; the finished run is kept",
        "reset_run",
        "Home",
        needs="playable",
    ),
    Action(
        "run.fork",
        "Fork from here",
        "Simulation",
        "fork",
        "Go on from the instant that is shown, with the scene as it is now; the run stays as a ghost",
        "fork_run",
        "Ctrl+Return",
        needs="recorded",
    ),
    Action(
        "run.live",
        "Live",
        "Simulation",
        "live",
        "Return from a scrubbed instant to the running simulation",
        "go_live",
        "End",
        needs="run",
    ),
    Action(
        "run.loop", "Loop", "Simulation", "loop", "Begin again at the end", "toggle_loop", "L", checkable=True
    ),
    Action(
        "run.faster",
        "Faster",
        "Simulation",
        "faster",
        "Play at twice the speed",
        "faster",
        "]",
        separator=True,
    ),
    Action("run.slower", "Slower", "Simulation", "slower", "Play at half the speed", "slower", "["),
    Action(
        "run.real_time",
        "Real time",
        "Simulation",
        "speed",
        "Play at the speed of the clock",
        "real_time",
        "=",
    ),
    Action(
        "run.analyse",
        "Analyse",
        "Simulation",
        "analyses",
        "Run the analysis that is chosen in the analyses panel",
        "run_analysis",
        "F6",
        separator=True,
    ),
    # Plots
    Action(
        "plots.add",
        "New plot",
        "Plots",
        "plot-add",
        "Add an empty plot",
        "add_plot",
        "Ctrl+Shift+L",
    ),
    Action(
        "plots.channel",
        "Add channel…",
        "Plots",
        "channel",
        "Search a channel and plot it",
        "add_channel",
        "Ctrl+L",
        needs="run",
    ),
    Action(
        "plots.measure",
        "Add measure…",
        "Plots",
        "measure-expression",
        "Make a measure from an expression of channels and plot it",
        "add_measure",
        "Ctrl+M",
        needs="run",
    ),
    Action(
        "plots.phase",
        "Phase plot…",
        "Plots",
        "phase",
        "Plot one channel over another",
        "add_phase_plot",
        "Ctrl+Shift+H",
        needs="run",
    ),
    Action(
        "plots.spectrum",
        "Spectrum",
        "Plots",
        "fft",
        "Show the spectra of the first plot over the chosen range",
        "add_spectrum",
        "Ctrl+Shift+F",
        needs="run",
    ),
    Action(
        "plots.range",
        "Range statistics",
        "Plots",
        "range",
        "Minimum, maximum, mean and RMS over a range",
        "toggle_range",
        "Ctrl+R",
        checkable=True,
        separator=True,
    ),
    Action(
        "plots.whole",
        "Whole run",
        "Plots",
        "whole",
        "Show the whole run, or a window of time that moves along",
        "toggle_whole",
        "Ctrl+Shift+W",
        checkable=True,
    ),
    Action(
        "plots.save",
        "Save plots…",
        "Plots",
        "export",
        "Save all plots as PNG, SVG, PDF or CSV",
        "save_plots",
        "Ctrl+Shift+E",
        needs="recorded",
        separator=True,
    ),
    Action(
        "plots.copy",
        "Copy plots",
        "Plots",
        "duplicate",
        "Put all plots on the clipboard as a picture",
        "copy_plots",
        "Ctrl+Shift+C",
        needs="recorded",
    ),
    # Window
    *(
        Action(
            f"window.{name}",
            text,
            "Window",
            name,
            f"Show or hide the {text.lower()} panel",
            "toggle_dock",
            f"Alt+{key}",
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
    # Help
    Action("help.guide", "Guide", "Help", "help", "Read how Trammel works, offline", "show_help", "F1"),
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


def action(id: str) -> Action:
    """The action of an id."""
    return next(found for found in ACTIONS if found.id == id)
