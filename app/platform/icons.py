"""One set of icons: strokes on a 24 × 24 grid, tinted by the theme.

Each drawing is SVG content; `S` marks stand for the tint. Kinds of elements without a drawing of their own
get the one of their sort (`joint-screw` falls back to `joint`).
"""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.platform.theme import Theme

_SIZES = (16, 20, 24, 32, 48)
_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="{color}" '
    'stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">'
)
_TAIL = "</g></svg>"


def _path(*paths: str) -> str:
    return "".join(f'<path d="{path}"/>' for path in paths)


def _solid(*paths: str) -> str:
    return "".join(f'<path d="{path}" fill="{{color}}"/>' for path in paths)


def _ring(x: float, y: float, r: float, *, solid: bool = False) -> str:
    fill = ' fill="{color}"' if solid else ""
    return f'<circle cx="{x}" cy="{y}" r="{r}"{fill}/>'


def _word(text: str, size: float = 11.0, y: float = 16.0) -> str:
    return (
        f'<text x="12" y="{y}" font-size="{size}" font-family="sans-serif" text-anchor="middle" '
        f'fill="{{color}}" stroke="none">{text}</text>'
    )


_CUBE = "M12 3 20 7.5V16.5L12 21 4 16.5V7.5Z"
_PAGE = "M6 3H14L18 7V21H6Z"

