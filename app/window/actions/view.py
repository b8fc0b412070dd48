"""Actions of the View menu."""

from app.window.actions import needs
from app.window.actions.base import Action

ARROW_STEP = 2.0**0.5  # how much longer one command makes the arrows


def _standard(name: str, image: str, shortcut: str) -> Action:
    corner = name == "isometric"
    return Action(
        f"view.{name}",
        name.capitalize(),
        "View/Standard views",
        image,
        f"Look at the mechanism from {'a corner' if corner else 'the ' + name}",
        lambda do: do.viewport.show_view("iso" if corner else name),
        shortcut,
    )


def _switch(
    name: str, text: str, image: str, tooltip: str, shortcut: str, *, separator: bool = False, also: str = ""
) -> Action:
    """One of `STYLES`."""
    return Action(
        f"view.{name}",
        text,
        "View",
        image,
        tooltip,
        lambda do: do.view.toggle_style(name),
        shortcut,
        checked=lambda do: do.view.styles[name],
        separator=separator,
        also=also,
    )


def _arrows(name: str, text: str, image: str, tooltip: str, shortcut: str, factor: float) -> Action:
    return Action(
        f"view.arrows_{name}",
        text,
        "View/Arrow scale",
        image,
        tooltip,
        lambda do: do.view.scale_arrows(factor),
        shortcut,
    )


ACTIONS: tuple[Action, ...] = (
    Action(
        "view.fit",
        "Fit all",
        "View",
        "fit",
        "Show the whole mechanism",
        lambda do: do.viewport.fit_all(),
        "F",
        toolbar=True,
        also="zoom show everything centre",
    ),
    Action(
        "view.fit_selection",
        "Fit selection",
        "View",
        "fit-selection",
        "Show what is selected",
        lambda do: do.view.fit_selection(),
        "Shift+F",
        needs=needs.SELECTION,
    ),
    *(
        _standard(name, image, f"Ctrl+{key}")
        for key, (name, image) in enumerate(
            (
                ("front", "view-front"),
                ("back", "view-front"),
                ("left", "view-side"),
                ("right", "view-side"),
                ("top", "view-top"),
                ("bottom", "view-top"),
                ("isometric", "view-iso"),
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
        lambda do: do.view.toggle_follow(),
        "Shift+B",
        needs=needs.RUN,
        checked=lambda do: do.view.is_following,
    ),
    Action(
        "view.orthographic",
        "Orthographic",
        "View",
        "orthographic",
        "Parallel lines stay parallel",
        lambda do: do.view.toggle_orthographic(),
        "O",
        checked=lambda do: do.view.is_orthographic,
        separator=True,
    ),
    _switch("grid", "Ground grid", "grid", "Show the ground grid", "G", separator=True, also="floor"),
    _switch("joints", "Joint symbols", "joints", "Show a symbol at every joint", "J"),
    _switch("frames", "Frames", "frames", "Show the frames of bodies", "R"),
    _switch(
        "com",
        "Centres of mass",
        "com",
        "Show the centre of mass of every body",
        "C",
        also="gravity mass centroid",
    ),
    _switch(
        "ellipsoids",
        "Ellipsoids of inertia",
        "ellipsoid",
        "Show for every body the solid ellipsoid of the same mass and inertia",
        "Shift+E",
    ),
    _switch(
        "centres",
        "Instant centres",
        "centres",
        "Show instant centres: of the selected body on the ground, of several also against each other",
        "Shift+C",
    ),
    _switch("labels", "Names", "labels", "Show the names of elements", "N", also="text"),
    _switch(
        "traces",
        "Traces",
        "traces",
        "Show the paths of traced points",
        "T",
        also="path curve trajectory locus",
    ),
    _switch(
        "arrows",
        "Force arrows",
        "arrows",
        "Show forces and reactions as arrows",
        "A",
        also="contact vector load",
    ),
    _switch(
        "velocities",
        "Velocity arrows",
        "velocities",
        "Show the velocities of what is selected, or of all bodies",
        "V",
    ),
    _switch(
        "accelerations",
        "Acceleration arrows",
        "accelerations",
        "Show the accelerations of what is selected, or of all bodies",
        "Shift+A",
    ),
    _switch("measures", "Measures", "measure-distance", "Show measures as dimensions and arcs", "M"),
    _switch(
        "ghosts",
        "Ghosts",
        "ghosts",
        "Show the earlier runs that are marked as ghosts",
        "Shift+G",
        also="compare overlay",
    ),
    _arrows("longer", "Longer", "plus", "Draw all arrows longer", "Ctrl+Alt+Up", ARROW_STEP),
    _arrows("shorter", "Shorter", "minus", "Draw all arrows shorter", "Ctrl+Alt+Down", 1.0 / ARROW_STEP),
    _arrows("reset", "Own length", "reset", "Give all arrows back their own length", "Ctrl+Alt+0", 0.0),
    Action(
        "view.theme",
        "Light or dark",
        "View",
        "theme",
        "Change between the light and the dark theme",
        lambda do: do.preferences.toggle_theme(),
        "Ctrl+Shift+T",
        toolbar=True,
        separator=True,
        also="black night colours mode appearance",
    ),
    Action(
        "view.fullscreen",
        "Full screen",
        "View",
        "fullscreen",
        "Use the whole screen",
        lambda do: do.layout.toggle_full_screen(),
        "F11",
        checked=lambda do: do.window.isFullScreen(),
        also="presentation maximise",
    ),
)
