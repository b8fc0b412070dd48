"""The window draws a large scene before threads work on it: Python has one thread at a time."""

from engine.model.scene import Scene

MANY_BODIES = 200  # of a scene: more take long to draw anew
PAUSE = 0.35  # s


def pause_before(scene: Scene) -> float:
    """How long a thread should leave the window alone with a new scene [s]."""
    return PAUSE if len(scene.bodies) > MANY_BODIES else 0.0
