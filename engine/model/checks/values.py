"""Values that belong together: parameter ranges, steps of the simulation."""

from collections.abc import Iterator

from engine.errors import Problem
from engine.model.checks.context import Context

MAX_STEPS = 1e9


def check(context: Context) -> Iterator[Problem]:
    yield from _parameters(context)
    simulation = context.scene.simulation
    dt, duration = simulation.dt, simulation.duration
    if isinstance(dt, float) and isinstance(duration, float) and duration > MAX_STEPS * dt > 0.0:
        text = f"{duration:g} s in steps of {dt:g} s are more than {MAX_STEPS:g} steps"
        yield Problem("simulation.dt", dt, text, "choose a larger step or a shorter duration")


def _parameters(context: Context) -> Iterator[Problem]:
    for path, parameter in context.items("parameters"):
        value, low, high = parameter.value, parameter.min, parameter.max
        if low is not None and high is not None and low > high:
            text = f"min {low:g} is larger than max {high:g}"
            yield Problem(f"{path}.min", low, text, "exchange them")
        elif (low is not None and value < low) or (high is not None and value > high):
            ends = (
                f"{'-∞' if low is None else format(low, 'g')} to {'∞' if high is None else format(high, 'g')}"
            )
            text = f"value {value:g} is outside its range, {ends}"
            yield Problem(f"{path}.value", value, text, "change the value or the range")
