"""Stops and ropes that are already passed when a run begins: a push that nobody wants, or no start."""

from collections.abc import Iterator

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.elements.laws import limit, pressure
from engine.errors import Problem, SceneError
from engine.model.scene import kind_of
from engine.simulation.checks.exclusive_limits import exclusive_limits
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.contacts import records as REC
from engine.solvers.contacts.detection import find_contacts
from engine.solvers.contacts.records import column_of, groups_of, row_of

MAX_START_DEPTH = 0.01  # m or rad: what leans on its stop is less deep
SMALL_OVERLAP = 1e4  # times what is allowed in a step: a hundredth of the smaller shape, which is parted
RIGID_DEPTH = 1e-7  # m or rad: what rests on a rigid stop is less deep


def is_contact(driver: Driver, line: int) -> bool:
    """Whether a limit is the gap between two bodies."""
    name = driver.law_name(line)
    return any(
        force.name == name and kind_of(force).name in ("contact", "contact_group")
        for force in driver.mechanism.scene.forces
    )


def starts_beyond(driver: Driver) -> Iterator[str]:
    """Warnings of a run whose driver has just started."""
    names = {column: name for (_, name), column in driver.mechanism.quadratures.items()}
    for line in driver.switching:
        if driver.law_kind(int(line)) is not pressure.KIND:
            continue
        law, force = driver.system.force_reals[line], driver.system.forces[line]
        value = float(driver.work.coordinate[force[LAW.A], COORDINATE_VALUE.VALUE])
        limit, side = float(law[pressure.LIMIT]), float(law[pressure.SIDE])
        if side * (value - limit) > MAX_START_DEPTH and is_contact(driver, int(line)):
            yield (
                f"the bodies of contact {driver.law_name(int(line))!r} overlap by {-value:.6g} m at first "
                "and are pushed apart at once; move one of them, or correct the shapes."
            )
        elif side * (value - limit) > MAX_START_DEPTH:
            yield (
                f"force {names[int(force[LAW.QUADRATURE])]!r} starts at {value:.6g}, beyond its "
                f"{'upper' if side > 0.0 else 'lower'} limit {limit:.6g}, and pushes back at once; move the "
                "limit or the start."
            )


def _overlapping(driver: Driver) -> Iterator[Problem]:
    """The deepest overlap of a group whose contacts are found anew in each step, if it is no small one."""
    groups = groups_of(driver.system)
    if not len(groups):
        return
    s, lines = driver.work.scratch, len(driver.system.rows) - len(driver.mechanism.rows)
    records = [s[row_of(s, c), column_of(s, c) :] for c in range(max(find_contacts(driver.packed, lines), 0))]
    for line in groups:
        own = [rec for rec in records if rec[REC.LINE] == line]
        deepest = min(own, key=lambda rec: float(rec[REC.GAP] / rec[REC.ALLOWED]), default=None)
        if deepest is None or deepest[REC.GAP] >= -SMALL_OVERLAP * deepest[REC.ALLOWED]:
            continue
        names = dict(zip(driver.system.bodies[:, BODY.V].tolist(), driver.mechanism.bodies, strict=False))
        one, two = (names.get(int(deepest[side])) for side in (REC.AT_A, REC.AT_B))
        pair = " and ".join(repr(body) if body else "a fixed body" for body in (one, two))
        name, depth = driver.law_name(line), -float(deepest[REC.GAP])
        text = f"{pair} of contact group {name!r} overlap by {depth:.6g} m at the start, and are rigid"
        remedy = "move one of them apart, correct the shapes, or choose an elastic law"
        yield Problem(f"forces.{name}", -depth, text, remedy)


def refuse_beyond(driver: Driver) -> None:
    """Raise SceneError for rigid limits that are passed at the start: nothing can push back."""
    exclusive = list(exclusive_limits(driver.mechanism.scene))
    if exclusive:
        raise SceneError(exclusive)
    problems = list(_overlapping(driver))
    for line in driver.with_rows:
        if driver.law_kind(int(line)) is not limit.KIND:
            continue
        law, name = driver.system.force_reals[line], driver.law_name(int(line))
        value = float(driver.work.coordinate[driver.system.forces[line, LAW.A], COORDINATE_VALUE.VALUE])
        bound, side = float(law[limit.LIMIT]), float(law[limit.SIDE])
        if side * (value - bound) > RIGID_DEPTH and is_contact(driver, int(line)):
            text = f"the bodies of contact {name!r} overlap by {-value:.6g} m at the start, and are rigid"
            remedy = "move one of them apart, correct the shapes, or choose an elastic law"
            problems.append(Problem(f"forces.{name}", value, text, remedy))
        elif side * (value - bound) > RIGID_DEPTH:
            text = (
                f"force {name!r} starts at {value:.9g}, beyond its rigid "
                f"{'upper' if side > 0.0 else 'lower'} limit {bound:.9g}"
            )
            problems.append(Problem(f"forces.{name}", value, text, "move the limit or the start"))
    deepest: dict[str, Problem] = {}
    for problem in problems:  # several corners of one contact are one fault
        known = deepest.get(problem.path)
        if known is None or abs(float(str(problem.value))) > abs(float(str(known.value))):
            deepest[problem.path] = problem
    if deepest:
        raise SceneError(list(deepest.values()))
