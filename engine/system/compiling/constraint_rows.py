"""Constraint rows of joints and motions, collected in the order of the scene."""

from __future__ import annotations

from typing import Any

from engine.elements.drivers import MOTIONS
from engine.elements.joints import JOINTS
from engine.system.compiling.collect import Builder
from engine.system.compiling.frames import fault
from engine.system.compiling.mechanism import RowInfo, Span


class Rows:
    """What the rows are, and a list per column of their table."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.info: list[RowInfo] = []
        self.coordinate_functions: list[int] = []
        self.velocity: list[bool] = []
        self.programs: list[int] = []
        self.targets: list[float] = []
        self.quadratures: list[int] = []
        self.joints: dict[str, Span] = {}
        self.motions: dict[str, Span] = {}

    def joint(self, joint: Any) -> None:
        kind = JOINTS[str(joint.__struct_config__.tag)]
        begin, self.build.joint = len(self.info), joint.name
        frames = self.build.joint_pair(joint) if kind.uses_anchors else (None, None)
        if kind.uses_anchors and frames[0] and frames[1] and frames[0].body == frames[1].body:
            message = f"joint {joint.name!r} joins two parts of the world, so it restrains nothing"
            raise fault(f"joints.{joint.name}", joint.name, message, "join at least one body that moves")
        for row in kind.rows_in(self.build.scene.space, joint):
            coordinate_function = self.build.coordinate_function(row.coordinate_function, *frames)
            target = self.build.at_pose(coordinate_function) if row.target is None else row.target
            self._add(
                RowInfo("joint", joint.name, row.label, row.unit, row.level == "velocity"),
                coordinate_function,
                target,
            )
        self.joints[joint.name] = Span(begin, len(self.info))

    def motion(self, motion: Any) -> None:
        begin = len(self.info)
        velocity = motion.level == "velocity"
        kind = MOTIONS[str(motion.__struct_config__.tag)]
        moved = kind.moves(motion)
        label = f"{moved.coordinate} follows its {'rate' if velocity else 'function'}"
        info = RowInfo("motion", motion.name, label, moved.unit + "/s" * velocity, velocity)
        self._add(info, kind.coordinate_function(motion, self.build), motion.function)
        self.motions[motion.name] = Span(begin, len(self.info))

    def _add(self, info: RowInfo, coordinate_function: int, target: Any) -> None:
        constant = isinstance(target, int | float)
        self.info.append(info)
        self.coordinate_functions.append(coordinate_function)
        self.velocity.append(info.velocity)
        self.targets.append(float(target) if constant else 0.0)
        self.programs.append(-1 if constant else self.build.program(target))
        self.quadratures.append(-1)
