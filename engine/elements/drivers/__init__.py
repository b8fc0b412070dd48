"""Motions: coordinates that follow functions of time; one file per kind."""

from engine.elements.drivers import body_motion, joint_motion, linear_motion
from engine.elements.drivers.base import MotionKind
from engine.registry import Registry

MOTIONS: Registry[MotionKind] = Registry(
    "motion",
    body_motion.KIND,  # keep sorted
    joint_motion.KIND,
    linear_motion.KIND,
)
