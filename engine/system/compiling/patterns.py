"""Patterns of the matrices of a compiled mechanism: scalars, and blocks of joints and bodies.

They hold in every configuration: a gradient block counts as full. What depends on springs and other laws, the
stiffness and damping matrices, is not among them.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import System
from engine.maths.sparse.pattern import Pattern
from engine.system.compiling.mechanism import Mechanism


def bodies_of_rows(system: System) -> list[list[int]]:
    """The moving bodies that every constraint row touches, ascending."""
    moving = len(system.bodies) - 1
    blocks = system.block_bodies.tolist()
    found = []
    for coordinate_function in system.rows[:, ROW.COORDINATE]:
        begin, count = (
            system.coordinate_functions[coordinate_function, COORDINATE.BLOCK],
            system.coordinate_functions[coordinate_function, COORDINATE.BLOCKS],
        )
        found.append(sorted({body for body in blocks[begin : begin + count] if body < moving}))
    return found


def jacobian_pattern(system: System) -> Pattern:
    """J: one row per constraint row, one column per velocity."""
    first, width = system.bodies[:-1, BODY.V].tolist(), system.bodies[:-1, BODY.NV].tolist()
    rows = [
        [c for b in bodies for c in range(first[b], first[b] + width[b])] for bodies in bodies_of_rows(system)
    ]
    return Pattern.of_rows(rows, sum(width))


def complement_pattern(system: System) -> Pattern:
    """J W⁻¹ Jᵀ for any block diagonal W: rows are neighbours when they share a body."""
    return Pattern.of_rows(bodies_of_rows(system), len(system.bodies) - 1).complement()


def penalised_pattern(system: System) -> Pattern:
    """M + Jᵀ ρ J: bodies are neighbours when they share a row; each body is a full block."""
    first, width = system.bodies[:-1, BODY.V].tolist(), system.bodies[:-1, BODY.NV].tolist()
    near = Pattern.of_rows(bodies_of_rows(system), len(first)).normal()
    rows = []
    for b in range(len(first)):
        columns = [
            c for other in near.row(b).tolist() for c in range(first[other], first[other] + width[other])
        ]
        rows += [columns] * width[b]
    return Pattern.of_rows(rows, sum(width))


def saddle_pattern(system: System) -> Pattern:
    """[A Jᵀ; J 0] with A block diagonal over the bodies: velocities first, then multipliers."""
    J = jacobian_pattern(system)
    m, n = J.shape
    transposed = J.transposed()
    rows: list[list[int]] = []
    for at, width in zip(system.bodies[:-1, BODY.V], system.bodies[:-1, BODY.NV], strict=True):
        body = range(at, at + width)
        rows += [[*body, *(n + transposed.row(c)).tolist()] for c in body]
    rows += [J.row(r).tolist() for r in range(m)]
    return Pattern.of_rows(rows, n + m)


def joints_and_bodies(mechanism: Mechanism) -> tuple[list[str], Pattern]:
    """Names of the joints and motions that have rows, and J in blocks: which of them touches which body."""
    touched = bodies_of_rows(mechanism.system)
    names, rows = [], []
    for owner, spans in (("joints", mechanism.joint_rows), ("motions", mechanism.motion_rows)):
        for name, span in spans.items():
            if span.end > span.begin:
                names.append(f"{owner}.{name}")
                rows.append(sorted(set(np.concatenate(touched[span.begin : span.end]).astype(int).tolist())))
    return names, Pattern.of_rows(rows, len(mechanism.bodies))
