"""Is a scene sound, and how does it move? What `trammel check` shows."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from engine.analyses.mobility.mobility import Mobility, mobility
from engine.model.scene import Scene
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare
from engine.system.prescribed.jumps import refuse_jumps

SHOWN = 12  # dependencies or notes that fit on a screen


@dataclass(frozen=True)
class Report:
    """What was found out about a scene."""

    mechanism: Mechanism
    start: Start
    mobility: Mobility
    of_method: tuple[str, ...] = ()  # warnings of a run with the scene's method, where one was begun

    def __repr__(self) -> str:
        return f"<Report on {self.mechanism.scene.title!r}: {self.mobility.dof} degrees of freedom>"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        scene, found = self.mechanism.scene, self.mobility
        return {
            "scene": scene.title,
            "space": scene.space,
            "bodies": len(self.mechanism.bodies),
            "joints": len(scene.joints),
            "forces": len(scene.forces),
            "motions": len(scene.motions),
            "velocities": self.mechanism.nv,
            "rows": found.rows,
            "gruebler": found.gruebler,
            "dof": found.dof,
            "mobility": found.mobility,
            "redundant": found.redundant,
            "generic_dof": found.generic_dof,
            "generic_redundant": found.generic_redundant,
            "singular_pose": found.singular_pose,
            "poses_visited": found.poses,
            "dependencies": [
                {
                    "rows": [{"joint": row.name, "label": row.label} for row in dependency.rows],
                    "removable": {"joint": dependency.removable.name, "label": dependency.removable.label},
                    "generic": dependency.generic,
                    "text": dependency.text,
                }
                for dependency in found.dependencies
            ],
            "remarks": [*self.start.notes, *found.notes, *self.of_method],
            "violation_position": self.start.violation_before,
            "violation_velocity": self.start.rate_before,
            "moved": {name: distance for name, distance in self.start.moved.items() if distance > 0.0},
            "velocity_changed": self.start.velocity_changed,
            "solver": self.mechanism.solver,
            "method": scene.simulation.method,
            "dt": scene.simulation.dt,
            "duration": scene.simulation.duration,
        }

    def text(self) -> str:
        """The same for people, at most one screen."""
        data, found = self.to_dict(), self.mobility
        lines = [
            f"{data['scene'] or 'Untitled'} ({data['space']}): "
            f"{_count(data['bodies'], 'moving body', 'moving bodies')}, {_count(data['joints'], 'joint')}, "
            f"{_count(data['forces'], 'force')}, {_count(data['motions'], 'motion')}",
            f"degrees of freedom   {found.dof}" + _driven(found),
            f"Grübler count        {found.gruebler}   ({data['velocities']} velocities, {found.rows} rows)",
            f"redundant rows       {found.redundant}"
            + ("   (for remedies: trammel analyze SCENE redundancy)" if found.generic_redundant else ""),
        ]
        if found.singular_pose:
            lines.append(
                f"{'':21}this pose is singular: in general {found.generic_redundant} redundant, "
                f"{found.generic_dof} degrees of freedom"
            )
        lines += _some(
            [
                f"  {dependency.text}" + ("" if dependency.generic else " (only at this pose)")
                for dependency in found.dependencies
            ]
        )
        lines.append(
            f"violation as given   {data['violation_position']:.1e} of position, "
            f"{data['violation_velocity']:.1e} 1/s of velocity"
        )
        moved = sorted(data["moved"].items(), key=lambda item: -item[1])
        if moved:
            name, distance = moved[0]
            lines.append(
                f"assembly moved       {_count(len(moved), 'body', 'bodies')}, "
                f"most of all {name} by {distance:.3g} m"
            )
        if data["velocity_changed"]:
            lines.append("velocities           changed to satisfy the constraints")
        lines += _some([f"remark: {note}" for note in data["remarks"]])
        lines.append(f"method               {data['method']}, step {data['dt']:g} s, {data['duration']:g} s")
        return "\n".join(lines)

    __str__ = text

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return f"<pre>{html.escape(self.text())}</pre>"


def check_scene(scene: Scene) -> Report:
    """Compile, assemble and count; raises SceneError or CompileError."""
    mechanism = prepare(scene).refuse_problems().mechanism
    refuse_jumps(mechanism, 0.0, float(mechanism.scene.simulation.duration))
    evaluator = Evaluator(mechanism)
    start = assemble(mechanism, evaluator=evaluator)
    return Report(mechanism, start, mobility(mechanism, start, evaluator=evaluator))


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _driven(found: Mobility) -> str:
    return "" if found.mobility == found.dof else f"   ({found.mobility} without motions)"


def _some(lines: list[str]) -> list[str]:
    rest = len(lines) - SHOWN
    return lines if rest <= 0 else [*lines[:SHOWN], f"  … and {rest} more"]
