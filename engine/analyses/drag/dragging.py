"""Dragging: a point of a body follows a target on the constraints, step by step, on its branch.

Minimise f(q) = eᵀWe/2, e = p(q) − target, subject to Φ(q) = 0, from a closed pose. With A = Φ_q D (D: sizes
of the coordinates, heavy bodies count as larger), N its null space (of large linkages the part that moves the
points) and G = ∂p/∂x N, one step is

    z = −H⁻¹ Gᵀ W e,   H = Gᵀ W G + Nᵀ ∂(J_pᵀ W e + Aᵀλ)/∂x N,   Aᵀλ = −J_pᵀ W e on range(Aᵀ)

with H + σ1 in its place where the step would be long, then closed again across N. The second term of H lets
the point stop smoothly where its reach ends: there Gᵀ W e = 0 with e ≠ 0. A step is taken when the way back
to the constraints is short and the tangent space has hardly turned: that keeps the branch. Directions that do
not move the point stay at rest.
"""

from __future__ import annotations

import math
import time

import numpy as np

from engine.analyses.drag.gripped import CLOSED, CORRECTIONS, MAX_STEP, GrippedLinkage
from engine.analyses.drag.grips import Reached
from engine.compiled.layout import Array

SHORTEST = 1e-7  # a step so short is none
QUADRATIC_STEP = 1e-4  # after a whole step so short the next one would be its square
STEPS = 16  # of one update; the next one goes on
CONTRACTS = 0.5  # what a correction must leave of the violation
ASIDE = 0.35  # longest way back to the constraints, over the step
TURNED = 0.8  # cosine by which the tangent space may turn in one step
LEAP = 1.7  # over a singular configuration, in steps
CURVED = 12  # degrees of freedom up to which second derivatives are worked out
NEARLY = 1e-4  # lengths: nearer to its target a point needs no second derivatives
CONTRACTION_LIMIT = 0.25  # share of f that a step leaves when second derivatives are worth their cost
DEPTH = 3e-4  # weight of the distance along the line of sight
CURVATURE_ROUNDING = 1e-6  # share of the largest curvature that counts as none
RIDGE = 1e-3  # share of it that counts as a way down
HALVINGS = 8  # to find a step of the right length
TRUSTED = 0.25  # share of the foreseen gain below which the next step is shorter
WITHIN = 1e-9  # rad or m: a limit passed by less is kept
STILL = 1e-9  # sine between the error and the path at which the point is as near as it gets