DRAWINGS: dict[str, str] = {
    # files
    "new": _path(_PAGE, "M14 3V7H18", "M12 11V17", "M9 14H15"),
    "open": _path("M3 19V5H9L11 8H20V11", "M3 19 6.5 11H22L18.5 19Z"),
    "save": _path("M4 4H17L20 7V20H4Z", "M8 4V9H15V4", "M7 20V14H17V20"),
    "save-as": _path("M4 4H17L20 7V11", "M4 4V20H10", "M8 4V9H15V4", "M13 20 20 13 22 15 15 22H13Z"),
    "recent": _ring(12, 12, 9) + _path("M12 7V12L15.5 14"),
    "home": _path("M3 11 12 4 21 11", "M6 9.5V20H18V9.5", "M10 20V14H14V20"),
    "camera": _path("M3 8H8L9.5 5.5H14.5L16 8H21V19H3Z") + _ring(12, 13, 3.5),
    "export": _path("M12 15V4", "M8 8 12 4 16 8", "M5 14V20H19V14"),
    "import": _path("M12 4V15", "M8 11 12 15 16 11", "M5 14V20H19V14"),
    "record": _ring(12, 12, 9) + _ring(12, 12, 4, solid=True),
    "stop": _solid("M6 6H18V18H6Z"),
    "report": _path(_PAGE, "M9 11H15", "M9 14H15", "M9 17H13"),
    "script": _path(_PAGE, "M10 11 8 13.5 10 16", "M14 11 16 13.5 14 16"),
    "film": _path("M3 6H15V18H3Z", "M15 10 21 7V17L15 14"),
    "fork": _ring(6, 12, 2.5)
    + _ring(19, 5, 2.2)
    + _ring(19, 19, 2.2)
    + _path("M8.5 11 17 6", "M8.5 13 17 18"),
    "quit": _path("M10 4H4V20H10", "M9 12H20", "M16 8 20 12 16 16"),
    "folder": _path("M3 19V5H9L11 8H21V19Z"),
    # tools
    "template": _path("M4 19 8 8 17 6 20 19", "M2 19H6", "M18 19H22", "M12.5 3V1.5")
    + _ring(4, 19, 1.4, solid=True)
    + _ring(8, 8, 1.6)
    + _ring(17, 6, 1.6)
    + _ring(20, 19, 1.4, solid=True),
    "wheel": _ring(12, 12, 9) + _ring(12, 12, 2) + _path("M12 3V10", "M12 14V21", "M3 12H10", "M14 12H21"),
    "ground": _path("M12 4V12", "M4 12H20", "M6 12 3 17", "M11 12 8 17", "M16 12 13 17", "M20 12 17 17"),
    "plane": _path("M7 6H22L17 18H2Z", "M12 6 7 18", "M4.5 12H19.5"),
    "insert": _path("M12 3V21", "M3 12H21") + _ring(12, 12, 9),
    "guide": _path("M4 6 6 8 9 4", "M4 13 6 15 9 11", "M12 6.5H20", "M12 13.5H20", "M12 20H20", "M5 20H8"),
    "pointer": _path("M6 3 19 12 13 13.2 16 20 13.4 21 10.6 14.4 6 18Z"),
    "move": _path(
        "M12 3V21M3 12H21", "M9 6 12 3 15 6", "M9 18 12 21 15 18", "M6 9 3 12 6 15M18 9 21 12 18 15"
    ),
    # editing
    "undo": _path("M8 5 4 9 8 13", "M4 9H14A6 6 0 0 1 14 20H9"),
    "redo": _path("M16 5 20 9 16 13", "M20 9H10A6 6 0 0 0 10 20H15"),
    "delete": _path("M4 7H20", "M9 7V4H15V7", "M6 7 7 20H17L18 7", "M10 11V16", "M14 11V16"),
    "cut": _ring(6.5, 18, 2.5) + _ring(17.5, 18, 2.5) + _path("M8 16 17 4", "M16 16 7 4"),
    "mirror": _path("M12 3V21", "M9 7 3 17H9Z", "M15 7 21 17H15Z"),
    "row": _path("M3 9H8V15H3Z", "M10.5 9H15V15H10.5Z", "M17.5 9H22V15H17.5Z"),
    "circle": _ring(12, 5, 2.5) + _ring(5.5, 16, 2.5) + _ring(18.5, 16, 2.5) + _path("M12 12H12.1"),
    "swap": _path("M4 8H20", "M16 4 20 8 16 12", "M20 16H4", "M8 12 4 16 8 20"),
    "split": _ring(6, 12, 2.5) + _ring(18, 12, 2.5) + _path("M12 4V8", "M12 10V14", "M12 16V20"),
    "merge": _ring(12, 12, 3)
    + _path("M3 12H7", "M5 9.5 7.5 12 5 14.5", "M21 12H17", "M19 9.5 16.5 12 19 14.5"),
    "ungroup": _path("M4 4H12V12H4Z", "M14 14H20V20H14Z", "M16 5H19V8", "M5 16V19H8"),
    "isolate": _path("M4 8V4H8", "M16 4H20V8", "M20 16V20H16", "M8 20H4V16") + _ring(12, 12, 3.5, solid=True),
    "history": _path("M4 5V10H9", "M4.6 10A8 8 0 1 1 4 13", "M12 8V12.5L15 14.5"),
    "ellipsoid": _path(
        "M12 6C17 6 21 8.7 21 12S17 18 12 18 3 15.3 3 12 7 6 12 6Z", "M12 6C14 8 14 16 12 18", "M3 12H21"
    ),
    "duplicate": _path("M8 8H20V20H8Z", "M16 8V4H4V16H8"),
    "rename": _path("M4 20 5 15 16 4 20 8 9 19Z", "M13.5 6.5 17.5 10.5"),
    "select-all": _path("M4 8V4H8", "M16 4H20V8", "M20 16V20H16", "M8 20H4V16", "M9 9H15V15H9Z"),
    "deselect": _path("M4 8V4H8", "M16 4H20V8", "M20 16V20H16", "M8 20H4V16", "M9 9 15 15", "M15 9 9 15"),
    "search": _ring(10.5, 10.5, 6.5) + _path("M15.5 15.5 21 21"),
    "command": _path("M4 5H20V19H4Z", "M7.5 9.5 10.5 12 7.5 14.5", "M12.5 15H16.5"),
    "reset": _path("M5 5V10H10", "M5.5 10A7.5 7.5 0 1 1 5 14"),
    "plus": _path("M12 5V19", "M5 12H19"),
    "minus": _path("M5 12H19"),
    "close": _path("M6 6 18 18", "M18 6 6 18"),
    "check": _path("M4 13 9.5 18 20 6"),
    "eye": _path("M2.5 12C6 6 18 6 21.5 12 18 18 6 18 2.5 12Z") + _ring(12, 12, 2.8),
    "eye-off": _path("M2.5 12C6 6 18 6 21.5 12 18 18 6 18 2.5 12Z", "M4 20 20 4"),
    "pin": _path("M9 3H15L14 10 18 14H6L10 10Z", "M12 14V21"),
    "paste": _path("M8 5H5V21H19V5H16", "M8 3H16V7H8Z", "M9 12H15", "M9 16H15"),
    "sort": _path("M7 4V20", "M4 17 7 20 10 17", "M13 6H16", "M13 11H18", "M13 16H20"),
    "flip": _path("M4 8H18", "M14 4 18 8 14 12", "M20 16H6", "M10 12 6 16 10 20"),
    "normalise": _path("M4 20 17 7", "M11 6.5 17.5 6.5 17.5 13") + _word("1", 10, 21),
    "copy": _path("M8 8H20V20H8Z", "M16 8V4H4V16H8"),
    # transport
    "play": _solid("M7 4.5 19 12 7 19.5Z"),
    "pause": _solid("M6.5 5H9.5V19H6.5Z", "M14.5 5H17.5V19H14.5Z"),
    "step": _solid("M5 5 14 12 5 19Z") + _path("M18.5 5V19"),
    "step-back": _solid("M19 5 10 12 19 19Z") + _path("M5.5 5V19"),
    "to-start": _path("M5 5V19") + _solid("M13 6 7.5 12 13 18Z", "M20 6 14.5 12 20 18Z"),
    "to-end": _path("M19 5V19") + _solid("M11 6 16.5 12 11 18Z", "M4 6 9.5 12 4 18Z"),
    "start-here": _path("M6 21V4") + _solid("M6 4H19L16 8.5 19 13H6Z"),
    "start-moving": _path("M5 21V4", "M11 17H21", "M17.5 13.5 21 17 17.5 20.5")
    + _solid("M5 4H16L13.5 7.5 16 11H5Z"),
    "loop": _path(
        "M17 3 20.5 6.5 17 10",
        "M20.5 6.5H8A4.5 4.5 0 0 0 3.5 11",
        "M7 21 3.5 17.5 7 14",
        "M3.5 17.5H16A4.5 4.5 0 0 0 20.5 13",
    ),
    "live": _ring(12, 12, 3, solid=True)
    + _path("M6.5 6.5A8 8 0 0 0 6.5 17.5", "M17.5 6.5A8 8 0 0 1 17.5 17.5"),
    "faster": _solid("M4 6 11 12 4 18Z", "M13 6 20 12 13 18Z"),
    "slower": _solid("M20 6 13 12 20 18Z", "M11 6 4 12 11 18Z"),
    "speed": _path("M4.5 18A9 9 0 1 1 19.5 18", "M12 13 16 8") + _ring(12, 13, 1.2, solid=True),
    # view
    "follow": _ring(8, 12, 5) + _ring(8, 12, 1, solid=True) + _path("M15 12H22", "M18.5 8.5 22 12 18.5 15.5"),
    "fit": _path("M3 8V3H8", "M16 3H21V8", "M21 16V21H16", "M8 21H3V16", "M8 9H16V15H8Z"),
    "fit-selection": _path("M3 8V3H8", "M16 3H21V8", "M21 16V21H16", "M8 21H3V16")
    + _ring(12, 12, 3.2, solid=True),
    "view-front": _path(_CUBE) + _solid("M4 7.5 12 12V21L4 16.5Z"),
    "view-side": _path(_CUBE) + _solid("M20 7.5 12 12V21L20 16.5Z"),
    "view-top": _path(_CUBE) + _solid("M12 3 20 7.5 12 12 4 7.5Z"),
    "view-iso": _path(_CUBE, "M4 7.5 12 12 20 7.5", "M12 12V21"),
    "orthographic": _path(
        "M4 9H15V20H4Z", "M9 4H20V15H9Z", "M4 9 9 4", "M15 9 20 4", "M15 20 20 15", "M4 20 9 15"
    ),
    "grid": _path("M4 4H20V20H4Z", "M4 9.3H20", "M4 14.7H20", "M9.3 4V20", "M14.7 4V20"),
    "frames": _path("M8 16V4", "M8 16H20", "M8 16 3 21", "M6 6 8 4 10 6", "M18 14 20 16 18 18"),
    "com": _ring(12, 12, 8) + _solid("M12 12V4A8 8 0 0 1 20 12Z", "M12 12V20A8 8 0 0 1 4 12Z"),
    "labels": _path("M3 5H14L21 12 14 19H3Z") + _ring(8, 12, 1.4, solid=True),
    "joints": _ring(12, 12, 3) + _path("M3 20 9.8 14", "M14.2 10 21 4"),
    "traces": _path("M3 15C6 4 11 4 12 12S18 20 21 9") + _ring(21, 9, 1.3, solid=True),
    "arrows": _path("M5 19 18 6", "M11 6H18V13"),
    "velocities": _path("M8 17 19 6", "M13 6H19V12", "M3 12H8", "M3 16.5H5.5", "M5 7.5H11"),
    "ghosts": _path("M5 20V10A7 7 0 0 1 19 10V20L15.5 17.5 12 20 8.5 17.5Z")
    + _ring(9.5, 10.5, 0.9, solid=True)
    + _ring(14.5, 10.5, 0.9, solid=True),
    "fullscreen": _path("M4 9V4H9", "M15 4H20V9", "M20 15V20H15", "M9 20H4V15"),
    "theme": _ring(12, 12, 8.5) + _solid("M12 3.5A8.5 8.5 0 0 1 12 20.5Z"),
    # panels
    "tree": _path("M5 4V18H11", "M5 10H11", "M14 8H20V12H14Z", "M14 16H20V20H14Z", "M3 4H9"),
    "inspector": _path("M4 4H20V20H4Z", "M8 9H16", "M8 13H16", "M8 17H12"),
    "plots": _path("M4 4V20H20", "M7 15 11 9 14.5 13 19 6"),
    "messages": _path("M4 5H20V16H11L7 20V16H4Z", "M8 9H16", "M8 12.5H13"),
    "runs": _path("M4 18C8 18 8 6 12 6H20", "M4 18C10 18 10 12 14 12H20", "M4 18H20"),
    "analyses": _path(
        "M9 3H15", "M10 3V9L4.5 19A1.4 1.4 0 0 0 5.8 21H18.2A1.4 1.4 0 0 0 19.5 19L14 9V3", "M7.2 15H16.8"
    ),
    "doctor": _path(
        "M5 3V9A4.5 4.5 0 0 0 14 9V3", "M9.5 13.5V15A5 5 0 0 0 19.5 15V12.5", "M3.5 3H6.5", "M12.5 3H15.5"
    )
    + _ring(19.5, 10.5, 2),
    "redundancy": _path("M4 9H20", "M4 15H20") + _ring(8, 9, 2.4) + _ring(16, 9, 2.4) + _ring(12, 15, 2.4),
    "wiggle": _path(
        "M12 4V12", "M6.5 5.5 12 12 17.5 5.5", "M4 18C6 14 8 14 10 18 12 22 14 22 16 18 17 16 18.5 15.3 20 16"
    ),
    "assembly": _path("M3 12H8.5", "M15.5 12H21") + _ring(10.5, 12, 2.2) + _path("M15.5 8.5V15.5"),
    "branches": _path("M5 20V12L12 4", "M5 12 19 12", "M19 12 12 4", "M19 12V20"),
    "layout": _path("M4 4H20V20H4Z", "M9 4V15", "M4 15H20"),
    "settings": _ring(12, 12, 3)
    + _path(
        "M12 3V6",
        "M12 18V21",
        "M3 12H6",
        "M18 12H21",
        "M5.6 5.6 7.8 7.8",
        "M16.2 16.2 18.4 18.4",
        "M18.4 5.6 16.2 7.8",
        "M7.8 16.2 5.6 18.4",
    ),
    "help": _ring(12, 12, 9) + _path("M9.3 9.5A2.8 2.8 0 1 1 12 13V14.2") + _ring(12, 17, 0.6, solid=True),
    "info": _ring(12, 12, 9) + _path("M12 11V17") + _ring(12, 7.6, 0.6, solid=True),
    "keyboard": _path(
        "M2.5 6H21.5V18H2.5Z", "M8 14.5H16", "M6.5 10H6.6", "M10.2 10H10.3", "M13.8 10H13.9", "M17.4 10H17.5"
    ),
    "warning": _path("M12 3.5 21.5 20H2.5Z", "M12 10V14.5") + _ring(12, 17.2, 0.5, solid=True),
    "error": _ring(12, 12, 9) + _path("M8.5 8.5 15.5 15.5", "M15.5 8.5 8.5 15.5"),
    # plots
    "plot-add": _path("M4 4V20H20", "M7 15 11 10 14 13", "M18 4V10", "M15 7H21"),
    "plot-remove": _path("M4 4V20H20", "M7 15 11 10 14 13", "M15 7H21"),
    "channel": _path("M3 12H6L9 5 13 19 16 12H21"),
    "log": _word("log"),
    "range": _path("M7 4V20", "M17 4V20", "M7 12H17", "M9.5 9.5 7 12 9.5 14.5", "M14.5 9.5 17 12 14.5 14.5"),
    "fft": _path("M4 20V4", "M4 20H20", "M8 20V7", "M12 20V13", "M16 20V16"),
    "phase": _ring(12, 12, 8) + _path("M12 12A4 4 0 1 1 8 12"),
    "window-time": _path("M4 6H20V18H4Z", "M14 6V18", "M16 12H18"),
    "whole": _path("M3 12H21", "M6 9 3 12 6 15", "M18 9 21 12 18 15"),
    "clear": _path("M4 16 13 5 20 11 12 20H7Z", "M9 10 16 16", "M12 20H20"),
    # elements
    "world": _ring(12, 12, 9) + _path("M3 12H21", "M12 3C7 8 7 16 12 21", "M12 3C17 8 17 16 12 21"),
    "scene": _path("M3 20H21", "M5 20V15", "M5 15 11 7 19 12 19 20") + _ring(11, 7, 1.6),
    "body": _path("M6.5 21A3.5 3.5 0 0 1 4.5 15.5L14.5 4A3.5 3.5 0 0 1 20 8.5L10 20A3.5 3.5 0 0 1 6.5 21Z")
    + _ring(7.2, 17.5, 1)
    + _ring(17, 6.5, 1),
    "joint": _ring(12, 12, 3) + _path("M3 20 9.8 14", "M14.2 10 21 4"),
    "joint-revolute": _ring(12, 13, 3) + _path("M5 15A7.5 7.5 0 1 1 19 15", "M19 10V15H14.5"),
    "joint-prismatic": _path(
        "M3 17H21", "M8 9H16V17H8Z", "M4 5H20", "M6.5 3 4 5 6.5 7", "M17.5 3 20 5 17.5 7"
    ),
    "joint-spherical": _ring(12, 10, 5) + _path("M6 9A6.5 6.5 0 0 0 18 9", "M12 16V21", "M8 21H16"),
    "joint-cylindrical": _path(
        "M7 6A5 2 0 0 0 17 6A5 2 0 0 0 7 6", "M7 6V18A5 2 0 0 0 17 18V6", "M12 2V4", "M12 20V22"
    ),
    "joint-universal": _path("M12 4V20", "M4 12H20")
    + _ring(12, 4, 1.6)
    + _ring(12, 20, 1.6)
    + _ring(4, 12, 1.6)
    + _ring(20, 12, 1.6),
    "joint-fixed": _path("M7 4V16", "M4 16H20", "M5 20 8 16", "M10 20 13 16", "M15 20 18 16", "M7 9H17V4H7"),
    "joint-distance": _ring(5, 18, 2.2) + _ring(19, 6, 2.2) + _path("M6.8 16.6 17.2 7.4"),
    "joint-gear": _ring(8, 14, 5) + _ring(17.5, 7.5, 3.5) + _ring(8, 14, 0.8) + _ring(17.5, 7.5, 0.8),
    "joint-belt": _ring(6, 13, 3) + _ring(18, 11, 3.5) + _path("M6 10 18 7.5", "M6 16 18 14.5"),
    "joint-rack-pinion": _ring(12, 9, 5) + _path("M3 17H5V15H8V17H10V15H14V17H16V15H19V17H21", "M3 20H21"),
    "joint-screw": _path("M8 3H16", "M12 3V21", "M8 8 16 6", "M8 12 16 10", "M8 16 16 14", "M8 20 16 18"),
    "joint-planar": _path("M3 17 8 11H21L16 17Z", "M12 11V4", "M10 6 12 4 14 6"),
    "joint-point-on-line": _path("M3 19 21 5") + _ring(12, 12, 2.2, solid=True),
    "joint-point-on-plane": _path("M3 17 8 11H21L16 17Z") + _ring(12, 14, 1.6, solid=True),
    "joint-rolling": _ring(12, 11, 7) + _path("M3 18H21", "M12 11 16 6"),
    "joint-knife-edge": _path("M3 18H21", "M8 4H16V11L12 18 8 11Z"),
    "joint-lock": _path("M5 11H19V21H5Z", "M8 11V8A4 4 0 0 1 16 8V11"),
    "force": _path("M4 20 17 7", "M10 7H17V14"),
    "force-spring": _path("M3 12H5L7 7 10 17 13 7 16 17 18 12H21"),
    "force-rotational-spring": _path("M12 12A2 2 0 1 1 10 10A4.5 4.5 0 1 1 16.5 14A8 8 0 1 1 5 8"),
    "force-torque": _path("M6 18A8.5 8.5 0 1 1 18 18", "M18 12.5V18H12.5"),
    "force-motor": _ring(12, 12, 8.5) + _word("M", 10, 15.6),
    "force-bushing": _ring(12, 12, 8.5) + _ring(12, 12, 3.5) + _path("M9.5 9.5 6 6", "M14.5 14.5 18 18"),
    "motion": _path("M3 18C8 18 8 6 13 6H20", "M17 3 20 6 17 9"),
    "motion-body": _path("M3 12H21", "M6 9 3 12 6 15", "M18 9 21 12 18 15", "M9 8H15V16H9Z"),
    "measure-distance": _path("M4 6V18", "M20 6V18", "M4 12H20", "M7 9 4 12 7 15", "M17 9 20 12 17 15"),
    "joint-constant-velocity": _path("M2 12H8", "M16 12H22")
    + _ring(12, 12, 4)
    + _ring(12, 12, 1.2, solid=True),
    "joint-coupler": _ring(6, 12, 3) + _ring(18, 12, 3) + _path("M9 11H15", "M9 13H15"),
    "joint-revolute-revolute": _ring(5.5, 18.5, 3) + _ring(18.5, 5.5, 3) + _path("M7.6 16.4 16.4 7.6"),
    "joint-revolute-spherical": _ring(5.5, 18.5, 3)
    + _ring(18.5, 5.5, 3, solid=True)
    + _path("M7.6 16.4 16.4 7.6"),
    "force-force": _path("M4 20 19 5", "M11 5H19V13"),
    "motion-joint": _ring(7, 17, 2.5)
    + _path("M7 11A6 6 0 0 1 13 17", "M7 5A12 12 0 0 1 19 17", "M16 14.5 19 17 21.5 14"),
    "trace": _path("M3 15C6 4 11 4 12 12S18 20 21 9"),
    "measure": _path("M3 15 15 3 21 9 9 21Z", "M7 11 9 13", "M10.5 7.5 12.5 9.5", "M14 4 16 6"),
    "measure-angle": _path("M4 20H20", "M4 20 16 5", "M12 20A8 8 0 0 0 9 13.8"),
    "measure-expression": _word("fx", 12, 16.5),
    "shape-box": _path(_CUBE, "M4 7.5 12 12 20 7.5", "M12 12V21"),
    "shape-capsule": _path("M8 4.5H16A7.5 7.5 0 0 1 16 19.5H8A7.5 7.5 0 0 1 8 4.5Z"),
    "shape-cylinder": _path("M5 6V18C5 22 19 22 19 18V6", "M5 6C5 2 19 2 19 6S5 10 5 6Z"),
    "shape-mesh": _path(
        "M12 3 21 9 18 20H6L3 9Z", "M3 9 12 12 21 9", "M12 12 6 20", "M12 12 18 20", "M12 3V12"
    ),
    "shape-outline": _path("M4 19 7 5 15 4 20 12 14 20Z"),
    "shape-rod": _path("M4 17 17 4", "M7 20 20 7") + _ring(5.5, 18.5, 2.1) + _ring(18.5, 5.5, 2.1),
    "shape-sphere": _ring(12, 12, 9) + _path("M3 12C3 16 21 16 21 12"),
    "parameters": _path("M3 7H21", "M3 12H21", "M3 17H21")
    + _ring(8, 7, 2.2, solid=True)
    + _ring(16, 12, 2.2, solid=True)
    + _ring(10, 17, 2.2, solid=True),
    "parameter": _word("P", 13, 16.8) + _path("M3.5 3.5H20.5V20.5H3.5Z"),
    "group": _path("M4 7V4H20V20H4Z", "M8 9H13V14H8Z") + _ring(15.5, 15.5, 2.4),
    "method": _path("M4 18 9 12 13 15 20 5") + _ring(9, 12, 1.4) + _ring(13, 15, 1.4),
}


def has_icon(name: str) -> bool:
    return _known(name) is not None


def _known(name: str) -> str | None:
    """The drawing's name, falling back to the sort before the hyphen."""
    if name in DRAWINGS:
        return name
    sort = name.split("-", 1)[0]
    return sort if sort in DRAWINGS else None


def icon(name: str, theme: Theme, role: str = "text") -> QIcon:
    """The icon in a colour of the theme; grey where its action is disabled."""
    return _icon(_known(name) or "info", theme[role], theme["ghost"], theme["on_accent"])


@lru_cache(maxsize=1024)
def _icon(name: str, color: str, disabled: str, selected: str) -> QIcon:
    made = QIcon()
    for mode, tint in (
        (QIcon.Mode.Normal, color),
        (QIcon.Mode.Disabled, disabled),
        (QIcon.Mode.Selected, selected),
    ):
        for size in _SIZES:
            made.addPixmap(pixmap(name, tint, size), mode)
    return made


def pixmap(name: str, color: str, size: int) -> QPixmap:
    """The drawing as a square of `size` pixels."""
    drawing = DRAWINGS[_known(name) or "info"]
    svg = (_HEAD + drawing + _TAIL).replace("{color}", color)
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    picture = QPixmap(QSize(size, size))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture
