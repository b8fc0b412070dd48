"""Runs are made, and kernels got ready, on a thread; only the newest order counts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.session.background.compiler_process import CompilerProcess
from app.session.background.latest_only import LatestOnly, Order
from app.session.background.picture_first import pause_before
from app.session.background.python_child import warmup_command
from app.session.recorded.run import Run
from engine.errors import Problem, SceneError
from engine.model.files.scene_file import save_scene
from engine.model.scene import Scene
from engine.results.channels import listed
from engine.simulation.live.live_simulation import LiveSimulation, StateTransfer
from engine.simulation.warmup import kernels_ready
from engine.solvers.catalogue import find_method
from engine.system.prepared import prepare


@dataclass(frozen=True)
class Built:
    """What became of a scene: a simulation, its problems, or neither after a fault of the program."""

    run: Run
    simulation: LiveSimulation | None
    problems: tuple[Problem, ...] = ()


class Builder:
    """`warm`: have missing kernels compiled by another process; `waiting` is told when that begins."""

    def __init__(self, fault: Callable[[str], object], waiting: Callable[[], object], *, warm: bool) -> None:
        self.worker = LatestOnly("trammel-worker", fault)
        self.compiler = CompilerProcess()
        self.progress = ""  # what is being compiled
        self.warm = warm
        self._waiting = waiting
        self._seen: Scene | None = None  # of the last run: the window has drawn it

    def forget(self) -> None:
        """What is being made is no longer wanted."""
        self.worker.forget()
        self.progress = ""
        self.compiler.kill()  # what it has compiled so far stays

    def make_run(
        self, run: Run, done: Callable[[Built], object], transfer: StateTransfer | None = None
    ) -> None:
        """Compile and assemble the scene of a run, or carry a state into it; `done` is told what became."""
        self.forget()
        pause = 0.0 if run.scene is self._seen else pause_before(run.scene)
        self._seen = run.scene
        self.worker.order(lambda order: self._make_run(order, run, done, transfer), delay=pause)

    def have_kernels(self, scene: Scene, done: Callable[[tuple[Problem, ...]], object]) -> None:
        """See to it that the kernels of a scene are there; `done` is told its problems."""
        self.forget()
        self.worker.order(lambda order: self._have_kernels(order, scene, done), delay=pause_before(scene))

    def lacks_kernels(self, scene: Scene) -> bool:
        """Whether kernels of a scene have still to be compiled: not by who asks, whom it would hold up."""
        if not self.warm:
            return False
        try:
            mechanism = prepare(scene).refuse_problems().watched
            return not kernels_ready(mechanism, find_method(mechanism.scene.simulation.method))
        except SceneError:
            return False

    # on the thread

    def _make_run(
        self, order: Order, run: Run, done: Callable[[Built], object], transfer: StateTransfer | None
    ) -> None:
        try:
            self._ensure_kernels(order, run.scene)
            built = Built(run, LiveSimulation(run.scene, record=run.record, transfer=transfer))
            for segment in run.record.segments[-1:]:
                # what takes long where there are many bodies: here nobody waits for it
                listed(segment.mechanism)
                run.is_unique("")
        except SceneError as error:
            built = Built(run, None, error.problems)
        except Exception:
            self._tell(order, lambda: done(Built(run, None)))
            raise  # the worker tells of it
        self._tell(order, lambda: done(built))

    def _have_kernels(
        self, order: Order, scene: Scene, done: Callable[[tuple[Problem, ...]], object]
    ) -> None:
        problems: tuple[Problem, ...] = ()
        try:
            self._ensure_kernels(order, scene)
        except SceneError as error:
            problems = error.problems
        self._tell(order, lambda: done(problems))

    def _ensure_kernels(self, order: Order, scene: Scene) -> None:
        mechanism = prepare(scene).refuse_problems().watched
        method = find_method(mechanism.scene.simulation.method)
        if not self.warm or kernels_ready(mechanism, method):
            return

        def progress(text: str) -> None:
            if order.wanted:
                self.progress = text

        order.tell(self._waiting)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.json"
            save_scene(scene, path)
            try:
                code = self.compiler.run(warmup_command(str(path)), progress, lambda: order.wanted)
            except OSError as error:
                code, text = 1, f"the numerical kernels cannot be compiled: {error}"
            else:
                text = f"compiling the numerical kernels was broken off (exit code {code})"
        if code:
            raise SceneError([Problem("", None, text, "press Back to start to try again")])

    def _tell(self, order: Order, call: Callable[[], object]) -> None:
        def told() -> None:
            self.progress = ""
            call()

        order.tell(told)
