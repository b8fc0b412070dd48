"""Channels: every number that can be plotted, saved or used in an expression, by dotted name.

They are computed from recorded samples, so a channel that nobody asked for during the run shows the whole
past. Names hold the names of elements as they are, blanks included: `body.left crank.pos.x`.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from engine.compiled.layout import Array
from engine.errors import Problem, SceneError, shorten
from engine.maths.expressions import ExpressionError, parse
from engine.results.output_evaluation import SLICE, SLICE_BYTES, OutputEvaluation, OutputEvaluator
from engine.results.quantities import bodies, canonical, forces, joints, measures, mouse, steps, totals
from engine.results.quantities.base import Channel, Read
from engine.spelling import did_you_mean
from engine.system.compiling.mechanism import Mechanism
from engine.system.mouse_pulls import PullLog

_listed: dict[int, tuple[weakref.ref[Mechanism], dict[str, Channel]]] = {}


def listed(mechanism: Mechanism) -> dict[str, Channel]:
    """Channels of the elements of a mechanism, listed once: a thousand bodies have tens of thousands."""
    known = _listed.get(id(mechanism))
    if known is not None and known[0]() is mechanism:
        return known[1]
    groups = (bodies.channels(mechanism), joints.channels(mechanism), forces.channels(mechanism))
    found = {channel.name: channel for group in groups for channel in group}
    place = id(mechanism)
    _listed[place] = (weakref.ref(mechanism, lambda _: _listed.pop(place, None)), found)
    return found


class Channels:
    """All channels of a mechanism; `pulls` are those of the mouse in the run that is looked at."""

    def __init__(self, mechanism: Mechanism, pulls: PullLog | None = None, *, checked: bool = False) -> None:
        """Raises SceneError for measures that cannot be read, unless they are `checked` already."""
        self.mechanism = mechanism
        self.pulls = PullLog() if pulls is None else pulls
        self._output_evaluator = OutputEvaluator(mechanism)
        self.layout = self._output_evaluator.layout
        if mechanism.scene.measures and not checked:
            self.names()

    @cached_property
    def _channels(self) -> dict[str, Channel]:
        """Listed when someone asks for one: there are dozens per body, and a run needs none of them."""
        mechanism = self.mechanism
        found = dict(listed(mechanism))
        found.update((channel.name, channel) for channel in mouse.channels(mechanism, self.pulls))
        found.update((channel.name, channel) for channel in totals.channels(mechanism))
        found.update((channel.name, channel) for channel in steps.channels(mechanism))
        found.update((channel.name, channel) for channel in canonical.channels(mechanism))
        if mechanism.scene.measures:
            for channel in measures.channels(mechanism, dict(found)):
                found[channel.name] = channel
        return found

    def names(self) -> tuple[str, ...]:
        return tuple(self._channels)

    def unit(self, name: str) -> str:
        return self[name].unit

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._channels

    def __getitem__(self, name: str) -> Channel:
        if name not in self:
            raise KeyError(f"unknown channel {shorten(name)!r}{did_you_mean(name, self.names())}")
        return self._channels[name]

    def expression(self, text: str, path: str) -> Read:
        """How to read an expression of channels, parameters and t; raises SceneError."""
        try:
            parsed = parse(text)
        except ExpressionError as error:
            raise SceneError([Problem(path, text, str(error), "correct the expression")]) from None
        problems = measures.ChannelNames(self._channels, self.mechanism).unknown(path, parsed)
        if problems:
            raise SceneError(problems)
        return measures.formula(parsed, self._channels, self.mechanism)

    # values

    def evaluation(
        self, samples: Array, *, start_energy: float = 0.0, edits: float = 0.0
    ) -> OutputEvaluation:
        """Samples ready to be read; for few of them, or for one slice of many."""
        return OutputEvaluation(self._output_evaluator, samples, start_energy=start_energy, edits=edits)

    def evaluations(
        self, samples: Array, *, start_energy: float | None = None, edits: float = 0.0
    ) -> Iterator[OutputEvaluation]:
        """Slices that keep the memory small; the energy at the start is the first sample's unless given."""
        if start_energy is None:
            start_energy = self.energy_before(samples[0]) if len(samples) else 0.0
        for begin in range(0, len(samples), self.slice):
            end = begin + self.slice
            yield self.evaluation(samples[begin:end], start_energy=start_energy, edits=edits)

    @property
    def slice(self) -> int:
        """Samples that are looked at in one pass: thousands, fewer of large mechanisms."""
        return min(SLICE, max(1, SLICE_BYTES // (self.table_bytes + 8 * self.layout.width)))

    @property
    def table_bytes(self) -> int:
        """What the tables of one sample take in memory."""
        return self._output_evaluator.table_bytes

    def values(
        self, name: str, samples: Array, *, start_energy: float | None = None, edits: float = 0.0
    ) -> Array:
        """One number per sample, shape (n,)."""
        channel = self[name]
        evaluations = self.evaluations(samples, start_energy=start_energy, edits=edits)
        return np.concatenate([np.zeros(0), *(channel.read(evaluation) for evaluation in evaluations)])

    def table(self, names: Sequence[str], evaluations: Iterable[OutputEvaluation]) -> Array:
        """Many channels, shape (n, len(names)); every slice of samples is looked at once."""
        channels = [self[name] for name in names]
        if not channels:
            return np.zeros((sum(map(len, evaluations)), 0))
        blocks = [
            np.column_stack([channel.read(evaluation) for channel in channels]) for evaluation in evaluations
        ]
        return np.concatenate([np.zeros((0, len(names))), *blocks])

    def energy(self, sample: Array) -> float:
        """Kinetic and potential energy of one sample [J]."""
        return float(self._output_evaluator.look(sample[None]).energies.sum())

    def energy_before(self, sample: Array) -> float:
        """What the balance of a run counts from [J], by its first sample: an impact at the very start has
        already cost what is booked there as lost."""
        return float(totals.energy_error(self.evaluation(sample[None]))[0])
