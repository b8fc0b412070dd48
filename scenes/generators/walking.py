"""A walking person of seven segments, all of whose freedoms are guided by tables of joint angles."""

import math
from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicSpline

from scenes.generators.shapes import BLUE, DARK, GREEN, GREY, ORANGE, PINK, RED, SKY, YELLOW, box, rod, sphere
from scenes.generators.vocabulary import (
    Element,
    Scene,
    Vec,
    body,
    joint,
    parameter,
    scene,
    simulation,
    trace,
)

CYCLE = 67 / 70  # s: 68 frames at 70 Hz
POINTS = 36  # intervals of the tables over one cycle
STANCE = 0.6  # share of the cycle a foot stands
STRIDE, HIP_HEIGHT, BOUNCE, LEAN = 0.84, 0.735, 0.012, -0.04  # m, m, m, rad
TOE_AHEAD = 0.29  # m: toe before the hip when the foot comes down
TOE_HEIGHT, TOE_LIFT = 0.02, 0.045  # m

# length, centre of mass from the upper end [m], mass [kg], inertia [kg m2]: [Flores 2012, table 2]
HAT = (0.2575, 0.293, 19.2213, 1.03923)  # half of head, arms and trunk; its centre lies beyond the rib cage
THIGH = (0.3141, 0.1360, 5.67000, 0.05836)
SHANK = (0.4081, 0.1840, 2.63655, 0.04005)
FOOT = (0.1221, 0.0610, 0.82215, 0.00273)

# direction of the foot from the ankle to the toe [degrees] over the share of the cycle since it came down
FOOT_PITCH = {
    0.0: -17.0,
    0.1: -24.0,
    0.25: -25.0,
    0.4: -33.0,
    0.5: -48.0,
    0.6: -70.0,
    0.7: -72.0,
    0.85: -30.0,
}


def walking() -> Scene:
    angles = {side: _leg_angles(shift) for side, shift in (("right", 0.0), ("left", 0.5))}
    hat_angle, hat_speed = math.pi / 2 + LEAN, STRIDE / CYCLE
    hip = np.array([0.0, HIP_HEIGHT + BOUNCE])
    # the guides lead the centre of mass; the frame of the trunk is at the hip
    up = np.array([math.cos(hat_angle), math.sin(hat_angle)])
    centre = hip + HAT[1] * up
    trunk = body(
        "trunk",
        color=BLUE,
        layer=1,
        position=hip.tolist(),
        angle=hat_angle,
        velocity=[hat_speed, 0.0],
        angular_velocity=[0.0, 0.0, 0.0],
        mass=HAT[2],
        com=[HAT[1], 0.0],
        inertia=[HAT[3]],
        points={"hip": [0.0, 0.0], "centre": [HAT[1], 0.0], "head": [0.62, 0.0]},
        shapes=[
            rod([0.0, 0.0], [0.46, 0.0], 0.07),
            rod([0.46, 0.0], [0.55, 0.0], 0.03),
            sphere(0.09, [0.6, 0.0], ORANGE),
        ],
    )
    bodies, joints, motions = [trunk], [], []
    colors = {"right": (GREEN, SKY, RED), "left": (GREY, PINK, YELLOW)}
    for side, layer in (("right", 2), ("left", 0)):
        upper, upper_angle, at = "trunk", hat_angle, hip
        rate, v_at = 0.0, np.array([hat_speed, 0.0])
        for i, (segment, data) in enumerate((("thigh", THIGH), ("shank", SHANK), ("foot", FOOT))):
            name, pin = f"{side} {segment}", f"{side} {('hip', 'knee', 'ankle')[i]}"
            table, speed = angles[side][i]
            angle, rate = upper_angle + table[0], rate + speed
            color = colors[side][i]
            bodies.append(_segment(name, color, layer, data, at, angle, v_at, rate))
            joints.append(_pin(pin, upper, name, 0.0 if i == 0 else (THIGH, SHANK)[i - 1][0]))
            motions.append(_guide(pin, table))
            along = np.array([math.cos(angle), math.sin(angle)])
            at = at + data[0] * along
            v_at = v_at + data[0] * rate * np.array([-along[1], along[0]])
            upper, upper_angle = name, angle
    ground = body(
        "ground", color=DARK, fixed=True, mass=0.0, shapes=[box([2.6, 0.02, 0.5], [0.7, -0.012, 0.0])]
    )
    return scene(
        "Walking person",
        "Seven segments walk two cycles at normal cadence, all nine freedoms guided by tables; the efforts "
        "of the guides are the moments that muscles must give.",
        "P. Flores and H. M. Lankarani, human gait in the sagittal plane [Flores 2012, §8 and table 2].",
        notes="Lengths, masses and inertias are those of the source (half of the trunk on both legs, as "
        "there). Its measured trajectories and ground forces are not printed: the joint angles are made up, "
        "from a foot that stands still for 60 percent of the cycle and a hip that moves evenly. No ground "
        "force acts; the guides of the trunk give what the ground would.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            parameter("speed", STRIDE / CYCLE, "m/s", "walking speed; the tables belong to this one"),
            parameter("T", CYCLE, "s", "one cycle: two steps"),
        ],
        bodies=[*bodies, ground],
        joints=joints,
        motions=[
            _lead("trunk x", "x", f"{float(centre[0])!r} + speed*t"),
            _lead("trunk y", "y", f"{float(centre[1]) - BOUNCE!r} + {BOUNCE}*cos(4*pi*t/T)"),
            _lead("trunk angle", "angle", f"{hat_angle!r}"),
            *motions,
        ],
        traces=[
            trace("path of the right ankle", "right shank", "end", RED, 1.5),
            trace("path of the head", "trunk", "head", ORANGE, 1.5),
        ],
        simulation=simulation(CYCLE / 660, 2 * CYCLE, 0.4),
    )


