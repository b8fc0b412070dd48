"""Stops and ropes that are already passed when a run begins: a push that nobody wants, or no start."""

from collections.abc import Iterator

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.elements.laws import limit, pressure
from engine.errors import Problem, SceneError
from engine.simulation.method_driver import Driver

MAX_START_DEPTH = 0.01  # m or rad: what leans on its stop is less deep
RIGID_DEPTH = 1e-7  # m or rad: what rests on a rigid stop is less deep


def starts_beyond(driver: Driver) -> Iterator[str]:
    """Warnings of a run whose driver has just started."""
    names = {column: name for (_, name), column in driver.mechanism.quadratures.items()}
    for line in driver.switching:
        if driver.law_kind(int(line)) is not pressure.KIND:
            continue
        law, force = driver.system.force_reals[line], driver.system.forces[line]
        value = float(driver.work.coordinate[force[LAW.A], COORDINATE_VALUE.VALUE])
        limit, side = float(law[pressure.LIMIT]), float(law[pressure.SIDE])
        if side * (value - limit) > MAX_START_DEPTH:
            yield (
                f"force {names[int(force[LAW.QUADRATURE])]!r} starts at {value:.6g}, beyond its "
                f"{'upper' if side > 0.0 else 'lower'} limit {limit:.6g}, and pushes back at once; move the "
                "limit or the start."
            )


def refuse_beyond(driver: Driver) -> None:
    """Raise SceneError for rigid limits that are passed at the start: nothing can push back."""
    problems = []
    for line in driver.with_rows:
        if driver.law_kind(int(line)) is not limit.KIND:
            continue
        law, name = driver.system.force_reals[line], driver.law_name(int(line))
        value = float(driver.work.coordinate[driver.system.forces[line, LAW.A], COORDINATE_VALUE.VALUE])
        bound, side = float(law[limit.LIMIT]), float(law[limit.SIDE])
        if side * (value - bound) > RIGID_DEPTH:
            text = (
                f"force {name!r} starts at {value:.9g}, beyond its rigid "
                f"{'upper' if side > 0.0 else 'lower'} limit {bound:.9g}"
            )
            problems.append(Problem(f"forces.{name}", value, text, "move the limit or the start"))
    if problems:
        raise SceneError(problems)
