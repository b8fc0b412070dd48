"""Is there a screen to open a window on?"""

import ctypes
import os
import sys
from collections.abc import Callable, Mapping


def has_display(
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    x_answers: Callable[[], bool] | None = None,
) -> bool:
    """Whether a window can be shown. A `DISPLAY` that nobody serves does not count: Qt would abort on it."""
    if not platform.startswith("linux"):
        return True
    if environment.get("WAYLAND_DISPLAY"):
        return True
    return bool(environment.get("DISPLAY")) and (x_answers or _x_answers)()


def _x_answers() -> bool:
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return False
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    if not display:
        return False
    x11.XCloseDisplay(display)
    return True
