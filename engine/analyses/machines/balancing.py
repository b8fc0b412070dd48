"""Balancing: what a mechanism shakes its foundation with, and counterweights that take it away.

    f = −Σ m a_c,     m_O = −Σ (c × m a_c + d(I ω)/dt)            shaking force, and moment about the origin

A counterweight of mass m at the point p of a body adds −m (a_B + (α× + ω×ω×) R p): linear in m and in
u = m p. With |p| given, m = |u|/|p| follows from u, so that least squares for all u and new masses alternate
until they agree. Of all sets of bodies the smallest is taken that leaves nothing; a set exists wherever the
common centre of mass can be brought to rest [Berkof 1969].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np
from msgspec.structs import replace

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Cell, Column, Mention, Result, Suggestion, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.machines.followed import AlongOptions, Followed, follow
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import Problem, SceneError
from engine.model.scene import Scene

STILL = 1e-12  # rad/s: a body that turns no faster does not turn
REPEATED = 1e-10  # of the largest singular value: products of which only a combination counts
SETTLED = 1e-14  # relative change of the masses after which they stay
BALANCED = 1e-9  # of the shaking force: what counts as nothing
TRIED = 400  # sets of bodies
ROUNDS = 60  # of masses and products
RADIUS = 0.3  # of the largest distance of a joint from the origin of its body, where none is given


class BalancingOptions(AlongOptions, frozen=True, kw_only=True):
    """Where counterweights may be."""

    bodies: Annotated[
        str,
        text("Bodies", "that may carry counterweights: a ; b; empty: as few as possible of all that turn"),
    ] = ""
    radius: Annotated[
        float,
        number("Radius", "m", "of the counterweights from the origins of their bodies; 0: chosen", ge=0.0),
    ] = 0.0


@dataclass(frozen=True)
class Counterweight:
    """A point mass at a point of a body, in its frame."""

    body: str
    mass: float  # kg
    point: Array  # (3,) m


def run(question: Question) -> Result:
    """Shaking force and moment, then counterweights."""
    options = question.options
    assert isinstance(options, BalancingOptions)
    question.stage(0.0, "following the motion")
    followed = follow(question, question.scene, options.duration)
    force, moment = shaking(followed)
    before = float(np.max(np.linalg.norm(force, axis=1)))
    question.stage(0.4, "placing counterweights")
    weights, _ = counterweights(question, followed, force, options)
    charts, tables, notes = (
        [_chart(followed, force, "Shaking force", "N")],
        [_peaks("As it is", force, moment)],
        [],
    )
    charts.append(_chart(followed, moment, "Shaking moment", "N·m"))
    if not followed.exact:
        notes.append(
            "not all degrees of freedom are driven: this is of a run, and balance changes its motion"
        )
    if not before > 0.0:
        return Result("Nothing shakes the foundation.", tables=tuple(tables), charts=tuple(charts))
    if not weights:
        words = f"The shaking force reaches {before:.4g} N; no counterweights were found that reduce it."
        return Result(words, tables=tuple(tables), charts=tuple(charts), notes=tuple(notes))
    question.stage(0.8, "following the balanced mechanism")
    scene = with_counterweights(question.scene, followed, weights)
    after = follow(question, scene, options.duration)
    force_after, moment_after = shaking(after)
    ratio = float(np.max(np.linalg.norm(force_after, axis=1))) / before
    tables += [_peaks("With counterweights", force_after, moment_after), _weights(weights)]
    charts.append(_chart(after, force_after, "Shaking force, balanced", "N"))
    charts.append(_chart(after, moment_after, "Shaking moment, balanced", "N·m"))
    many = f"{len(weights)} counterweight{'' if len(weights) == 1 else 's'}"
    total = sum(weight.mass for weight in weights)
    kept = "all of it" if ratio < BALANCED else f"{100.0 * (1.0 - ratio):.3g} %"
    return Result(
        f"The shaking force reaches {before:.4g} N; {many} of {total:.4g} kg in all take {kept} away.",
        tables=tuple(tables),
        charts=tuple(charts),
        notes=tuple(notes),
        suggestions=(
            Suggestion(
                f"Add {many}",
                f"{ratio:.2g} of the shaking force is left; masses, centres of mass and inertias change",
                concerns=tuple(Mention("bodies", weight.body) for weight in weights),
                replaced=tuple(("bodies", scene.body(weight.body)) for weight in weights),
            ),
        ),
    )


def shaking(followed: Followed) -> tuple[Array, Array]:
    """Force and moment about the origin on the foundation by inertia, shape (n, 3) each [N, N·m]."""
    reals = followed.mechanism.system.body_reals
    force, moment = np.zeros((len(followed.t), 3)), np.zeros((len(followed.t), 3))
    for b, body in enumerate(followed.mechanism.bodies):
        mass = float(reals[b, BODY_REAL.MASS])
        inertia = reals[b, BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(3, 3)
        c, a = followed.vector(f"body.{body}.com"), followed.vector(f"body.{body}.com.acc")
        w, alpha = followed.vector(f"body.{body}.omega"), followed.vector(f"body.{body}.alpha")
        R = followed.rotation(body)
        I_W = R @ inertia @ np.swapaxes(R, 1, 2)
        spin = np.einsum("nij,nj->ni", I_W, w)
        force -= mass * a
        moment -= mass * np.cross(c, a) + np.einsum("nij,nj->ni", I_W, alpha) + np.cross(w, spin)
    return force, moment


def counterweights(
    question: Question, followed: Followed, force: Array, options: BalancingOptions
) -> tuple[tuple[Counterweight, ...], float]:
    """The smallest set that leaves nothing of the force, or the one that leaves least, and what is left."""
    named = [part.strip() for part in options.bodies.split(";") if part.strip()]
    unknown = [name for name in named if name not in followed.mechanism.bodies]
    if unknown:
        remedy = f"known: {', '.join(followed.mechanism.bodies)}"
        raise SceneError(
            [Problem("options.bodies", unknown[0], f"there is no moving body {unknown[0]!r}", remedy)]
        )
    turning = [
        b for b in followed.mechanism.bodies if np.any(np.abs(followed.vector(f"body.{b}.omega")) > STILL)
    ]
    parts = {body: _columns(followed, body) for body in named or turning}
    radius = options.radius or _radius(followed)
    sets = [tuple(parts)] if named else [s for k in range(1, len(parts) + 1) for s in combinations(parts, k)]
    best: tuple[tuple[Counterweight, ...], float] = ((), 1.0)
    for i, bodies in enumerate(sets[:TRIED]):
        question.stage(0.4 + 0.4 * i / len(sets), "placing counterweights")
        weights, left = _placed(parts, bodies, force, radius, planar=followed.mechanism.planar)
        if left < best[1]:
            best = (weights, left)
        if left < BALANCED:
            break
    return best


def _columns(followed: Followed, body: str) -> tuple[Array, Array]:
    """What a unit mass at the origin of a body, and a unit of u along each of its axes, add to −f."""
    w, alpha, R = (
        followed.vector(f"body.{body}.omega"),
        followed.vector(f"body.{body}.alpha"),
        followed.rotation(body),
    )
    axes = []
    for k in range(2 if followed.mechanism.planar else 3):
        e = R[:, :, k]
        axes.append((np.cross(alpha, e) + np.cross(w, np.cross(w, e))).ravel())
    return followed.vector(f"body.{body}.acc").ravel(), np.array(axes).T


def _placed(
    parts: dict[str, tuple[Array, Array]],
    bodies: tuple[str, ...],
    force: Array,
    radius: float,
    *,
    planar: bool,
) -> tuple[tuple[Counterweight, ...], float]:
    """Counterweights on these bodies, and the share of the force that they leave."""
    columns = np.hstack([parts[body][1] for body in bodies])
    width = 2 if planar else 3
    masses = np.zeros(len(bodies))
    products = np.zeros((len(bodies), width))
    for _ in range(ROUNDS):
        wanted = force.ravel() - sum(m * parts[body][0] for m, body in zip(masses, bodies, strict=True))
        products[:] = np.linalg.lstsq(columns, wanted, rcond=REPEATED)[0].reshape(-1, width)
        new = np.asarray(np.linalg.norm(products, axis=1)) / radius
        done = np.allclose(new, masses, rtol=SETTLED, atol=0.0)
        masses = new
        if done:
            break
    left = force.ravel() - columns @ products.ravel()
    left = left - sum(m * parts[body][0] for m, body in zip(masses, bodies, strict=True))
    share = float(np.max(np.abs(left)) / np.max(np.abs(force))) if np.any(force) else 0.0
    weights = []
    for body, m, u in zip(bodies, masses, products, strict=True):
        if m > 0.0:
            weights.append(Counterweight(body, float(m), np.append(u / m, np.zeros(3 - width))))
    return tuple(weights), share


def _radius(followed: Followed) -> float:
    """A fitting one: a share of the largest distance of a joint from the origin of its body."""
    points = [frame.point for pair in followed.mechanism.joint_frames.values() for frame in pair]
    return RADIUS * max((float(np.linalg.norm(point)) for point in points), default=1.0) or RADIUS


def with_counterweights(scene: Scene, followed: Followed, weights: tuple[Counterweight, ...]) -> Scene:
    """The scene with masses, centres of mass and inertias of the bodies that carry them (Steiner)."""
    by_name = {weight.body: weight for weight in weights}
    reals, planar = followed.mechanism.system.body_reals, followed.mechanism.planar
    bodies = []
    for body in scene.bodies:
        weight = by_name.get(body.name)
        if weight is None:
            bodies.append(body)
            continue
        b = followed.mechanism.bodies.index(body.name)
        mass = float(reals[b, BODY_REAL.MASS])
        com = np.array(followed.mechanism.com[b], dtype=float)
        inertia = reals[b, BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(3, 3)
        total = mass + weight.mass
        centre = (mass * com + weight.mass * weight.point) / total
        new = inertia + _steiner(mass, com - centre) + _steiner(weight.mass, weight.point - centre)
        six = [new[0, 0], new[1, 1], new[2, 2], new[0, 1], new[0, 2], new[1, 2]]
        numbers = [float(new[2, 2])] if planar else [float(x) for x in six]
        size = 2 if planar else 3
        bodies.append(
            replace(
                body,
                mass=total,
                com=tuple(float(x) for x in centre[:size]),
                inertia=tuple(numbers),
            )
        )
    return replace(scene, bodies=tuple(bodies))


def _steiner(mass: float, d: Array) -> Array:
    return np.asarray(mass * (np.dot(d, d) * np.eye(3) - np.outer(d, d)))


def _peaks(title: str, force: Array, moment: Array) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, values in (("largest", np.max), ("root mean square", lambda x: np.sqrt(np.mean(x * x)))):
        rows.append((name, *(float(values(np.linalg.norm(x, axis=1))) for x in (force, moment))))
    return Table(title, (Column(""), Column("Force", "N"), Column("Moment", "N·m")), tuple(rows))


def _weights(weights: tuple[Counterweight, ...]) -> Table:
    return Table(
        "Counterweights",
        (Column("Body"), Column("Mass", "kg"), Column("x", "m"), Column("y", "m"), Column("z", "m")),
        tuple((Mention("bodies", w.body), w.mass, *map(float, w.point)) for w in weights),
    )


def _chart(followed: Followed, values: Array, title: str, unit: str) -> Chart:
    series = [
        Series(axis, followed.t, values[:, k], group=k)
        for k, axis in enumerate("xyz")
        if np.any(values[:, k])
    ]
    return Chart(title, Axis("Time", "s"), Axis(title.partition(",")[0], unit), tuple(series))


BALANCING = Analysis(
    name="balancing",
    title="Balancing",
    summary="Shaking force and moment on the foundation, and counterweights that take the force away.",
    options=BalancingOptions,
    run=run,
)
