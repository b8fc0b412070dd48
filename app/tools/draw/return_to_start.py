"""The scene holds the start: whoever draws goes back to it, and what has run stays as a run."""

from __future__ import annotations

from app.session.session import Session


def to_start(session: Session) -> bool:
    """Pause and rewind, if anything has moved; whether that was needed."""
    run = session.current
    if run is None or run.empty or not (run.moved or session.state == "playing"):
        return False
    if session.state == "compiling" and session.t == run.t_first:
        return False  # on its way there
    session.transport.pause()
    session.transport.seek(run.t_first)  # the start is on show at once, while the new run is made
    session.lifecycle.reset()
    session.message.emit("info", "Back at the start: drawing edits how the scene begins", None)
    return True
