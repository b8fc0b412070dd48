"""A walking person of seven segments, all of whose degrees of freedom are guided by tables of joint
angles."""

import math
from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicSpline

from engine.model.scene import Scene
from engine.templates.look import BLUE, DARK, GREEN, GREY, ORANGE, PINK, RED, SKY, YELLOW
from engine.templates.shapes import box, rod, sphere
from scenes.generators.vocabulary import (
    Element,
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
LOAD_POINTS = 72  # the same for the forces of the ground
SWING_TIME = 0.4  # s: the right foot swings first, as in the source, and stands for the rest of the cycle
STANCE = 1.0 - SWING_TIME / CYCLE  # share of the cycle a foot stands
START = STANCE  # share of the cycle that has passed, for the right foot, when the run begins
BOTH = STANCE - 0.5  # share of the cycle in which one foot takes over from the other
STRIDE, HIP_HEIGHT, BOUNCE, LEAN = 0.84, 0.735, 0.012, -0.04  # m, m, m, rad
TOE_AHEAD = 0.29  # m: toe before the hip when the foot comes down
TOE_HEIGHT, TOE_LIFT = 0.02, 0.045  # m

RATE = 4.0 * math.pi / CYCLE  # rad/s, of the bounce: once per step
GRAVITY = 9.81  # m/s2
SHIFTS = {"right": START, "left": START + 0.5}  # share of the cycle that each foot is ahead
Guide = tuple[list[float], float, CubicSpline]  # values over one cycle, rate at its beginning, spline

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
    angles = {side: _leg_angles(shift) for side, shift in SHIFTS.items()}
    hat_angle, hat_speed = math.pi / 2 + LEAN, STRIDE / CYCLE
    phase = 4.0 * math.pi * START
    hip = np.array([0.0, HIP_HEIGHT + BOUNCE * math.cos(phase)])
    hip_velocity = np.array([hat_speed, -BOUNCE * RATE * math.sin(phase)])
    # the guides lead the centre of mass; the frame of the trunk is at the hip
    up = np.array([math.cos(hat_angle), math.sin(hat_angle)])
    centre = hip + HAT[1] * up
    height = HIP_HEIGHT + float(centre[1] - hip[1])
    trunk = body(
        "trunk",
        color=BLUE,
        layer=1,
        position=hip.tolist(),
        angle=hat_angle,
        velocity=hip_velocity.tolist(),
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
        rate, v_at = 0.0, hip_velocity
        for i, (segment, data) in enumerate((("thigh", THIGH), ("shank", SHANK), ("foot", FOOT))):
            name, pin = f"{side} {segment}", f"{side} {('hip', 'knee', 'ankle')[i]}"
            table, speed, _ = angles[side][i]
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
        "Seven segments walk two cycles at normal cadence, all nine degrees of freedom guided by tables; "
        "the efforts "
        "of the guides are the moments that muscles must give.",
        "P. Flores and H. M. Lankarani, human gait in the sagittal plane [Flores 2012, §8 and table 2].",
        notes="Lengths, masses and inertias are those of the source (half of the trunk on both legs, as "
        "there). Its measured trajectories and ground forces are not printed: the joint angles are made up, "
        "from a foot that swings for 0.4 s, then stands, and a hip that moves evenly. The ground pushes with "
        "what this motion needs by the theorem of momentum, at the toe that stands, handed over from "
        "foot to foot while both do; the guides of the trunk are left with little more than the moment.",
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
            _lead("trunk y", "y", f"{height!r} + {BOUNCE}*cos(4*pi*t/T + {phase!r})"),
            _lead("trunk angle", "angle", f"{hat_angle!r}"),
            *motions,
        ],
        forces=_ground_forces(angles),
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


# --- the forces of the ground ------------------------------------------------------------------------------


def _ground_forces(angles: dict[str, list[Guide]]) -> list[Element]:
    """What carries the seven segments, Σ m (a − g), on the toe of the foot that stands."""
    times = [CYCLE * i / LOAD_POINTS for i in range(LOAD_POINTS)]
    needed = np.array([_needed(t, angles) for t in times])
    found = []
    for side, shift in SHIFTS.items():
        share = np.array([_carried((t / CYCLE + shift) % 1.0) for t in times])
        loads = np.round(needed * share[:, None], 4)
        found.append(
            {
                "name": f"ground under the {side} foot",
                "kind": "force",
                "body": f"{side} foot",
                "point": "end",
                "components": [_periodic(times, loads[:, k].tolist()) for k in range(2)],
            }
        )
    return found


def _needed(t: float, angles: dict[str, list[Guide]]) -> np.ndarray:
    """Σ m (a − g) over the segments [N]; angles of the segments are sums of those of the joints."""
    at_hip = np.array([0.0, -BOUNCE * RATE**2 * math.cos(RATE * t + 4.0 * math.pi * START)])
    up = np.array([0.0, GRAVITY])
    total = HAT[2] * (at_hip + up)
    for joints in angles.values():
        angle, rate, turn, end = math.pi / 2 + LEAN, 0.0, 0.0, at_hip
        for data, (_, _, spline) in zip((THIGH, SHANK, FOOT), joints, strict=True):
            angle, rate, turn = angle + spline(t), rate + spline(t, 1), turn + spline(t, 2)
            along = np.array([math.cos(angle), math.sin(angle)])
            swung = turn * np.array([-along[1], along[0]]) - rate**2 * along
            total = total + data[2] * (end + data[1] * swung + up)
            end = end + data[0] * swung
    return total


def _carried(share: float) -> float:
    """Part of the load that a foot takes, over the share of the cycle since it came down."""

    def smooth(x: float) -> float:
        x = min(max(x, 0.0), 1.0)
        return x * x * (3.0 - 2.0 * x)

    return smooth(share / BOTH) - smooth((share - 0.5) / BOTH)


def _periodic(times: list[float], values: list[float]) -> Element:
    points = [[round(t, 9), value] for t, value in zip(times, values, strict=True)]
    points.append([round(CYCLE, 9), values[0]])
    return {"points": points, "interpolation": "cubic", "outside": "periodic"}


# --- the made-up motion ------------------------------------------------------------------------------------


def _leg_angles(shift: float) -> list[Guide]:
    """Tables of hip, knee and ankle angle over one cycle, their rates at its beginning, and their splines."""
    pitch = _pitch()
    rows = [_leg(i / POINTS, shift, pitch) for i in range(POINTS)]
    tables = []
    for column in np.array([*rows, rows[0]]).T:
        values = [round(float(value), 6) for value in column]
        times = np.array([round(CYCLE * i / POINTS, 9) for i in range(POINTS)] + [round(CYCLE, 9)])
        spline = CubicSpline(times, values, bc_type="periodic")
        tables.append((values, float(spline(0.0, 1)), spline))
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
    hip = np.array([0.0, HIP_HEIGHT + BOUNCE * math.cos(4 * math.pi * (time + START))])
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
