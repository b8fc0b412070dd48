"""Equal crank and rod with a massless slider: the benchmark, a driven one, and the orientation study."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREEN, ORANGE, PINK
from engine.templates.shapes import box
from scenes.generators.bars import bar
from scenes.generators.vocabulary import (
    Element,
    Vec,
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def slider_crank() -> Scene:
    return scene(
        "Slider-crank",
        "Crank and rod of equal length with a massless slider: it passes through the pose where both "
        "bars stand upright on top of each other and a second motion opens.",
        "Slider-crank with singular configurations [IFToMM 2015], [UPV Newmark, §8.2.7]; energy within "
        "1e-3 J.",
        notes="The bars are slender (m L^2/12); the slider carries no mass, as the benchmark says.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            *_sizes(1.0),
            parameter("theta", "pi/4", "rad", "crank angle at the start"),
            parameter("v0", 4.0, "m/s", "speed of the slider towards the crank pivot at the start"),
            parameter("omega", "v0/(2*L*sin(theta))", "rad/s", "crank speed that belongs to v0"),
        ],
        bodies=_bodies("planar", 0.035, [0.24, 0.14, 0.08]),
        joints=_joints("planar"),
        traces=TRACES,
        simulation=simulation(1e-3, 10.0),
    )


def slider_crank_torque() -> Scene:
    """A crank that can turn, with a slider of some mass."""
    s, w = "(r*sin(theta)/l)", "r*omega*cos(theta)/(l*sqrt(1 - (r*sin(theta)/l)^2))"
    crank = bar(
        "crank",
        ("P1", "P2"),
        space="planar",
        start=[0.0, 0.0],
        angle="theta",
        length="r",
        mass="m",
        radius=0.02,
        color=BLUE,
        layer=1,
        rate="omega",
    )
    rod = bar(
        "rod",
        ("P2", "P3"),
        space="planar",
        start=["r*cos(theta)", "r*sin(theta)"],
        angle=f"-asin{s}",
        length="l",
        mass="m",
        radius=0.02,
        color=ORANGE,
        layer=2,
        rate=f"-{w}",
        velocity=["-r*omega*sin(theta)", "r*omega*cos(theta)"],
    )
    slider = body(
        "slider",
        color=GREEN,
        position=[f"r*cos(theta) + l*sqrt(1 - {s}^2)", 0.0],
        velocity=[f"-r*omega*sin(theta) - r*sin(theta)*{w}", 0.0],
        mass="m",
        com=[0.0, 0.0],
        inertia=[0.005],
        points={"P3": [0.0, 0.0]},
        shapes=[box([0.2, 0.12, 0.07], [0.0, 0.0, 0.0])],
    )
    return scene(
        "Slider-crank with a torque",
        "A constant torque turns the crank against its weight, ever faster; the push of the slider in its "
        "guide and the force of the rod on it grow with the speed.",
        "G. Urkullu, slider-crank with reactions [Urkullu 2019, §8.8]; own numbers.",
        notes="Sizes, masses and torque stand in a drawing that was not at hand. Plot joint.P3.reaction.fx, "
        "the force on the slider, and joint.guide.reaction.fy, that of its guide.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("r", 0.4, "crank", (0.1, 0.8)),
            length_parameter("l", 1.0, "rod", (0.9, 3.0)),
            parameter("m", 1.0, "kg", "crank, rod and slider, each", (0.01, 10.0)),
            parameter("tau0", 3.0, "N*m", "torque on the crank", (0.0, 30.0)),
            parameter("theta", "-pi/2", "rad", "crank angle at the start"),
            parameter("omega", 0.0, "rad/s", "crank speed at the start"),
        ],
        bodies=[crank, rod, slider],
        joints=_joints("planar"),
        forces=[{"name": "motor", "kind": "torque", "body": "crank", "components": [0.0, 0.0, "tau0"]}],
        traces=TRACES,
        simulation=simulation(1e-3, 5.0),
    )


def change_point_slider_crank() -> Scene:
    drive = {
        "name": "drive",
        "kind": "body_motion",
        "body": "crank",
        "point": "P1",
        "coordinate": "angle",
        "level": "position",
        "function": "theta + omega*t",
    }
    return scene(
        "Change-point slider-crank",
        "The crank of a slider-crank with equal crank and rod is driven through 90 degrees, where the slider "
        "may pass the pivot or stay in it: the motion is not determined there.",
        "P. Flores and H. M. Lankarani, failures of Newton-Raphson [Flores 2012, fig. 45]; own dimensions.",
        notes="A failure case on purpose: with the crank driven, the determinant of the constraint Jacobian "
        "is L cos(theta), zero at t = 1 s.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            *_sizes(0.2),
            parameter("theta", 0.0, "rad", "crank angle at the start"),
            parameter("omega", "pi/2", "rad/s", "crank speed"),
        ],
        bodies=_bodies("planar", 0.009, [0.06, 0.04, 0.02]),
        joints=_joints("planar"),
        motions=[drive],
        traces=TRACES,
        simulation=simulation(1e-3, 4.0),
    )


def slider_crank_orientation() -> Scene:
    made = _bodies("spatial", 0.05, [0.24, 0.14, 0.08])
    for entry in made[:2]:
        # square section of side b, as the study says
        entry["inertia"] = ["m*b*b/6", "m*(L*L + b*b)/12", "m*(L*L + b*b)/12"]
    return scene(
        "Slider-crank, orientation",
        "The slider-crank as a spatial mechanism, released from rest: only unit quaternions take it through "
        "all its turns, every set of three orientation coordinates meets its singularity.",
        "Study of orientation coordinates [UPV Newmark, §9.1.4.2].",
        notes="Printed there for central differences at 3 ms: energy within 5e-4 J with unit quaternions; "
        "Euler ZXZ, reduced Euler-Rodrigues and Gibbs fail.",
        space="spatial",
        gravity=[0.0, -9.81, 0.0],
        parameters=[
            *_sizes(1.0),
            length_parameter("b", 0.1, "side of the square section", (0.01, 0.2)),
            parameter("theta", "pi/4", "rad", "crank angle at the start"),
            parameter("omega", 0.0, "rad/s", "crank speed at the start"),
        ],
        bodies=made,
        joints=_joints("spatial"),
        traces=TRACES,
        simulation=simulation(3e-3, 10.0),
    )


TRACES = [trace("path of P2", "crank", "P2", PINK, 2.0)]


def _sizes(length: float) -> list[Element]:
    return [
        length_parameter("L", length, "crank and rod", (0.2 * length, 3.0 * length)),
        parameter("m", 1.0, "kg", "crank and rod, each", (0.01, 10.0)),
    ]


def _bodies(space: str, radius: float, block: Vec) -> list[Element]:
    """Crank at the angle theta with the speed omega, rod, and slider on the x axis."""

    pad: Vec = [] if space == "planar" else [0.0]
    crank = bar(
        "crank",
        ("P1", "P2"),
        space=space,
        start=[0.0, 0.0],
        angle="theta",
        length="L",
        mass="m",
        radius=radius,
        color=BLUE,
        layer=1,
        rate="omega",
    )
    rod = bar(
        "rod",
        ("P2", "P3"),
        space=space,
        start=["L*cos(theta)", "L*sin(theta)"],
        angle="-theta",
        length="L",
        mass="m",
        radius=radius,
        color=ORANGE,
        layer=2,
        rate="-omega",
        velocity=["-L*omega*sin(theta)", "L*omega*cos(theta)"],
    )
    slider = body(
        "slider",
        color=GREEN,
        position=["2*L*cos(theta)", 0.0, *pad],
        velocity=["-2*L*omega*sin(theta)", 0.0, *pad],
        mass=0.0,
        inertia=[0.0] if space == "planar" else [0.0, 0.0, 0.0],
        points={"P3": [0.0, 0.0, *pad]},
        shapes=[box(block, [0.0, 0.0, 0.0])],
    )
    return [crank, rod, slider]


def _joints(space: str) -> list[Element]:
    pad: Vec = [] if space == "planar" else [0.0]
    zero: Vec = [0.0, 0.0, *pad]
    return [
        revolute("P1", ("world", zero), ("crank", "P1")),
        revolute("P2", ("crank", "P2"), ("rod", "P2")),
        revolute("P3", ("rod", "P3"), ("slider", "P3")),
        joint("prismatic", "guide", anchor("world", zero, [1.0, 0.0, *pad]), anchor("slider", zero)),
    ]
