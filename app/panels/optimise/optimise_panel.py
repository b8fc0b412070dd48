"""Optimise: let parameters vary, say what is wanted, watch the cost fall and the best as a ghost."""

from __future__ import annotations

import re
from contextlib import suppress

from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.document.document import Edit
from app.exchange.runs.opening import replay_of
from app.panels.base import PanelKind
from app.panels.optimise.given_goal import MOST, GivenGoal, limits_text
from app.panels.optimise.variable_table import VariableTable
from app.platform.appearance import Look, label, restyle, thin_progress, title_bar, tool_button
from app.platform.units import UnitError
from app.session.background.jobs.optimise_job import OptimiseJob
from app.session.recorded.run import Run
from app.session.session import Session
from app.widgets.charts.charts_view import ChartsView
from app.widgets.note_line import NoteLine
from engine.errors import SceneError
from engine.results.channels import Channels
from engine.results.trajectory import Trajectory
from engine.studies.column_units import column_units
from engine.studies.objectives import REDUCTIONS, Objective
from engine.studies.optimisation.cost_chart import cost_chart
from engine.studies.optimisation.goal import Limit
from engine.studies.optimisation.optimise import Optimum
from engine.studies.optimisation.searches import SEARCHES
from engine.studies.study import Study
from engine.studies.variables.interval import Interval
from engine.system.prepared import prepare

LOOK_EVERY = 100  # ms between two looks at the search
PATIENCE = 3.0  # s for a search to end when the window closes
SENSES = (
    ("as small as it can be", "minimise"),
    ("as large as it can be", "maximise"),
    ("equal to", "target"),
)
WANTED = "wanted"  # name of the one objective
LIMIT = re.compile(r"(.+?)\s*(<=|>=|≤|≥|<|>)\s*([-+.\deE]+)")
GHOST = "Best so far"


