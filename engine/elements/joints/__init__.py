"""Joints: one file per kind, each a short list of primitive rows."""

from engine.elements.joints import (
    belt,
    constant_velocity,
    coupler,
    cylindrical,
    distance,
    fixed,
    gear,
    knife_edge,
    lock,
    planar,
    point_on_line,
    point_on_plane,
    prismatic,
    rack_pinion,
    revolute,
    revolute_revolute,
    revolute_spherical,
    roller,
    rolling,
    screw,
    spherical,
    universal,
)
from engine.elements.joints.base import JointKind
from engine.registry import Registry

JOINTS: Registry[JointKind] = Registry(
    "joint",
    belt.KIND,  # keep sorted
    constant_velocity.KIND,
    coupler.KIND,
    cylindrical.KIND,
    distance.KIND,
    fixed.KIND,
    gear.KIND,
    knife_edge.KIND,
    lock.KIND,
    planar.KIND,
    point_on_line.KIND,
    point_on_plane.KIND,
    prismatic.KIND,
    rack_pinion.KIND,
    revolute.KIND,
    revolute_revolute.KIND,
    revolute_spherical.KIND,
    roller.KIND,
    rolling.KIND,
    screw.KIND,
    spherical.KIND,
    universal.KIND,
)
