"""Values that belong together: parameter ranges, motions, motors, locks and the simulation."""

from collections.abc import Iterator

from engine.elements.base import WORLD
from engine.elements.drivers.body_motion import BodyMotionSpec
from engine.elements.drivers.joint_motion import JointMotionSpec
from engine.elements.forces.motor import MotorSpec
from engine.elements.joints.lock import LockSpec
from engine.elements.joints.universal import UniversalSpec
from engine.errors import Problem
from engine.model.checks.context import Context

MAX_STEPS = 1e9


def check(context: Context) -> Iterator[Problem]:
    yield from _parameters(context)
    yield from _joints(context)
    yield from _motions(context)
    for path, force in context.items("forces"):
        if isinstance(force, MotorSpec) and force.effort is None and force.speed is None:
            text = "the motor has neither effort nor speed"
            yield Problem(f"{path}.effort", None, text, 'give "effort", or "speed" with "gain"')
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


def _joints(context: Context) -> Iterator[Problem]:
    for path, joint in context.items("joints"):
        if isinstance(joint, UniversalSpec) and joint.b.axis is None:
            text = "a universal joint needs the second arm of its cross"
            yield Problem(f"{path}.b.axis", None, text, "give b an axis perpendicular to that of a")
        if isinstance(joint, LockSpec):
            if len(set(joint.coordinates)) != len(joint.coordinates):
                text = "a coordinate is locked twice"
                yield Problem(f"{path}.coordinates", joint.coordinates, text, "name each coordinate once")
            if joint.values is not None and len(joint.values) != len(joint.directions):
                text = f"{len(joint.values)} values for {len(joint.directions)} coordinates"
                cure = 'write one value per coordinate, or null; that of the angle is "angle"'
                yield Problem(f"{path}.values", joint.values, text, cure)
            if joint.angle is not None and "angle" not in joint.coordinates:
                text = 'an angle is given, but "angle" is not among the locked coordinates'
                yield Problem(
                    f"{path}.angle", joint.angle, text, 'add "angle" to coordinates, or leave it out'
                )


def _motions(context: Context) -> Iterator[Problem]:
    first: dict[tuple[str, str], str] = {}
    for path, motion in context.items("motions"):
        if isinstance(motion, BodyMotionSpec) and context.is_ground(motion.body) and motion.body != WORLD:
            text = f"body {motion.body!r} is fixed and cannot be moved"
            yield Problem(f"{path}.body", motion.body, text, 'remove "fixed" from the body, or the motion')
        if not isinstance(motion, JointMotionSpec):
            continue
        driven = (motion.joint, motion.coordinate)
        if driven in first:
            text = f"{motion.coordinate} of joint {motion.joint!r} is already driven by {first[driven]!r}"
            yield Problem(f"{path}.joint", motion.joint, text, "remove one of the two motions")
        first.setdefault(driven, motion.name)
