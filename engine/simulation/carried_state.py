"""The state of a run in the numbers of an edited scene, so that it can go on where it is."""

from typing import NamedTuple

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.layout import Array
from engine.results.channels import Channels
from engine.results.sample_layout import SampleLayout
from engine.system.assembly.assemble import assemble
from engine.system.compiling.mechanism import Mechanism

OF_CONSTRAINTS = ("entry_reals", "link_reals", "row_reals", "data")  # numbers of a system that joints have


class Carried(NamedTuple):
    """Coordinates and velocities."""

    q: Array
    v: Array


def carried_over(channels: Channels, sample: Array, new: Mechanism) -> Carried:
    """Body frames stay where they are at the sample, and joints whose numbers differ are closed again.

    `channels` are those of the numbers so far; `new` has the same structure.
    """
    old = channels.mechanism
    t, q, v, _, _ = SampleLayout(old).state(sample)
    # the body frames stay, so centres of mass may move
    evaluation, n = channels.evaluation(sample[None]), 2 if old.planar else 3
    for b, shift in enumerate(new.com - old.com):
        at, to = int(old.system.bodies[b, BODY.Q]), int(old.system.bodies[b, BODY.V])
        q[at : at + n] = evaluation.position(b, shift)[0, :n]
        v[to : to + n] = evaluation.velocity(b, shift)[0, :n]
    if not _constraints_changed(old, new):
        return Carried(q, v)
    start = assemble(new, t=t, q=q, v=v)
    return Carried(start.q, start.v)


def _constraints_changed(old: Mechanism, new: Mechanism) -> bool:
    return any(
        not np.array_equal(getattr(old.system, name), getattr(new.system, name)) for name in OF_CONSTRAINTS
    )
