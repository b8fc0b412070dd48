"""Draws docs/pictures/contact.svg: push over depth of the contact laws, each from a run of one impact.

python docs/pictures/contact.py
"""

from pathlib import Path

from engine.elements.contact import CONTACT_LAWS
from engine.model.scene import Scene
from engine.simulation.simulation import simulate

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 360, 56, 44
COLORS = ("#0072b2", "#555555", "#d55e00", "#009e73", "#cc79a7")
SPEED, RESTITUTION = 0.5, 0.6  # m/s; of the impact
# N/mⁿ, N·s/m: both go about equally deep
LINEAR, POWER, DAMPING = 1.7e4, 4e5, 40.0


def impact(law: str) -> tuple[list[float], list[float]]:
    """Depth [mm] and push [N] over the impact of a mass of 1 kg."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    scene = scene.with_body("mass", position=[0.0005, 0.0], velocity=[-SPEED, 0.0], mass=1.0, inertia=[0.01])
    world, end = {"body": "world", "point": [0, 0], "axis": [1, 0]}, {"body": "mass", "point": [0, 0]}
    scene = scene.with_joint("prismatic", "guide", a=world, b=end)
    linear = law == "kelvin_voigt"
    fields = {"stiffness": LINEAR if linear else POWER, "damping": DAMPING, "restitution": RESTITUTION}
    scene = scene.with_force(
        "stop",
        "wall",
        joint="guide",
        coordinate="displacement",
        lower=0.0,
        law=law,
        impact_speed=SPEED,
        **fields,
    )
    run = simulate(scene, method="rk4", dt=5e-5, duration=0.05)
    x, push = run.table(["joint.guide.displacement", "force.wall.effort"]).T
    inside = x < 1e-5
    return (-1e3 * x[inside]).tolist(), push[inside].tolist()


def drawn() -> str:
    curves = {law.title: impact(law.name) for law in CONTACT_LAWS}
    deepest = max(max(depth) for depth, _ in curves.values())
    strongest = max(max(push) for _, push in curves.values())

    def place(depth: float, push: float) -> str:
        x = LEFT + (WIDTH - LEFT - 20) * depth / deepest
        return f"{x:.1f},{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 20) * push / strongest:.1f}"

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<path d="M{LEFT} 20V{HEIGHT - BOTTOM}H{WIDTH - 20}" fill="none" stroke="black"/>',
        f'<text x="{WIDTH - 20}" y="{HEIGHT - 12}" text-anchor="end">depth, to {deepest:.2g} mm</text>',
        '<text x="18" y="20" transform="rotate(-90 18 20)" text-anchor="end">'
        f"push, to {strongest:.2g} N</text>",
    ]
    for i, ((title, (depth, push)), color) in enumerate(zip(curves.items(), COLORS, strict=True)):
        points = " ".join(place(*pair) for pair in zip(depth, push, strict=True))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        lines.append(f'<text x="{LEFT + 16}" y="{36 + 18 * i}" fill="{color}">{title}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(drawn(), encoding="utf-8")
