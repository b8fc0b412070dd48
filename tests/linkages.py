"""Linkages for tests that drag them: bars and plates with pins at named points, in any pose."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from engine.compiled.layout import Array
from engine.model.scene import Scene

Corners = Mapping[str, tuple[float, float]]

# holy numbers of Theo Jansen, in units of 1/100 m: "m" is the crank, "a" and "l" place its centre
JANSEN = dict(
    a=38.0, b=41.5, c=39.3, d=40.1, e=55.8, f=39.4, g=36.7, h=65.7, i=49.0, j=50.0, k=61.9, l=7.8, m=15.0
)
JANSEN_DYADS = (("P", "B", "A"), ("A", "C", "P"), ("P", "D", "B"), ("D", "E", "C"), ("C", "F", "E"))


def third(p: Array, q: Array, from_p: float, from_q: float, side: float) -> Array:
    """The corner of a triangle over the side pq; to the left of it when `side` is 1."""
    along = q - p
    base = float(np.linalg.norm(along))
    x = (base * base + from_p * from_p - from_q * from_q) / (2.0 * base)
    y = side * math.sqrt(from_p * from_p - x * x)
    along = along / base
    return np.asarray(p + x * along + y * np.array([-along[1], along[0]]))


def linkage(bodies: Mapping[str, Corners], ground: Corners, *, mass: float = 1.0) -> Scene:
    """Bodies whose corners of the same name are pinned together, or to the ground."""
    scene = Scene(space="planar", title="linkage")
    for name, corners in bodies.items():
        points = [{"name": key, "position": list(map(float, at))} for key, at in corners.items()]
        centre = np.mean([p["position"] for p in points], axis=0)
        inertia = mass * float(np.mean([np.sum((np.array(p["position"]) - centre) ** 2) for p in points]))
        pairs = itertools.combinations([p["position"] for p in points], 2)
        shapes = [
            {"kind": "rod", "start": [*one, 0.0], "end": [*two, 0.0], "radius": 0.012} for one, two in pairs
        ]
        scene = scene.with_body(
            name, mass=mass, com=centre.tolist(), inertia=[inertia], points=points, shapes=shapes
        )
    for key in dict.fromkeys(key for corners in bodies.values() for key in corners):
        users = [name for name, corners in bodies.items() if key in corners]
        if key in ground:
            a = {"body": "world", "point": list(map(float, ground[key]))}
            for name in users:
                scene = scene.with_joint("revolute", f"{key} {name}", a=a, b={"body": name, "point": key})
            continue
        for one, two in itertools.pairwise(users):
            scene = scene.with_joint(
                "revolute",
                f"{key} {one} {two}",
                a={"body": one, "point": key},
                b={"body": two, "point": key},
            )
    return scene


def jansen_corners(crank: float) -> dict[str, Array]:
    """Where the pins of a Jansen leg are at an angle of its crank [m]."""
    n = {key: value / 100.0 for key, value in JANSEN.items()}
    P = np.array([-n["a"], -n["l"]])
    A = n["m"] * np.array([math.cos(crank), math.sin(crank)])
    B = third(P, A, n["b"], n["j"], 1.0)
    C = third(P, A, n["c"], n["k"], -1.0)
    D = third(P, B, n["d"], n["e"], 1.0)
    E = third(D, C, n["f"], n["g"], -1.0)
    F = third(C, E, n["i"], n["h"], 1.0)
    return dict(O=np.zeros(2), P=P, A=A, B=B, C=C, D=D, E=E, F=F)


def jansen_leg(crank: float = 0.3) -> Scene:
    """A Jansen leg without a motor: one degree of freedom."""
    at = {key: (float(place[0]), float(place[1])) for key, place in jansen_corners(crank).items()}

    def corners(keys: str) -> Corners:
        return {key: at[key] for key in keys}

    bodies = {
        "crank": corners("OA"),
        "upper rod": corners("AB"),
        "lower rod": corners("AC"),
        "rocker": corners("PBD"),
        "stay": corners("PC"),
        "hanger": corners("DE"),
        "foot": corners("CEF"),
    }
    return linkage(bodies, corners("OP"))


def side(p: Array, q: Array, r: Array) -> float:
    """Twice the signed area of a triangle: its sign says which way a dyad is assembled."""
    return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))
