"""From the given pose to a closed one: what is wanted, which ways are tried, what is said when none closes.

Joint coordinates with a `start` value are rows like those of the joints. When no closed pose has them all,
the nearest one is taken; a miss of more than a hundredth (rad, or of the mechanism's length) is an error.
Beyond that the given pose is kept in this order, as far as the rest can be closed: coordinates that motions
drive, coordinates that motors drive, bodies with `hold` "pose" or "both"; of all others, the least change.
A held body that must give way moves last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.elements.field_units import coordinate_unit
from engine.elements.primitives import PRIMITIVES, combination
from engine.errors import CompileError, Problem, SceneEdit
from engine.model.scene import kind_of
from engine.system.assembly.driven_coordinates import Driven
from engine.system.assembly.position_problem import Pose, PositionProblem, Target
from engine.system.assembly.scaling import Scales
from engine.system.compiling.frames import fault
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

LAST = 1e-3  # how far a held body moves for what another one moves
WEAK = 1e-3  # weight of start values that cannot all be met
MISS = 1e-2  # rad or lengths: start values that are missed by more are refused
NOTED = 1e-9  # misses that are worth a note
RESTARTS = 12  # kicked guesses when the nearest way does not close
RESTARTS_WITH_TARGETS = 3  # a start value may well be impossible
MAX_STEPS = 600  # of all restarts: one that may close does so in some dozens
MAX_MOTIONS = 24  # each is left out in turn where the start does not close
KICK = 0.5  # rad or lengths, of the first restart; grows
MAX_EQUAL_TRIES = 5  # tries that end equally open say that it cannot be closed
EQUAL_SHARE = 0.02  # share by which such ends may differ
SHOWN = 4  # joints named in a message


def wanted_values(mechanism: Mechanism, scales: Scales) -> list[Target]:
    found = []
    for joint in mechanism.scene.joints:
        for name, start in getattr(joint, "start", {}).items():
            if start.value is not None:
                unit = coordinate_unit(name)
                coordinate_function = mechanism.coordinates[joint.name, name]
                value, size = float(start.value), scales.coordinate(unit)
                found.append(Target(joint.name, name, coordinate_function, value, size, unit))
    return found


def references(
    mechanism: Mechanism, evaluator: Evaluator, t: float, q: Array, targets: Sequence[Target]
) -> Array:
    """Tracked angles begin in (−π, π], or within half a turn of what a start value or motion asks for.

    Angles that a gear or another combination reads begin at the given pose: there whole turns matter, so
    they are walked.
    """
    system = mechanism.system
    evaluator.work.coordinate[:, COORDINATE_VALUE.REFERENCE] = 0.0
    evaluator.at(t, q)
    combined = _combined(mechanism)
    wanted = {target.coordinate_function: target.value for target in targets}
    motions = {motion.name: motion for motion in mechanism.scene.motions}
    for name, span in mechanism.motion_rows.items():
        for r in range(span.begin, span.end):
            if not system.rows[r, ROW.VELOCITY]:
                value = float(evaluator.work.row[r, ROW_VALUE.F])
                wanted[int(system.rows[r, ROW.COORDINATE])] = value
                wanted[_driven(mechanism, motions[name])] = value
    return np.array(
        [
            wanted[g]
            if g in wanted and g not in combined
            else evaluator.work.coordinate[g, COORDINATE_VALUE.VALUE]
            for g in map(int, system.tracked)
        ],
        dtype=float,
    )


def _driven(mechanism: Mechanism, motion: Any) -> int:
    """Coordinate function of the joint coordinate that a motion prescribes, or -1."""
    moved = kind_of(motion).moves(motion)
    return mechanism.coordinates.get(moved[1:], -1) if moved.owner == "joint" else -1


def _combined(mechanism: Mechanism) -> set[int]:
    """Coordinate functions that combinations (gears, belts, couplers) add up."""
    system = mechanism.system
    span = system.ranges[PRIMITIVES.names.index(combination.KIND.name)]
    found: set[int] = set()
    for entry in system.entries[span[SPAN.BEGIN] : span[SPAN.END]]:
        found.update(
            map(
                int,
                system.links[entry[combination.COORDINATES_BEGIN] : entry[combination.COORDINATES_END], 1],
            )
        )
    return found


def wrapped(mechanism: Mechanism, angles: Array, targets: Sequence[Target]) -> Array:
    """Angles whose whole turns mean nothing, brought back to (−π, π]."""
    kept = _combined(mechanism) | {target.coordinate_function for target in targets}
    kept |= set(map(int, mechanism.system.rows[:, ROW.COORDINATE]))
    kept |= {_driven(mechanism, motion) for motion in mechanism.scene.motions}
    turns = np.ceil((angles - np.pi) / (2.0 * np.pi))
    free = np.array([int(g) not in kept for g in mechanism.system.tracked], dtype=bool)
    return np.where(free, angles - 2.0 * np.pi * turns, angles)


def close(
    problem: PositionProblem, given: Array, angles: Array, targets: Sequence[Target], driven: Driven
) -> Pose:
    """The nearest closed pose, with what is driven where it was; raises CompileError with what stays open."""
    mechanism, column = problem.mechanism, problem.scales.column

    def good(pose: Pose) -> bool:
        return pose.closed and not problem.turned_over(pose.q, given)

    start = problem.pose(given, angles, targets)
    if good(start):
        return start
    still = held(mechanism, "pose")
    weighted = np.where(still, LAST, 1.0) * column
    pose = start
    for kept in driven.tiers:
        for columns in (np.where(still, 0.0, column), weighted) if still.any() else (weighted,):
            pose = problem.solve(given, angles, targets=(*targets, *kept), columns=columns)
            if good(pose):
                return pose
    found = _other_ways(problem, pose, targets, weighted, good)
    if found is None and targets:
        # what can be had without all start values
        near = problem.solve(given, angles, targets=targets, columns=weighted, weight=WEAK)
        pose = problem.solve(near.q, near.angles, columns=weighted)
        found = pose if good(pose) else _other_ways(problem, pose, (), weighted, good)
    if found is not None:
        return found
    elsewhere = _begins_elsewhere(problem, given, angles, weighted)
    if elsewhere is not None:
        raise CompileError([elsewhere])
    raise _open_error(problem, problem.solve(given, angles, columns=weighted), given)


def _other_ways(
    problem: PositionProblem,
    stuck: Pose,
    targets: Sequence[Target],
    columns: Array,
    good: Callable[[Pose], bool],
) -> Pose | None:
    """A closed pose by kicks from where the solution got stuck; None when they end alike or lead nowhere."""
    random = np.random.default_rng(1)
    ends: list[float] = []
    steps = 0
    for k in range(RESTARTS_WITH_TARGETS if targets else RESTARTS):
        kick = random.normal(size=len(columns)) * columns * KICK * (1.0 + k / 2.0)
        guess = problem.evaluator.retract(stuck.q, kick)
        pose = problem.solve(guess, stuck.angles, targets=targets, columns=columns)
        if good(pose):
            return pose
        ends.append(pose.open)
        steps += pose.steps
        if steps > MAX_STEPS:
            return None
        if not pose.closed and sum(end < (1.0 + EQUAL_SHARE) * min(ends) for end in ends) >= MAX_EQUAL_TRIES:
            return None
    return None


def held(mechanism: Mechanism, what: str) -> Any:
    """Which velocity coordinates belong to bodies that hold their pose, or their velocity."""
    width = 3 if mechanism.planar else 6
    holds = [body.hold in (what, "both") for body in mechanism.scene.bodies if not body.fixed]
    return np.repeat(np.array(holds, dtype=bool), width)


def _begins_elsewhere(
    problem: PositionProblem, given: Array, angles: Array, columns: Array
) -> Problem | None:
    """The only motion without which the rest closes: it asks for a value that the joints do not allow."""
    mechanism = problem.mechanism
    motions = {
        motion.name: motion for motion in mechanism.scene.motions if motion.name in mechanism.motion_rows
    }
    if len(motions) > MAX_MOTIONS:
        return None
    closed: dict[str, Pose] = {}
    for name in motions:
        pose = problem.without(name).solve(given, angles, columns=columns)
        if pose.closed:
            closed[name] = pose
    if len(closed) != 1:
        return None
    ((name, pose),) = closed.items()
    row = mechanism.motion_rows[name].begin
    unit = mechanism.rows[row].unit
    problem.evaluator.at(problem.t, pose.q, angles=pose.angles)
    asked = float(problem.evaluator.work.row[row, ROW_VALUE.F]) + 0.0  # no −0
    reached = float(
        problem.evaluator.work.coordinate[mechanism.system.rows[row, ROW.COORDINATE], COORDINATE_VALUE.VALUE]
    )
    text = (
        f"motion {name!r} begins at {asked:.6g} {unit}, which the joints do not allow; the nearest pose that "
        f"closes has {reached:.6g} {unit}"
    )
    function = getattr(motions[name], "function", None)
    remedy = "let its function begin there"
    if not isinstance(function, str | float | int):  # a table
        return Problem(f"motions.{name}", asked, text, remedy)
    begun = f"{function} + {reached - asked:.12g}" if isinstance(function, str) else reached
    edit = SceneEdit(f"motions.{name}.function", begun)
    return Problem(f"motions.{name}", asked, text, f"{remedy}: {begun}", (edit,))


def _open_error(problem: PositionProblem, pose: Pose, given: Array) -> CompileError:
    """What stays open, worst first."""
    mechanism = problem.mechanism
    turned = problem.turned_over(pose.q, given) if pose.closed else []
    if turned:
        text = f"joint {turned[0]!r} closes only with its axis turned over"
        return fault(
            f"joints.{turned[0]}", None, text, "give the two bodies poses nearer to the assembled one"
        )
    r = problem.residual(pose.q, pose.angles, ()) * problem.scales.row
    worst: list[tuple[float, str, str, str]] = []
    for kind, spans in (("joint", mechanism.joint_rows), ("motion", mechanism.motion_rows)):
        for name, span in spans.items():
            for unit in ("m", "rad"):
                rows = [
                    i
                    for i in range(span.begin, span.end)
                    if mechanism.rows[i].unit.startswith("m") == (unit == "m")
                ]
                gap = float(np.linalg.norm(r[rows]))
                size = problem.scales.length if unit == "m" else 1.0
                worst.append((gap / size, kind, name, f"{gap:.3g} {unit}"))
    worst.sort(reverse=True)
    clear = [item for item in worst if item[0] > 10.0 * problem.rounding(pose.q, ())]
    worst = clear or worst[:1]  # an error names a culprit, however little is left open
    remedy = "check the lengths and anchors of these joints, or move the bodies nearer to a pose that closes"
    return CompileError(
        Problem(f"{kind}s.{name}", gap, f"{kind} {name!r} stays open by {gap}", remedy)
        for _, kind, name, gap in worst[:SHOWN]
    )


def judge(problem: PositionProblem, pose: Pose, targets: Sequence[Target]) -> tuple[str, ...]:
    """Notes on start values that are nearly met; raises CompileError for those that are not."""
    problem.evaluator.at(problem.t, pose.q, angles=pose.angles)
    value = problem.evaluator.work.coordinate[:, COORDINATE_VALUE.VALUE]
    notes, problems = [], []
    for target in targets:
        found = float(value[target.coordinate_function])
        miss = abs(found - target.value)
        where = f"joint {target.joint!r}: {target.coordinate}"
        if miss > MISS * target.size:
            text = f"{where} cannot start at {target.value:g} {target.unit}; the nearest found is {found:.4g}"
            remedy = "give a value that the constraints allow, or leave it out"
            path = f"joints.{target.joint}.start.{target.coordinate}"
            problems.append(Problem(path, target.value, text, remedy))
        elif miss > NOTED * max(target.size, abs(target.value)):
            notes.append(f"{where} starts at {found:.9g} {target.unit}, not at {target.value:.9g}")
    if problems:
        raise CompileError(problems)
    return tuple(notes)
