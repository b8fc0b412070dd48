"""Contacts with one normal between the same bodies: they hold together, and begin to slip together.

How friction is shared among them is one of many ways; only its force and its moment about the normal are
certain. So a single contact at its bound says nothing of the group (`engine/elements/laws/limit_surface.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import poses as POSE
from engine.compiled.kernel import compiled
from engine.compiled.layout import F2, I2, Array
from engine.elements.laws.limit_surface import BOUND, NEXT, PLACE, reserve_of
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.rigid.one_sided import OneSided
from engine.simulation.stepping.method_driver import Driver

ONE_NORMAL = 1e-9  # how far normals of a group may differ
AT_BOUND = 1e-10  # of the largest friction: what is nearer to it than this slips
PIVOT = 1e-9  # of the largest slip: a contact that the bodies turn about
RESERVE = types.UniTuple(types.float64, 4)(I2, F2, types.int64, types.float64, types.float64, types.float64)


def groups_of(driver: Driver, sticking: dict[int, OneSided]) -> list[list[int]]:
    """Contacts with one normal between the same bodies."""
    bodies = driver.system.bodies
    columns = [at + c for at, planar in bodies[:-1, [BODY.V, BODY.PLANAR]] for c in range(2 if planar else 3)]
    groups: list[list[int]] = []
    for k, contact in sticking.items():
        for group in groups:
            first = sticking[group[0]]
            if np.abs(first.gradient[columns] - contact.gradient[columns]).max() < ONE_NORMAL:
                group.append(k)
                break
        else:
            groups.append([k])
    return groups


def note_group(problem: ContactProblem, group: list[OneSided]) -> None:
    """Each contact of a group knows the next, round and round, and where it is."""
    system = problem.driver.system
    lines = [contact.friction for contact in group if contact.friction is not None]
    system.forces[lines, NEXT] = np.roll(lines, -1)
    system.force_reals[lines, PLACE : PLACE + 2] = _places(problem, group)


def _places(problem: ContactProblem, group: list[OneSided]) -> Array:
    """Along both directions of slip t, from the first contact of the group on, shape (n, 2).

    The moments of unit forces along them about a body differ by those of d, the way between two contacts:
    n·(d × t₂) = d·t₁, n·(d × t₁) = −d·t₂, all with the same sign.
    """
    places = np.zeros((len(group), 2))
    first = group[0].slips
    if len(group) == 1 or first is None or len(first) == 1:
        return places
    for b, (at, _) in enumerate(problem.driver.system.bodies[:-1, [BODY.V, BODY.NV]]):
        if not first[:, at : at + 3].any():
            continue
        normal = problem.work.pose[b, POSE.R : POSE.R + 9].reshape(3, 3).T @ group[0].gradient[at : at + 3]
        for k, contact in enumerate(group):
            assert contact.slips is not None
            along, across = (contact.slips - first)[:, at + 3 : at + 6] @ normal
            places[k] = across, -along
        break
    return places


def begin_to_slip(
    problem: ContactProblem,
    contacts: list[OneSided],
    forces: dict[int, Array],
    bounds: dict[int, float],
    loosened: set[int],
) -> dict[int, Array]:
    """Directions of slip of contacts whose group can hold no more than it does, where they slip at all.

    `forces`: of friction, and `bounds`: the largest, by contact; `loosened`: lines of cones whose groups are
    asked. Which of a group are at their own bounds is one of many ways to share the load.
    """
    system, begin = problem.driver.system, dict[int, Array]()
    reserve: Any = compiled(reserve_of, RESERVE)
    for group in groups_of(problem.driver, {k: contacts[k] for k in bounds}):
        lines = [line for k in group if (line := contacts[k].friction) is not None]
        if not loosened & set(lines):
            continue
        note_group(problem, [contacts[k] for k in group])
        places = system.force_reals[lines, PLACE : PLACE + 2]
        system.force_reals[lines, BOUND] = [bounds[k] for k in group]
        shares = np.array([np.pad(forces[k], (0, 2 - len(forces[k]))) for k in group])
        moment = float(places[:, 0] @ shares[:, 1] - places[:, 1] @ shares[:, 0])
        left, u, v, omega = reserve(
            system.forces, system.force_reals, lines[0], *map(float, shares.sum(axis=0)), moment
        )
        if not left <= AT_BOUND * sum(bounds[k] for k in group):
            continue
        slips = -np.column_stack([u - omega * places[:, 1], v + omega * places[:, 0]])
        sizes = np.linalg.norm(slips, axis=1)
        for k, slip, size in zip(group, slips, sizes, strict=True):
            if size > PIVOT * sizes.max() and bounds[k] > 0.0:
                begin[k] = (slip / size)[: len(forces[k])]
    return begin


def note_groups(problem: ContactProblem, alike: list[OneSided]) -> None:
    """Of contacts that hold from now on, or that slip."""
    for group in groups_of(problem.driver, dict(enumerate(alike))):
        note_group(problem, [alike[k] for k in group])
