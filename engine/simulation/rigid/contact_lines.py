"""Gradients of gaps and slips of contacts, one behind the other, as the solver of cones takes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array, Ints
from engine.maths import cones
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.rigid.one_sided import OneSided


@dataclass(frozen=True)
class Lines:
    """Gradients of gaps and slips, one behind the other, and what `cones.solve` is told of them."""

    D: Array
    normal: Ints  # line of the gap of each contact
    tangent: dict[int, slice]  # contact → lines of its slips
    held: list[slice]  # lines of each held friction

    @classmethod
    def of(cls, contacts: list[OneSided], held: list[Array], nv: int) -> Lines:
        lines: list[Array] = []
        normal, tangent = np.zeros(len(contacts), np.int64), {}
        for k, contact in enumerate(contacts):
            normal[k] = len(lines)
            lines.append(contact.gradient)
            if contact.slips is not None:
                tangent[k] = slice(len(lines), len(lines) + len(contact.slips))
                lines += list(contact.slips)
        own = []
        for gradients in held:
            own.append(slice(len(lines), len(lines) + len(gradients)))
            lines += list(gradients)
        return cls(np.array(lines).reshape(-1, nv), normal, tangent, own)

    def biases(self, contacts: list[OneSided]) -> Array:
        """What accelerations along the lines have beside D a; zero for held frictions."""
        bias = np.zeros(len(self.D))
        bias[self.normal] = [contact.bias for contact in contacts]
        for k, own in self.tangent.items():
            bias[own] = contacts[k].slip_bias
        return bias

    def parts(
        self, coefficient: dict[int, float], sliding: dict[int, Array], bound: Array
    ) -> tuple[Ints, Array, Array]:
        """Parts, their bounds and directions; `sliding`: direction of the contacts that slide."""
        rows: list[tuple[int, int, int, int]] = []
        limits: list[float] = []
        along = np.zeros(len(self.D))
        for k, line in enumerate(self.normal):
            rows.append((int(line), 1, cones.ONE_SIDED, 0))
            limits.append(0.0)
            if k in self.tangent:
                own = self.tangent[k]
                sort = cones.SLIDING if k in sliding else cones.IN_CONE
                rows.append((own.start, own.stop - own.start, sort, int(line)))
                limits.append(coefficient[k])
                along[own] = sliding.get(k, 0.0)
        for own, most in zip(self.held, bound, strict=True):
            rows.append((own.start, own.stop - own.start, cones.BOUNDED, 0))
            limits.append(float(most))
        return np.array(rows, np.int64).reshape(-1, 4), np.array(limits), along


def response(problem: ContactProblem, D: Array) -> tuple[Array, Array]:
    """M_b⁻¹Dᵀ and G, with no conditional row active."""
    X = np.array([problem.solve(d, 0.0) for d in D]).reshape(D.shape).T
    return X, D @ X


def indices(part: slice) -> range:
    return range(part.start, part.stop)