def _segment(
    name: str,
    color: str,
    layer: int,
    data: tuple[float, ...],
    at: np.ndarray,
    angle: float,
    velocity: np.ndarray,
    rate: float,
) -> Element:
    length, centre, mass, inertia = data
    return body(
        name,
        color=color,
        layer=layer,
        position=at.tolist(),
        angle=angle,
        velocity=velocity.tolist(),
        angular_velocity=[0.0, 0.0, rate],
        mass=mass,
        com=[centre, 0.0],
        inertia=[inertia],
        points={"start": [0.0, 0.0], "end": [length, 0.0]},
        shapes=[rod([0.0, 0.0], [length, 0.0], 0.05 if mass > 5.0 else 0.035 if mass > 1.0 else 0.022)],
    )


def _pin(name: str, upper: str, lower: str, reach: float) -> Element:
    """A joint whose angle is the difference of the segments' angles."""
    ahead: Vec = [1.0, 0.0]
    return joint(
        "revolute",
        name,
        {"body": upper, "point": [reach, 0.0], "reference": ahead},
        {"body": lower, "point": "start", "reference": ahead},
    )


def _guide(name: str, values: list[float]) -> Element:
    times = [round(CYCLE * i / POINTS, 9) for i in range(POINTS)] + [round(CYCLE, 9)]
    return {
        "name": name,
        "kind": "joint_motion",
        "visible": False,
        "joint": name,
        "coordinate": "angle",
        "level": "position",
        "function": {
            "points": [[t, value] for t, value in zip(times, values, strict=True)],
            "interpolation": "cubic",
            "outside": "periodic",
        },
    }


def _lead(name: str, coordinate: str, function: str) -> Element:
    return {
        "name": name,
        "kind": "body_motion",
        "visible": False,
        "body": "trunk",
        "point": "centre",
        "coordinate": coordinate,
        "level": "position",
        "function": function,
    }


# --- the made-up motion ------------------------------------------------------------------------------------


def _leg_angles(shift: float) -> list[tuple[list[float], float]]:
    """Tables of hip, knee and ankle angle over one cycle, and their rates at its beginning."""
    pitch = _pitch()
    rows = [_leg(i / POINTS, shift, pitch) for i in range(POINTS)]
    tables = []
    for column in np.array([*rows, rows[0]]).T:
        values = [round(float(value), 6) for value in column]
        times = np.array([round(CYCLE * i / POINTS, 9) for i in range(POINTS)] + [round(CYCLE, 9)])
        spline = CubicSpline(times, values, bc_type="periodic")
        tables.append((values, float(spline(0.0, 1))))
    return tables


def _pitch() -> Callable[[float], float]:
    shares = [*FOOT_PITCH, 1.0]
    values = np.radians([*FOOT_PITCH.values(), FOOT_PITCH[0.0]])
    spline = CubicSpline(shares, values, bc_type="periodic")
    return lambda share: float(spline(share % 1.0))


def _leg(time: float, shift: float, pitch: Callable[[float], float]) -> tuple[float, float, float]:
    """Joint angles of one leg; `time` in cycles, `shift` is how far its step is ahead."""
    share = (time + shift) % 1.0
    # toe: stands, then swings one stride ahead on a smooth path; seen from the hip
    swing = max(0.0, (share - STANCE) / (1.0 - STANCE))
    smooth = swing**3 * (10.0 + swing * (6.0 * swing - 15.0))
    toe = np.array(
        [TOE_AHEAD + STRIDE * (smooth - share), TOE_HEIGHT + TOE_LIFT * 16 * (swing * (1 - swing)) ** 2]
    )
    hip = np.array([0.0, HIP_HEIGHT + BOUNCE * math.cos(4 * math.pi * time)])
    foot = pitch(share)
    ankle = toe - FOOT[0] * np.array([math.cos(foot), math.sin(foot)])
    # thigh and shank by the cosine rule, the knee ahead of the line from hip to ankle
    x, y = ankle - hip
    d = math.hypot(x, y)
    if d >= THIGH[0] + SHANK[0]:
        raise ValueError(f"walking: the ankle is out of reach at {time:.3f} cycles")
    bend = math.acos((THIGH[0] ** 2 + d * d - SHANK[0] ** 2) / (2 * THIGH[0] * d))
    thigh = math.atan2(y, x) + bend
    knee = hip + THIGH[0] * np.array([math.cos(thigh), math.sin(thigh)])
    shank = math.atan2(*(ankle - knee)[::-1])
    trunk = math.pi / 2 + LEAN
    return thigh - trunk, shank - thigh, foot - shank
