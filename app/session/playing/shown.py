"""What the picture shows: the scene, and its bodies at the playhead or where a hand has put them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.document import Document
from app.session.playing.phases import Phases
from app.session.playing.playhead import Playhead
from app.session.recorded.run import Pulled
from app.session.recorded.run_list import RunList
from engine.model.poses import Poses, given_poses
from engine.model.scene import Scene


class Shown(QObject):
    """Looked up when asked for; only poses by hand are kept here."""

    posed = Signal()  # bodies are being moved by hand, or no longer

    def __init__(
        self, document: Document, runs: RunList, playhead: Playhead, phases: Phases, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._runs = runs
        self._playhead = playhead
        self._phases = phases
        self._by_hand: Poses | None = None
        self._given: tuple[Scene, Poses] | None = None  # worked out when asked for, of that scene

    @property
    def scene(self) -> Scene:
        """The document, where it is being edited; an instant that was recorded before, or another run,
        with the scene that it was computed from."""
        run = self._runs.current
        edited = self._phases.compiling or (self._playhead.live and run is not None and run.kind == "live")
        if run is None or run.empty or edited:
            return self._document.scene
        return run.scene_at(self._playhead.t)

    def poses(self) -> Poses:
        """Where all bodies are at the playhead; before there is a run, as the scene gives them."""
        return self._recorded() if self._by_hand is None else {**self._recorded(), **self._by_hand}

    def pulled(self) -> Pulled | None:
        """How the mouse pulls at the playhead."""
        run = self._runs.current
        return None if run is None or run.empty else run.pulled_at(self._playhead.t)

    def _recorded(self) -> Poses:
        run = self._runs.current
        if run is not None and not run.empty:
            return run.poses_at(self._playhead.t)
        scene = self._document.scene
        if self._given is None or self._given[0] is not scene:
            self._given = (scene, given_poses(scene))
        return self._given[1]

    # by hand

    @property
    def by_hand(self) -> bool:
        """Whether bodies are shown where a hand has put them, not where the run has."""
        return self._by_hand is not None

    def pose_by_hand(self, poses: Poses | None) -> None:
        """Show these bodies there until a run begins from such a start; None: as they were."""
        self._by_hand = poses
        self.posed.emit()

    def let_go(self) -> None:
        """What was posed by hand is over; not told, as another picture follows."""
        self._by_hand = None
