"""Actions of the View menu."""

from app.window.actions.base import Action

ARROW_STEP = 2.0**0.5  # how much longer one command makes the arrows

ACTIONS: tuple[Action, ...] = (
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
            (
                "ellipsoids",
                "Ellipsoids of inertia",
                "ellipsoid",
                "Show for every body the solid ellipsoid of the same mass and inertia",
                "Shift+E",
            ),
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
)