class Dragging:
    """Leads the points by which a linkage is held."""

    def __init__(self, linkage: GrippedLinkage) -> None:
        self.linkage = linkage
        self._stubborn = False  # whether the last step gained little
        self._value = 0.0  # of f after it
        self._until = math.inf  # when this update ends
        # of a step that the end of an update has broken off: the longest way to try next, and the first one
        self._longest, self._whole = MAX_STEP, 0.0

    def follow(
        self,
        target: Array,
        *,
        sight: Array | None = None,
        steps: int = STEPS,
        seconds: float = math.inf,
    ) -> Reached:
        """Lead the grips to their targets, shape (3,) or (k, 3); stops at the end of their reach.

        `sight` is the direction of the line of sight: along it the point goes where it must. After so many
        steps or seconds it comes back; whether it has arrived it says, and the next call goes on.
        """
        linkage, targets = self.linkage, np.asarray(target, dtype=float).reshape(-1, 3)
        metric, u = np.eye(3), None
        if sight is not None:
            u = np.asarray(sight, dtype=float) / np.linalg.norm(sight)
            metric = metric - (1.0 - DEPTH) * np.outer(u, u)
        usable = bool(np.isfinite(targets).all() and np.isfinite(metric).all()) and linkage.closed
        done, count = not usable or not linkage.can_move, 0
        longest, self._longest = self._longest, MAX_STEP
        begin = time.perf_counter()
        self._until = begin + seconds
        while not done and count < steps and (not count or time.perf_counter() < self._until):
            done, longest = self._step(targets, metric, longest)
            count += 1
            if u is not None and len(targets) == 1:  # under the pointer: the depth is not worth going on for
                across = (targets - linkage.places)[0]
                across = across - u * float(u @ across)
                done = done or float(np.linalg.norm(across)) <= NEARLY * linkage.length
        error = (targets - linkage.places)[0] if usable else np.zeros(3)
        return Reached(
            linkage.q.copy(),
            linkage.places,
            float(np.sqrt(error @ metric @ error)),
            linkage.violation,
            done,
            count,
        )

    def _step(self, targets: Array, metric: Array, longest: float) -> tuple[bool, float]:
        """One step; whether there is nothing more to gain, and the longest step to try next."""
        linkage = self.linkage
        null, before = linkage.basis, linkage.evaluate(linkage.q)
        error = linkage.places - targets
        weighted = error @ metric
        value = 0.5 * float(np.sum(error * weighted))
        full = linkage.gradient(weighted)
        points = linkage.point_jacobian()
        gains = points @ null  # (3k, f)
        slope = null.T @ full
        size = float(np.linalg.norm(gains))
        heavy = np.kron(np.eye(len(linkage.grips)), metric)
        H = gains.T @ heavy @ gains
        eligible = linkage.dof <= CURVED and np.sqrt(2.0 * value) > NEARLY * linkage.length
        curved = eligible and self._stubborn
        if curved:
            H = H + linkage.curvature(weighted, full)
        values, vectors = np.linalg.eigh(0.5 * (H + H.T))
        if not np.isfinite(values).all():
            return True, longest
        largest = max(float(np.max(np.abs(values), initial=0.0)), np.finfo(float).tiny)
        along = vectors.T @ slope
        shift, z = self._within(values, vectors, along, longest)
        way = linkage.longest(null @ z)
        still = float(np.linalg.norm(slope)) <= STILL * size * np.sqrt(2.0 * value)
        if still or way < SHORTEST:
            if eligible and not curved:  # nothing to gain at first sight
                self._stubborn = True
                return False, longest
            if curved and len(values) and values[0] < -RIDGE * largest:
                # on a ridge (dead centre): either side leads nearer
                z = math.copysign(1.0, -along[0]) * vectors[:, 0]
                z, way = z * (longest / linkage.longest(null @ z)), longest
            elif still:
                return True, longest
            else:
                self._try(null @ z, way, value, targets, metric)
                return True, longest
        tried = way
        while tried >= SHORTEST:
            part = tried / way
            if self._try(null @ z * part, tried, value, targets, metric):
                self._stubborn, self._whole = self._value > CONTRACTION_LIMIT * value, 0.0
                foreseen = -part * float(slope @ z) - 0.5 * part * part * float(z @ H @ z)
                kept = value - self._value >= TRUSTED * foreseen
                whole = shift == 0.0 and part == 1.0
                return whole and way < QUADRATIC_STEP, min(MAX_STEP, (2.0 if kept else 0.5) * tried)
            if eligible and not curved:
                self._stubborn = True
                return False, longest
            tried *= 0.5
            if tried > 2.0 * SHORTEST and time.perf_counter() > self._until:  # the next update goes on
                self._longest, self._whole = tried, max(way, self._whole)
                linkage.restore(before)
                return False, tried
        leap = min(LEAP * max(way, self._whole), MAX_STEP)
        self._whole = 0.0
        if leap > way and self._try(null @ z * (leap / way), leap, value, targets, metric):
            return False, MAX_STEP
        linkage.restore(before)
        return True, MAX_STEP

    def _within(self, values: Array, vectors: Array, along: Array, longest: float) -> tuple[float, Array]:
        """z of (H + shift·1) z = −slope, with the least shift for which the step is not too long."""
        largest = max(float(np.max(np.abs(values), initial=0.0)), np.finfo(float).tiny)

        def step(shift: float) -> Array:
            return np.asarray(vectors @ (-along / np.maximum(values + shift, CURVATURE_ROUNDING * largest)))

        def way(shift: float) -> float:
            return self.linkage.longest(self.linkage.basis @ step(shift))

        if way(0.0) <= longest:
            return 0.0, step(0.0)
        low, high = math.log(CURVATURE_ROUNDING * largest), math.log(largest)
        while way(math.exp(high)) > longest:
            low, high = high, high + 2.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if way(math.exp(middle)) > longest else (low, middle)
        return math.exp(high), step(math.exp(high))

    def _try(self, x: Array, length: float, value: float, targets: Array, metric: Array) -> bool:
        """Take a step x along the tangent and close again; False, nothing done, when it is no good."""
        linkage = self.linkage
        before = linkage.q
        trial = linkage.retract(before, x)
        linkage.evaluate(trial)
        far = 0.0
        last = linkage.gap()
        for _ in range(CORRECTIONS):
            if last <= CLOSED:
                break
            y = linkage.correction()
            far += linkage.longest(y)
            if not far <= ASIDE * length + SHORTEST:
                break
            trial = linkage.retract(trial, y)
            linkage.evaluate(trial)
            now = linkage.gap()
            if not now <= CONTRACTS * last + CLOSED:
                last = np.inf
                break
            last = now
        good = last <= CLOSED
        if good and linkage.has_limits:  # stops are kept, or passed less than before
            passed = linkage.beyond()
            linkage.evaluate(before)
            good = passed <= max(linkage.beyond(), WITHIN)
            linkage.evaluate(trial)
        if good:
            error = linkage.places - targets
            self._value = 0.5 * float(np.sum(error * (error @ metric)))
            good = self._value < value
        if good and linkage.move(trial, turned=TURNED):
            return True
        linkage.evaluate(before)
        return False
