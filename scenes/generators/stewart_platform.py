"""Gough's and Stewart's platform."""

import math

import numpy as np

from engine.maths.rotations import quaternion_of
from engine.model.scene import Scene
from engine.templates.look import BLUE, DARK, GREY, ORANGE, RED, SKY, YELLOW
from engine.templates.shapes import box, disc, rod, sphere
from engine.templates.spatial import listed
from scenes.generators.vocabulary import (
    Element,
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    scene,
    simulation,
    trace,
)


def stewart_platform() -> Scene:
    """Six legs between base and platform; each is a cylinder on a universal joint, a piston and a ball."""
    base_radius, top_radius, height, reach = 1.0, 0.6, 1.1, 0.85
    base_angles = np.radians([10.0, 110.0, 130.0, 230.0, 250.0, 350.0])
    top_angles = np.radians([50.0, 70.0, 170.0, 190.0, 290.0, 310.0])
    colors = [ORANGE, SKY, ORANGE, SKY, ORANGE, SKY]
    bodies: list[Element] = []
    joints: list[Element] = []
    motions: list[Element] = []
    top_points = {}
    for i, (at_base, at_top) in enumerate(zip(base_angles, top_angles, strict=True), start=1):
        p_foot = np.array([base_radius * math.cos(at_base), base_radius * math.sin(at_base), 0.0])
        p_head = np.array([top_radius * math.cos(at_top), top_radius * math.sin(at_top), height])
        length = float(np.linalg.norm(p_head - p_foot))
        # leg frame: z along the leg, x horizontal: the arm of the cross that is fixed to the base
        z_axis = (p_head - p_foot) / length
        x_axis = np.cross([0.0, 0.0, 1.0], z_axis)
        x_axis = x_axis / np.linalg.norm(x_axis) + 0.0  # no negative zeros in the file
        turned = listed(quaternion_of(np.column_stack([x_axis, np.cross(z_axis, x_axis), z_axis])))
        if max(turned, key=abs) < 0.0:  # q and -q are one orientation; the file has the largest part positive
            turned = [-part for part in turned]
        top_points[f"head{i}"] = [*p_head[:2].tolist(), 0.0]
        foot, head, joined = p_foot.tolist(), p_head.tolist(), length
        bodies.append(
            body(
                f"cylinder{i}",
                color=GREY,
                position=foot,
                orientation=turned,
                mass="m_cylinder",
                com=[0.0, 0.0, reach / 2],
                inertia=[
                    f"m_cylinder*{reach}*{reach}/12",
                    f"m_cylinder*{reach}*{reach}/12",
                    "m_cylinder*0.001",
                ],
                points={"foot": [0.0, 0.0, 0.0]},
                shapes=[rod([0.0, 0.0, 0.03], [0.0, 0.0, reach], 0.045), sphere(0.05, [0.0, 0.0, 0.0], DARK)],
            )
        )
        bodies.append(
            body(
                f"piston{i}",
                color=colors[i - 1],
                position=head,
                orientation=turned,
                mass="m_piston",
                com=[0.0, 0.0, -reach / 2],
                inertia=[f"m_piston*{reach}*{reach}/12", f"m_piston*{reach}*{reach}/12", "m_piston*0.0003"],
                points={"head": [0.0, 0.0, 0.0]},
                shapes=[rod([0.0, 0.0, -reach], [0.0, 0.0, 0.0], 0.025), sphere(0.04, [0.0, 0.0, 0.0], DARK)],
            )
        )
        joints += [
            joint(
                "universal",
                f"U{i}",
                anchor("world", foot, x_axis.tolist()),
                anchor(f"cylinder{i}", "foot", [0, 1, 0]),
            ),
            joint(
                "prismatic",
                f"leg{i}",
                anchor(f"cylinder{i}", [0.0, 0.0, joined], [0, 0, 1]),
                anchor(f"piston{i}", "head"),
            ),
            joint("spherical", f"S{i}", anchor(f"piston{i}", "head"), anchor("platform", f"head{i}")),
        ]
        phase = f"{i // 2 % 3}*2*pi/3"
        motions.append(
            {
                "name": f"drive{i}",
                "kind": "joint_motion",
                "joint": f"leg{i}",
                "coordinate": "displacement",
                "level": "position",
                "function": f"(heave + tilt*sin(w*t + {phase}))*(1 - cos(w*t))/2",
            }
        )
    platform = body(
        "platform",
        color=BLUE,
        position=[0.0, 0.0, height],
        mass="m_top",
        com=[0.0, 0.0, 0.0],
        inertia=[f"m_top*{top_radius}*{top_radius}/4"] * 2 + [f"m_top*{top_radius}*{top_radius}/2"],
        points={"centre": [0.0, 0.0, 0.0], **top_points},
        shapes=[
            disc(top_radius, 0.04, position=[0.0, 0.0, 0.03], opacity=0.8),
            box([0.3, 0.04, 0.02], [0.15, 0.0, 0.06], YELLOW),
        ],
    )
    base = body(
        "base", color=DARK, fixed=True, mass=0.0, shapes=[disc(1.1, 0.04, position=[0.0, 0.0, -0.07])]
    )
    return scene(
        "Stewart platform",
        "Six driven legs heave and tilt the platform; the efforts of the motions are the forces the "
        "actuators must give.",
        "V. E. Gough [Gough 1956] and D. Stewart [Stewart 1965]; own dimensions.",
        notes="The motions prescribe the extension of each leg from its length at the start: six "
        "degrees of freedom, six motions.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            length_parameter("heave", 0.16, "common stroke of the legs", (0.0, 0.3)),
            length_parameter("tilt", 0.1, "stroke that differs between the legs", (0.0, 0.15)),
            parameter("w", "2*pi/5", "rad/s", "one cycle in five seconds", (0.1, 10.0)),
            parameter("m_top", 40.0, "kg", "platform and load", (1.0, 500.0)),
            parameter("m_cylinder", 3.0, "kg", "each", (0.1, 20.0)),
            parameter("m_piston", 1.5, "kg", "each", (0.1, 20.0)),
        ],
        bodies=[platform, *bodies, base],
        joints=joints,
        motions=motions,
        traces=[
            trace("path of the centre", "platform", "centre", RED),
            trace("path of head 1", "platform", "head1", DARK),
        ],
        simulation=simulation(1e-3, 10.0),
        view={"box": [[-1.1, -1.1, -0.09], [1.1, 1.1, 1.38]]},
    )
