"""Angles from 0 to a whole turn: a curve ends at one edge and goes on at the other, with a gap."""

import math

import numpy as np

from app.widgets.plots.curves.pyramid import Array

TURN = 2.0 * math.pi  # rad
NOISE = 1e-9  # turns: an angle that is short of an edge by less has reached it


def wrapped(period: float, values: Array, *others: Array) -> tuple[Array, ...]:
    """Values within one period, and what belongs to them, with a gap where the edge is crossed.

    Both ends of a gap lie on the edges, at the instant of the crossing between two samples. Where more than
    one whole turn lies between two samples, the line goes from edge to edge without a gap: it is a band.
    """
    turn = np.floor(values / period + NOISE)
    step = np.diff(turn)
    crossed = np.flatnonzero(np.isfinite(step) & (step != 0.0))
    if not len(crossed):
        return (values - turn * period, *others)
    # the first edge after each sample, and how far it is to the next one
    up = step[crossed] > 0.0
    edge = period * (turn[crossed] + up)
    share = (edge - values[crossed]) / (values[crossed + 1] - values[crossed])
    low, high = np.zeros(len(crossed)), np.full(len(crossed), period)
    gap = np.where(np.abs(step[crossed]) > 1.0, np.where(up, low, high), np.nan)
    inserted = np.column_stack([np.where(up, high, low), gap, np.where(up, low, high)]).ravel()
    places = np.repeat(crossed + 1, 3)
    found = [np.insert(values - turn * period, places, inserted)]
    for other in others:
        between = other[crossed] + share * (other[crossed + 1] - other[crossed])
        found.append(np.insert(other, places, np.repeat(between, 3)))
    return tuple(found)


def within(period: float, value: float) -> float:
    """One value; period 0: as it is."""
    if period <= 0.0 or not math.isfinite(value):
        return value
    return value - period * math.floor(value / period + NOISE)