class OptimisePanel(QWidget):
    """One search at a time. Nothing of the scene changes until it is applied, as one step."""

    def __init__(self, session: Session, look: Look, workers: int | None = None) -> None:
        super().__init__()
        self.setObjectName("optimise")
        self._session, self._look, self._workers = session, look, workers
        self._job: OptimiseJob | None = None
        self._ending: list[OptimiseJob] = []
        self._found: Optimum | None = None
        self._shown: Trajectory | None = None
        self._ghost: Run | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look_at_job)

        self._make_bar()
        self._make_fields()
        self.charts = ChartsView(look, "optimise.charts")
        self.answer = label("", "", "optimise.answer")
        self.answer.setWordWrap(True)
        parts = QSplitter()
        for part in (self.variables, self._form(), self._outcome()):
            parts.addWidget(part)
        parts.setSizes([360, 360, 480])
        body = QHBoxLayout(self)
        body.setContentsMargins(4, 2, 4, 2)
        body.addWidget(parts)

        self._start.clicked.connect(self.run)
        self._stop.clicked.connect(self.stop)
        self._apply.clicked.connect(self.apply)
        self.sense.currentIndexChanged.connect(self._sense_chosen)
        self.goal.changed.connect(self._goal_chosen)
        session.document.changed.connect(self._scene_changed)
        look.changed.connect(self._dressed)
        self._sense_chosen()
        self.catch_up()
        self._refresh()

    def _make_bar(self) -> None:
        look = self._look
        self._start = tool_button(look, "optimise.run", "play", "Search the best values")
        self._stop = tool_button(
            look, "optimise.stop", "close", "Stop the search; the best so far can be applied"
        )
        self._apply = tool_button(
            look, "optimise.apply", "check", "Take the best values into the scene: one undo takes them back"
        )
        self.progress = thin_progress("optimise.progress", 120)
        self.note = NoteLine("", "optimise.note")
        self.bar = title_bar(self, "optimise.bar")
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(4, 1, 4, 1)
        for widget in (self._start, self._stop, self._apply, self.progress, self.note):
            row.addWidget(widget)
        row.addStretch(1)

    def _make_fields(self) -> None:
        self.variables = VariableTable(self._look)
        self.goal = GivenGoal(self._look)
        self.expression = QLineEdit()
        self.expression.setObjectName("optimise.expression")
        self.expression.setPlaceholderText("body.slider.pos.x")
        self.expression.setToolTip("A channel or an expression of channels and parameters")
        self.reduce = _choice(
            "optimise.reduce", [(f"{kind.name}: {kind.summary}", kind.name) for kind in REDUCTIONS]
        )
        self.sense = _choice("optimise.sense", SENSES)
        self.target = QLineEdit("0")
        self.target.setObjectName("optimise.target")
        self.target.setToolTip("The value to be met; a unit may be written, such as 25 mm or 30 deg")
        self.limits = QLineEdit()
        self.limits.setObjectName("optimise.limits")
        self.limits.setPlaceholderText("r + h <= 0.18 ; L > 0.1")
        self.limits.setToolTip(
            "Limits on expressions of parameters in SI units, with semicolons between them"
        )
        self.search = _choice("optimise.search", [(kind.title, kind.name) for kind in SEARCHES])
        self.search.setToolTip("\n".join(f"{kind.title}: {kind.summary}" for kind in SEARCHES))
        self.budget = QSpinBox()
        self.budget.setObjectName("optimise.budget")
        self.budget.setRange(5, 100_000)
        self.budget.setValue(200)
        self.budget.setToolTip("At most so many runs")
        self._reason = label("", "wrong", "optimise.reason")
        self._reason.setWordWrap(True)

    def _form(self) -> QWidget:
        """What is wanted, how to search it, and why that cannot be."""
        form = self._rows = QFormLayout()
        wanted = self._wanted = QHBoxLayout()
        wanted.addWidget(self.sense, 1)
        wanted.addWidget(self.target)
        for title, field in (
            ("Make", self.expression),
            ("of the run", self.reduce),
            ("", wanted),
            ("Limits", self.limits),
            ("Search", self.search),
            ("Runs", self.budget),
        ):
            name = title.replace(" ", "_").lower() or "target"
            form.addRow(label(title, name=f"optimise.{name}.title"), field)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.goal)
        column.addLayout(form)
        column.addWidget(self._reason)
        column.addStretch(1)
        return side

    def _outcome(self) -> QWidget:
        """The answer above its charts."""
        right = QWidget()
        stack = QVBoxLayout(right)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.addWidget(self.answer)
        stack.addWidget(self.charts, 1)
        return right

    # what others may call

    @property
    def busy(self) -> bool:
        return self._job is not None

    def catch_up(self, *_: object) -> None:
        """The parameters and channels of the scene as it is now; asked for when the panel comes into view."""
        scene = self._session.document.scene
        self.variables.show_scene(scene)
        prepared = prepare(scene)
        names: list[str] = []
        if scene.bodies and not prepared.problems:
            with suppress(SceneError):  # a measure of a channel that there is not
                names = list(Channels(prepared.mechanism).names())
        self.expression.setCompleter(QCompleter(names, self.expression))

    def show_study(self, study: Study) -> None:
        """Take over the goal, the variables and the limits of a study that was opened."""
        self.stop()
        self.variables.show_scene(self._session.document.scene)
        self.variables.show_ranges([one for one in study.vary if isinstance(one, Interval)])
        self.limits.setText(limits_text(study))
        self.goal.show_study(study)
        self._complain("")

    def study(self) -> Study:
        """What the form asks, or the goal that was opened; raises ValueError or SceneError."""
        scene, limits = self._session.document.scene, _limits(self.limits.text())
        if self.goal.study is not None:
            more = self.goal.varies_too(self.variables.paths())
            vary = (*self.variables.variables(needed=not more), *more)
            kept = (*limits, *self.goal.limits())
            return replace(self.goal.study, scene=scene, vary=vary, limits=kept).refuse_problems()
        text = self.expression.text().strip()
        if not text:
            raise ValueError("nothing is wanted: give a channel, such as joint.J1.reaction.fx")
        objective = Objective(name=WANTED, expression=text, reduce=str(self.reduce.currentData()))
        sense = self.sense.currentData()
        study = Study(
            scene, title=text, vary=self.variables.variables(), objectives=(objective,), limits=limits
        ).refuse_problems()
        target = self._target(column_units(study)[WANTED]) if sense == "target" else 0.0
        return study.with_goal(WANTED, sense, target=target)

    def _target(self, unit: str) -> float:
        """In display units, unless another one is written."""
        try:
            found = self._look.units.parse(self.target.text(), unit)
        except UnitError as error:
            raise ValueError(f"the target: {error}") from None
        if isinstance(found, str):
            raise ValueError(f"the target {self.target.text()!r} is no number")
        return found

    def run(self) -> None:
        """Begin; one that still runs is stopped."""
        self.stop()
        try:
            study = self.study()
        except SceneError as error:
            self._complain(f"{error.problems[0].message}: {error.problems[0].remedy}")
            return
        except ValueError as error:
            self._complain(str(error))
            return
        self._complain("")
        self._found = None
        own = self._session.document.path
        search, folder = str(self.search.currentData()), own.parent if own is not None else None
        self._job = OptimiseJob(study, search, self.budget.value(), self._workers, folder)
        self._timer.start()
        self._refresh()

    def stop(self) -> None:
        """End it soon; what it has found stays."""
        if self._job is not None:
            self._job.cancel()

    def apply(self) -> None:
        """The best values become those of the scene, as one step."""
        found = self._found
        if found is None or not found.edits:
            return
        if found.study.scene is not self._session.document.scene:
            self._session.message.emit("warning", "the scene has changed since: search again", None)
            return
        self._drop_ghost()
        self._session.document.apply(Edit("Optimise", found.scene))

    def shutdown(self) -> bool:
        """End the thread and its processes; False when it did not end in time."""
        self._timer.stop()
        self.stop()
        return self._job is None or self._job.wait(PATIENCE)

    # the search

    def _look_at_job(self) -> None:
        job = self._job
        if job is None:
            return
        standing = job.standing
        if standing is not None:
            self.progress.setValue(round(1000 * standing.tried / standing.budget))
            self.note.setText(standing.words)
            if standing.costs:
                self.charts.show_charts([cost_chart(standing.costs)])
        if job.shown is not None and job.shown is not self._shown:
            self._show_ghost(job.shown)
        if job.done:
            self._timer.stop()
            self._job = None
            self._finished(job)

    def _finished(self, job: OptimiseJob) -> None:
        self._found = job.result
        if job.error:
            self._complain(job.error)
        if job.result is not None:
            self.charts.show_charts([cost_chart(job.result.costs)] if job.result.costs else [])
            self.answer.setText(self._words(job.result))
        self._refresh()

    def _words(self, found: Optimum) -> str:
        if found.best is None:
            return found.summary()
        units = {f"parameters.{p.name}": p.unit for p in found.study.scene.parameters}
        values = ", ".join(
            f"{path.partition('.')[2]} = {self._look.units.full_text(value, units.get(path, ''))}"
            for path, value in zip(found.study.columns, found.best.values, strict=True)
        )
        units |= column_units(found.study)
        names = [objective.name for objective in found.study.objectives]
        before = dict(zip(names, found.first.objectives, strict=False))
        answers = []
        for name, value in list(zip(names, found.best.objectives, strict=True))[:MOST]:
            now, was = (
                None if one is None else self._look.units.full_text(one, units.get(name, ""))
                for one in (value, before.get(name))
            )
            what = "" if names == [WANTED] else f"{name} "
            answers.append(f"{what}{now or 'nothing'}" + (f" (was {was})" if was else ""))
        return f"{values}: {', '.join(answers)}. {found.summary()}."

    def _show_ghost(self, trajectory: Trajectory) -> None:
        self._drop_ghost()
        self._shown = trajectory
        runs = self._session.runs
        self._ghost = replay_of(
            trajectory, runs.new_id(), name=GHOST, budget=runs.budget, color=runs.free_color()
        )
        runs.add(self._ghost)
        runs.set_ghost(self._ghost)

    def _drop_ghost(self) -> None:
        if self._ghost is not None and self._ghost in list(self._session.runs):
            self._session.runs.remove(self._ghost)
        self._ghost = self._shown = None

    # the form

    def _sense_chosen(self, *_: object) -> None:
        self.target.setVisible(self.goal.study is None and self.sense.currentData() == "target")

    def _goal_chosen(self) -> None:
        """A goal that was opened stands in place of the fields that say one."""
        for field in (self.expression, self.reduce, self._wanted):
            self._rows.setRowVisible(field, self.goal.study is None)
        self._sense_chosen()

    def _complain(self, reason: str) -> None:
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        restyle(self._reason)

    def _refresh(self) -> None:
        self._start.setEnabled(not self.busy)
        self._stop.setEnabled(self.busy)
        self._apply.setEnabled(not self.busy and self._found is not None and bool(self._found.edits))
        self.progress.setVisible(self.busy)
        if not self.busy:
            self.note.setText("")

    def _dressed(self) -> None:
        self.variables.show_scene(self._session.document.scene)
        self.goal.dress()

    def _scene_changed(self, change: object) -> None:
        if getattr(change, "reset", False):
            self.stop()
            self._ghost = self._shown = self._found = None
            self.answer.setText("")
            self.charts.show_charts(())
            self.goal.show_study(None)
        if self.isVisible():
            self.catch_up()
        self._refresh()


def _choice(name: str, entries: object) -> QComboBox:
    box = QComboBox()
    box.setObjectName(name)
    for title, value in entries:  # type: ignore[attr-defined]
        box.addItem(title, value)
    return box


def _limits(words: str) -> tuple[Limit, ...]:
    """Limits between semicolons; raises ValueError."""
    found = []
    for part in filter(None, (part.strip() for part in words.split(";"))):
        match = LIMIT.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is no limit: write for instance r + h <= 0.18")
        bound = float(match[3])
        below = match[2] in ("<=", "≤", "<")
        found.append(
            Limit(expression=match[1], max=bound) if below else Limit(expression=match[1], min=bound)
        )
    return tuple(found)


PANEL = PanelKind(
    "optimise",
    "Optimise",
    "analyses",
    "bottom",
    lambda given: OptimisePanel(given.session, given.look),
    hidden=True,
    also="search synthesis best goal fit",
)
