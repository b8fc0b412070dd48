"""Arguments that are times."""

import argparse
import math


def positive_seconds(text: str) -> float:
    """A step or a duration."""
    value = _number(text)
    if not 0.0 < value < math.inf:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a positive number of seconds; write for instance 0.001"
        )
    return value


def instant(text: str) -> float:
    """A time of the simulation, from its start on."""
    value = _number(text)
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds; write for instance 0.5")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
