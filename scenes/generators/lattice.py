"""A block of particles and springs: an elastic solid by discrete elements, struck at one end."""

import math

from engine.model.scene import Scene
from engine.templates.look import BLUE, RED
from scenes.generators.vocabulary import Element, anchor, parameter, scene, simulation

SPACING, MASS, STIFFNESS, DIAGONAL = 0.1, 0.01, 100.0, 40.0  # m, kg, N/m along the edges and the diagonals
WIDTH = 6  # spacings: half the width of the pulse; long against the spacing, so that it hardly disperses
HEIGHT = 0.05  # of the spacing: largest displacement, small against it, so that the springs act linearly
EDGES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
DIAGONALS = ((1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1))


def wave_speed() -> float:
    """Of long waves of compression along x, far from free surfaces [m/s]: c² = a² (k + 2 k_d)/m.

    Four of the diagonals to the next plane share the push, each with k_d cos²45° = k_d/2.
    """
    return SPACING * math.sqrt((STIFFNESS + 2.0 * DIAGONAL) / MASS)


def lattice(nx: int, ny: int, nz: int, *, diagonals: bool = False) -> Scene:
    """A block of nx by ny by nz particles with a pulse of compression that runs along x from its middle."""
    if min(nx, ny, nz) < 2:
        raise ValueError(f"lattice: {nx} x {ny} x {nz}; give at least two particles each way")
    speed = wave_speed() if diagonals else SPACING * math.sqrt(STIFFNESS / MASS)
    start = 2 * WIDTH * SPACING
    bodies: list[Element] = []
    forces: list[Element] = []
    for i in range(nx):
        shift, rate = _pulse(i * SPACING - start, speed)
        for j in range(ny):
            for k in range(nz):
                bodies.append(
                    {
                        "name": _name(i, j, k),
                        "color": RED if i == nx - 1 else BLUE,
                        "position": [i * SPACING + shift, j * SPACING, k * SPACING],
                        "velocity": [rate, 0.0, 0.0],
                        "mass": "mass",
                        "inertia": [1e-6, 1e-6, 1e-6],
                        "shapes": [{"kind": "sphere", "radius": 0.25 * SPACING}],
                    }
                )
                for a, b, c in (*EDGES, *(DIAGONALS if diagonals else ())):
                    if 0 <= i + a < nx and 0 <= j + b < ny and 0 <= k + c < nz:
                        forces.append(_spring((i, j, k), (i + a, j + b, k + c)))
    return scene(
        f"Block of {nx * ny * nz} particles",
        "A pulse of compression runs along a block of particles and springs.",
        "Own data; lattice of equal masses, springs along edges and face diagonals.",
        notes="Particles are bodies whose rotation nothing excites.",
        space="spatial",
        gravity=[0.0, 0.0, 0.0],
        up="z",
        parameters=[
            parameter("mass", MASS, "kg", "each particle"),
            parameter("k", STIFFNESS, "N/m", "springs along the edges"),
            parameter("k_diagonal", DIAGONAL, "N/m", "springs along the face diagonals"),
        ],
        bodies=bodies,
        forces=forces,
        simulation=simulation(1e-3, 0.5 * nx * SPACING / speed, 0.05, 10, "lagrange/rk4/none"),
    )


def _pulse(x: float, speed: float) -> tuple[float, float]:
    """Displacement and velocity at t = 0 of u = h (1 + cos(π (x − c t)/w))/2, a bump that goes one way."""
    half = WIDTH * SPACING
    if abs(x) >= half:
        return 0.0, 0.0
    height = HEIGHT * SPACING
    angle = math.pi * x / half
    return 0.5 * height * (1.0 + math.cos(angle)), 0.5 * height * math.pi * speed / half * math.sin(angle)


def _name(i: int, j: int, k: int) -> str:
    return f"p{i}_{j}_{k}"


def _spring(one: tuple[int, int, int], two: tuple[int, int, int]) -> Element:
    diagonal = sum(a != b for a, b in zip(one, two, strict=True)) > 1
    return {
        "name": f"s{one[0]}_{one[1]}_{one[2]}-{two[0]}_{two[1]}_{two[2]}",
        "kind": "spring",
        "visible": False,
        "a": anchor(_name(*one), [0.0, 0.0, 0.0]),
        "b": anchor(_name(*two), [0.0, 0.0, 0.0]),
        "stiffness": "k_diagonal" if diagonal else "k",
        "free_length": SPACING * math.sqrt(2.0) if diagonal else SPACING,
    }
