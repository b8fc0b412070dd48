"""Assembly branches: other poses in which the same mechanism can be put together.

The degrees of freedom are held at the present values of as many joint coordinates, motions at their present
instant, so that poses are isolated. From scattered guesses each closed pose that is found is kept when it is
a new one. Nothing proves that none is missing: the answer says how often each was met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import scipy
from msgspec import Struct

from engine.analyses.answers.result import Cell, Column, Mention, Result, Suggestion, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.kinematics.poses import body_poses
from engine.analyses.kinematics.undriven import coordinates_here, drivers, target_of
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.layout import Array
from engine.elements.fields import number
from engine.errors import CompileError
from engine.system.assembly.assemble import displacements
from engine.system.assembly.position_problem import Pose, PositionProblem, Target
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.assembly.strategies import references, wanted_values
from engine.system.equations.pose_table import point

TRIES = 60
MAX_TRIES = 5000
POSE_TOLERANCE = 1e-5  # rad or lengths: poses that differ by less are one
ROUGH_CLOSURE = 1e-5  # norm of what is open at which closing is left to the exact solver
ROUGH_STEPS = 120
DAMPING, MILDEST, FLOOR = 1e-2, 1e-5, 1e-12
MAX_STEP = 0.5  # rad or lengths: largest step
GIVE_UP = 8  # steps without gain
INPUT = 0.2  # of the largest motion: the first coordinate of the scene that moves this much is an input
NOTICEABLE = 1e-9  # m
NAMED = 3  # bodies in a sentence
SHOWN = 12  # branches that are offered


class BranchOptions(Struct, frozen=True, kw_only=True):
    """How long to look."""

    tries: Annotated[
        int,
        number("Tries", description="guesses from which to close", ge=1.0, le=float(MAX_TRIES)),
    ] = TRIES


@dataclass
class Branch:
    """A pose and how often it was met."""

    pose: Pose
    signature: Array
    met: int = 1


def run(question: Question) -> Result:
    """The branch that is there, then others."""
    options = question.options
    assert isinstance(options, BranchOptions)
    question.stage(0.0, "assembling")
    search = _Search(question)
    for k in range(options.tries):
        question.stage(0.05 + 0.95 * k / options.tries, f"found {len(search.found)}")
        search.attempt()
    return _result(question, search, options.tries)


class _Search:
    """Collects closed poses that differ."""

    def __init__(self, question: Question) -> None:
        self.evaluator, self.mechanism = question.evaluator, question.mechanism
        self.scales = scales_of(self.mechanism)
        self.t = question.t
        self.problem = PositionProblem(self.evaluator, self.scales, question.t)
        self.present: Pose | None = None
        try:
            start = question.start
            q, angles = start.q, start.angles
            self.present = self.problem.pose(q, angles, ())
        except CompileError:
            # as it is given it does not close; other guesses may
            q = np.array(self.mechanism.q, dtype=float)
            wanted = wanted_values(self.mechanism, self.scales)
            angles = references(self.mechanism, self.evaluator, question.t, q, wanted)
        self.q, self.angles = q, angles
        self.targets = self._held()
        self._random = np.random.default_rng(5)
        self._guesses = self._scatter()
        self.found: list[Branch] = []
        if self.present is not None:
            self.found.append(Branch(self.present, self._signature(q)))

    def attempt(self) -> None:
        """Close from another guess; keep what is new."""
        near = self._rough(next(self._guesses))
        if near is None:
            return
        pose = self.problem.solve(near, self.angles, targets=self.targets, columns=self.scales.column)
        if not pose.closed or self.problem.turned_over(pose.q, self.q):
            return
        signature = self._signature(pose.q)
        for branch in self.found:
            if np.max(np.abs(branch.signature - signature), initial=0.0) < POSE_TOLERANCE:
                branch.met += 1
                return
        self.found.append(Branch(pose, signature))

    # what is held

    def _held(self) -> list[Target]:
        """Joint coordinates at their present values, as many as there are degrees of freedom."""
        if not self.mechanism.rows:
            return []
        self.evaluator.at(self.t, self.q, angles=self.angles)
        J = self.scales.jacobian(self.evaluator.jacobian)
        chosen = drivers(coordinates_here(self.evaluator, self.scales), subspaces(J).null, INPUT)
        targets = [target_of(self.evaluator, self.scales, coordinate) for coordinate in chosen]
        return [target for target in targets if target is not None]

    def _signature(self, q: Array) -> Array:
        """Numbers by which poses are told apart: places of the joints, and angles of hinges.

        A body that spins about the line through its joints is in the same place for all others.
        """
        mechanism = self.mechanism
        pose = self.evaluator.at(self.t, q, angles=self.angles).work.pose
        parts = [
            point(pose, frame.body, frame.point) / self.scales.length
            for pair in mechanism.joint_frames.values()
            for frame in pair
            if frame.body < len(mechanism.bodies)
        ]
        hinges = [g for (_, name), g in mechanism.coordinates.items() if name == "angle"]
        angles = np.array(self.evaluator.work.coordinate[hinges, COORDINATE_VALUE.VALUE])
        return np.concatenate([*parts, np.cos(angles), np.sin(angles)])

    # closing

    def _rough(self, q: Array) -> Array | None:
        """Near a closed pose, by damped steps that cost little; None when the guess leads to none."""
        column = self.scales.column
        r = self.problem.residual(q, self.angles, self.targets)
        size, damping, worse = float(np.linalg.norm(r)), DAMPING, 0
        for _ in range(ROUGH_STEPS):
            if size < ROUGH_CLOSURE:
                return q
            A = self.problem.matrix(self.targets, column)
            H = A.T @ A
            H[np.diag_indices_from(H)] += damping * size**2 + FLOOR
            step = -np.linalg.solve(H, A.T @ r)
            step *= min(1.0, MAX_STEP / max(float(np.max(np.abs(step))), FLOOR))
            trial = self.evaluator.retract(q, step * column)
            r_trial = self.problem.residual(trial, self.angles, self.targets)
            new = float(np.linalg.norm(r_trial))
            if new < size:
                q, r, size, damping, worse = trial, r_trial, new, max(0.3 * damping, MILDEST), 0
            else:
                damping, worse = 8.0 * damping, worse + 1
                self.problem.residual(q, self.angles, self.targets)  # the matrix belongs to q again
                if worse > GIVE_UP:
                    return None
        return None

    # guesses

    def _scatter(self) -> Iterator[Array]:
        """Bodies turned about the axes of their joints, then thrown anywhere within the mechanism's size."""
        mechanism, random = self.mechanism, self._random
        for axis_turns in _forever():
            if mechanism.planar:
                table = self.q.reshape(-1, 3).copy()
                table[:, 2] += random.uniform(-np.pi, np.pi, len(table))
                table[:, :2] += random.normal(size=(len(table), 2)) * 0.5 * self.scales.length
                yield table.ravel()
                continue
            step = np.zeros(mechanism.nv).reshape(-1, 6)
            for b in range(len(mechanism.bodies)):
                axes = [f.axes[:, 2] for pair in mechanism.joint_frames.values() for f in pair if f.body == b]
                if axes and axis_turns:
                    step[b, 3:] = axes[int(random.integers(len(axes)))] * random.uniform(-np.pi, np.pi)
                else:
                    step[b, 3:] = scipy.spatial.transform.Rotation.random(random_state=random).as_rotvec()
            step[:, :3] = random.normal(size=(len(step), 3)) * 0.5 * self.scales.length
            yield self.evaluator.retract(self.q, step.ravel())


