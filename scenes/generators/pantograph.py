"""The drawing instrument, led along a figure."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, DARK, GREEN, ORANGE, RED, SKY
from scenes.generators.bars import bar
from scenes.generators.vocabulary import (
    Element,
    Vec,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def pantograph() -> Scene:
    """O is fixed, P is led along a figure, Q draws it k times larger: OQ = L (u + w) = k OP."""

    def pantograph_bar(
        name: str,
        ends: tuple[str, str],
        start: Vec,
        angle: str,
        length: str,
        color: str,
        layer: int,
        velocity: Vec,
        rate: str,
    ) -> Element:
        return bar(
            name,
            ends,
            space="planar",
            start=start,
            angle=angle,
            length=length,
            mass=f"rho*{length}",
            radius=0.011,
            color=color,
            layer=layer,
            velocity=velocity,
            rate=rate,
        )

    def along(reach: str) -> tuple[Vec, Vec]:
        """Point at a distance from O on the first bar, and its velocity."""
        return (
            [f"{reach}*cos(psi + eta)", f"{reach}*sin(psi + eta)"],
            [f"-{reach}*rate1*sin(psi + eta)", f"{reach}*rate1*cos(psi + eta)"],
        )

    at_e, v_e = along("L")
    at_c, v_c = along("L/k")
    at_p: Vec = ["xc + 1.35*R", "yc"]
    v_p: Vec = [0.0, "-0.4*R*w"]
    long_arm = pantograph_bar("OE", ("O", "E"), [0.0, 0.0], "psi + eta", "L", BLUE, 1, [0.0, 0.0], "rate1")
    pen_arm = pantograph_bar("EQ", ("E", "Q"), at_e, "psi - eta", "L", ORANGE, 2, v_e, "rate2")
    tracer_arm = pantograph_bar("CP", ("C", "P"), at_c, "psi - eta", "(L/k)", GREEN, 2, v_c, "rate2")
    short_arm = pantograph_bar("PF", ("P", "F"), at_p, "psi + eta", "(L - L/k)", SKY, 3, v_p, "rate1")
    long_arm["points"].append({"name": "C", "position": ["L/k", 0.0]})
    pen_arm["points"].append({"name": "F", "position": ["L/k", 0.0]})
    return scene(
        "Pantograph",
        "The tracer P is led along a five-pointed figure and the pen Q draws it larger, in the ratio k.",
        "The drawing instrument that Christoph Scheiner made in 1603 [Scheiner 1631]; own dimensions.",
        notes="The board lies flat, so gravity is off. Both coordinates of P are prescribed: no "
        "degree of freedom is left.",
        space="planar",
        gravity=[0.0, 0.0],
        parameters=[
            length_parameter("L", 0.6, "the two long bars OE and EQ", (0.55, 1.0)),
            parameter("k", 2.0, "", "scale of the drawing", (1.3, 2.3)),
            parameter("rho", 0.5, "kg/m", "mass per length of the bars", (0.01, 5.0)),
            length_parameter("xc", 0.26, "centre of the figure"),
            length_parameter("yc", 0.2, "centre of the figure"),
            length_parameter("R", 0.08, "size of the figure", (0.0, 0.12)),
            parameter("w", "2*pi/5", "rad/s", "one figure in five seconds"),
            length_parameter("reach", "sqrt((xc + 1.35*R)*(xc + 1.35*R) + yc*yc)", "OP at the start"),
            parameter("psi", "atan2(yc, xc + 1.35*R)", "rad", "direction of OP at the start"),
            parameter("eta", "acos(k*reach/(2*L))", "rad", "half the angle at E, at the start"),
            parameter("psi_rate", "-0.4*R*w*cos(psi)/reach", "rad/s"),
            parameter("eta_rate", "0.4*R*w*sin(psi)*k/(2*L*sin(eta))", "rad/s"),
            parameter("rate1", "psi_rate + eta_rate", "rad/s", "OE and PF at the start"),
            parameter("rate2", "psi_rate - eta_rate", "rad/s", "EQ and CP at the start"),
        ],
        bodies=[long_arm, pen_arm, tracer_arm, short_arm],
        joints=[
            revolute("O", ("world", [0.0, 0.0]), ("OE", "O")),
            revolute("E", ("OE", "E"), ("EQ", "E")),
            revolute("C", ("OE", "C"), ("CP", "C")),
            revolute("P", ("CP", "P"), ("PF", "P")),
            revolute("F", ("PF", "F"), ("EQ", "F")),
        ],
        motions=[
            _lead("tracer x", "CP", "P", "x", "xc + R*(cos(w*t) + 0.35*cos(4*w*t))"),
            _lead("tracer y", "CP", "P", "y", "yc + R*(sin(w*t) - 0.35*sin(4*w*t))"),
        ],
        traces=[trace("figure", "CP", "P", DARK), trace("drawing", "EQ", "Q", RED)],
        simulation=simulation(1e-3, 5.0),
        view={"box": [[-0.27, -0.02, 0], [0.75, 0.63, 0.06]]},
    )


def _lead(name: str, of: str, point: str, coordinate: str, function: str) -> Element:
    return {
        "name": name,
        "kind": "body_motion",
        "body": of,
        "point": point,
        "coordinate": coordinate,
        "level": "position",
        "function": function,
    }