def _forever() -> Iterator[bool]:
    while True:
        yield True
        yield False


def _result(question: Question, search: _Search, tries: int) -> Result:
    found = search.found
    evaluator = question.evaluator
    present = search.present
    rows: list[tuple[Cell, ...]] = []
    suggestions = []
    order = found[:1] + sorted(found[1:], key=lambda branch: -branch.met) if present else found
    for k, branch in enumerate(order[: SHOWN + 1]):
        here = present is not None and k == 0
        moved = displacements(search.mechanism, evaluator, search.q, branch.pose.q)
        moving = sorted((name for name in moved if moved[name] > NOTICEABLE), key=lambda name: -moved[name])
        title = "present" if here else f"branch {k + (present is None)}"
        most: Cell = Mention("bodies", moving[0]) if moving and not here else "–"
        distance = moved[moving[0]] if moving and not here else 0.0
        rows.append((title, most, distance, _coordinates(search, branch), str(branch.met)))
        if not here:
            some = ", ".join(f"{name} by {moved[name]:.3g} m" for name in moving[:NAMED])
            suggestions.append(
                Suggestion(
                    f"Take {title}",
                    f"moves {some or 'nothing'}",
                    concerns=tuple(Mention("bodies", name) for name in moving),
                    poses=body_poses(evaluator, branch.pose.q),
                )
            )
    held = ", ".join(f"{target.coordinate} of {target.joint}" for target in search.targets)
    columns = (
        Column("Branch"),
        Column("Moves most"),
        Column("Distance", "m"),
        Column("Joints"),
        Column("Met"),
    )
    return Result(
        _summary(search, tries),
        tables=(Table("Branches", columns, tuple(rows), empty="No closed pose was found."),),
        notes=(*([f"Held as they are: {held}."] if held else []), *_more(search)),
        suggestions=tuple(suggestions),
    )


def _summary(search: _Search, tries: int) -> str:
    n = len(search.found)
    if not n:
        return f"No closed pose was found in {tries} tries; there may be one all the same."
    poses = "1 branch" if n == 1 else f"{n} branches"
    return f"Found {poses} in {tries} tries; there may be more."


def _more(search: _Search) -> list[str]:
    if len(search.found) > SHOWN + 1:
        return [f"Those met most often are shown: {SHOWN} of {len(search.found) - 1}."]
    return []


def _coordinates(search: _Search, branch: Branch) -> str:
    """The first joint coordinates, which tell branches apart."""
    coordinate_functions = search.evaluator.at(
        search.t, branch.pose.q, angles=branch.pose.angles
    ).coordinate_functions[:, 0]
    words = []
    for (joint, coordinate), coordinate_function in list(search.mechanism.coordinates.items())[:6]:
        value = float(coordinate_functions[coordinate_function])
        if coordinate == "angle":
            value = float(np.degrees(np.arctan2(np.sin(value), np.cos(value))))
            words.append(f"{joint} {value:.1f}°")
        else:
            words.append(f"{joint} {value:.4g} m")
    return ", ".join(words)


BRANCHES = Analysis(
    name="branches",
    title="Assembly branches",
    summary="Other poses in which the same bodies and joints can be put together, inputs held as they are.",
    options=BranchOptions,
    run=run,
    anywhere=True,
)
