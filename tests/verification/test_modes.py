"""Linearised modes against closed forms: at rest, with damping, rigid bodies, and about steady motions."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.polynomial.laguerre import lagroots
from scipy.optimize import brentq

from engine import Scene, set_value
from engine.analyses.answers.result import Result
from engine.analyses.base import Question
from engine.analyses.dynamics.modes import MODES, ModeOptions
from tests.verification.runs import G, shipped


def modes(scene: Scene, about: str = "automatic") -> Result:
    return MODES.run(Question(scene, ModeOptions(about=about)))  # type: ignore[arg-type]


def frequencies(result: Result) -> list[float]:
    """Angular, of what oscillates [rad/s]."""
    assert result.modes is not None
    return [2 * np.pi * mode.frequency for mode in result.modes.modes if mode.frequency]


def exponents(result: Result) -> np.ndarray:
    """s of every mode that is no rigid-body mode."""
    rows = [row for row in result.tables[0].rows if row[1] != "stays where it is put"]
    return np.array([complex(float(row[4]), float(row[5])) for row in rows])  # type: ignore[arg-type]


def chain(n: int, length: float = 0.4) -> Scene:
    """Point masses on massless rods, pinned to each other, given askew."""
    scene = Scene(space="planar", gravity=(0.0, -G))
    at, before = np.zeros(2), {"body": "world"}
    for i in range(n):
        angle = -np.pi / 2 + 0.1 * (i + 1)
        scene = scene.with_body(
            f"rod {i}", mass=0.7, inertia=[0.0], com=[length, 0.0], position=at.tolist(), angle=angle
        ).with_joint("revolute", f"pin {i}", a=before, b={"body": f"rod {i}"})
        at = at + length * np.array([np.cos(angle), np.sin(angle)])
        before = {"body": f"rod {i}", "point": [length, 0.0]}
    return scene


@pytest.mark.parametrize("n", [1, 2, 5])
def test_chain_pendulum(n: int) -> None:
    """Equal masses and lengths: ω² = (g/l) x with x the zeros of Laguerre's polynomial of degree n."""
    wanted = np.sqrt(G / 0.4 * np.sort(lagroots([0.0] * n + [1.0]).real))
    found = frequencies(modes(chain(n)))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def wagons(k: float = 50.0, m: float = 2.0, c: float = 0.0) -> Scene:
    """Three equal wagons on a line, two springs between them, nothing that holds them."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    names = ["first", "second", "third"]
    for i, name in enumerate(names):
        scene = scene.with_body(name, mass=m, inertia=[0.1], position=[float(i), 0.0])
        scene = scene.with_joint("prismatic", f"rail {name}", a={"body": "world"}, b={"body": name})
    for a, b in pairwise(names):
        scene = scene.with_force(
            "spring", f"{a} to {b}", a={"body": a}, b={"body": b}, stiffness=k, damping=c, free_length=1.0
        )
    return scene


def test_a_rigid_body_mode_has_frequency_zero() -> None:
    result = modes(wagons())
    assert result.modes is not None
    first, *_ = result.modes.modes
    assert first.frequency == 0.0
    motion = np.asarray(first.shape).real.reshape(3, 3)
    np.testing.assert_allclose(motion[:, 0] / motion[0, 0], 1.0, atol=1e-9)  # all move alike
    np.testing.assert_allclose(frequencies(result), [5.0, 5.0 * np.sqrt(3.0)], rtol=1e-9)
    assert "1 of them rigid-body modes" in result.summary


def test_damping() -> None:
    """Proportional damping c/k: ζ = ω c/2k."""
    result = modes(wagons(c=1.0))
    assert result.modes is not None
    for mode in result.modes.modes[1:]:
        assert mode.damping == pytest.approx(2 * np.pi * mode.frequency * 1.0 / (2 * 50.0), rel=1e-9)


def test_an_upright_pendulum_falls() -> None:
    """About the unstable equilibrium s = ±√(g/l)."""
    upright = chain(1)
    body = upright.body("rod 0")
    import msgspec

    turned = msgspec.structs.replace(body, angle=np.pi / 2)
    scene = msgspec.structs.replace(upright, bodies=(turned,))
    result = modes(scene, "motion")
    np.testing.assert_allclose(
        np.sort(exponents(result).real), np.sqrt(G / 0.4) * np.array([-1, 1]), rtol=1e-9
    )
    assert "1 grows" in result.summary


def test_conical_pendulum() -> None:
    """About steady circling with cos θ = g/(Ω² l) the pendulum nods with ω² = Ω² (1 + 3 cos² θ)."""
    length, theta = 0.8, 0.6
    turn = np.sqrt(G / (length * np.cos(theta)))
    radius = length * np.sin(theta)
    scene = (
        Scene(space="spatial", gravity=(0.0, 0.0, -G))
        .with_body(
            "bob",
            mass=1.3,
            inertia=[0.01, 0.01, 0.01],
            position=[radius, 0.0, -length * np.cos(theta)],
            velocity=[0.0, turn * radius, 0.0],
        )
        .with_joint(
            "distance",
            "string",
            a={"body": "world", "point": [0.0, 0.0, 0.0]},
            b={"body": "bob", "point": [0.0, 0.0, 0.0]},
            length=length,
        )
    )
    result = modes(scene)
    assert "steady motion" in result.summary
    nods = turn * np.sqrt(1.0 + 3.0 * np.cos(theta) ** 2)
    found = frequencies(result)
    assert min(abs(w - nods) for w in found) < 1e-9 * nods
    assert all(abs(s.real) < 1e-7 for s in exponents(result))


# [Meijaard 2007]: benchmark bicycle


def bicycle(speed: float) -> np.ndarray:
    scene = set_value(set_value(shipped("bicycle"), "parameters.roll_rate", 0.0), "parameters.v0", speed)
    result = modes(scene)
    assert "about the steady motion" in result.summary
    return exponents(result)


def test_bicycle_weave_speed() -> None:
    def weave(speed: float) -> float:
        return max(s.real for s in bicycle(speed) if s.imag)

    assert brentq(weave, 4.1, 4.5, xtol=1e-8) == pytest.approx(4.29238253634111, abs=1e-6)


def test_bicycle_capsize_speed() -> None:
    def capsize(speed: float) -> float:
        return max(s.real for s in bicycle(speed) if not s.imag)

    assert brentq(capsize, 5.8, 6.3, xtol=1e-8) == pytest.approx(6.02426201538837, abs=1e-6)


def test_bicycle_exponents() -> None:
    """Table 2 of the paper, 5 m/s: weave, capsize and castering."""
    found = bicycle(5.0)
    for wanted in (-0.775341882195845 + 4.46486771378823j, -0.322866429004087, -14.0783896927982):
        assert min(abs(s - wanted) for s in found) < 1e-9


def test_an_unsteady_motion_is_told() -> None:
    result = modes(shipped("double_pendulum"), "motion")
    assert any("not steady" in note for note in result.notes)


@pytest.mark.parametrize("name", ["parallelogram", "forced_oscillator"])
def test_a_motion_that_is_steady_for_an_instant_only(name: str) -> None:
    """Bars at the vertical, a mass at its equilibrium: accelerations fit, their rates do not."""
    result = modes(shipped(name))
    assert "about the stable equilibrium" in result.summary
    assert any("not steady" in note for note in result.notes)


@pytest.mark.parametrize(("damping", "stiff"), [(25.0, False), (4000.0, True)])
def test_the_stiffness_ratio_is_that_of_the_exponents(damping: float, stiff: bool) -> None:
    """s² + c s + k = 0 for unit mass has two negative roots, whose ratio is told [Celej 2018, eq. 4.6]."""
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("weight", position=[0.1, 0.0], mass=1.0, inertia=[1.0])
        .with_joint("prismatic", "rail", a={"body": "world", "point": [0.0, 0.0]}, b={"body": "weight"})
        .with_force("bushing", "coil", a={"body": "world", "point": [0.0, 0.0]}, b={"body": "weight"},
                    stiffness=[100.0, 0.0, 0.0], damping=[damping, 0.0, 0.0])
    )  # fmt: skip
    slow, fast = sorted(np.abs(np.roots([1.0, damping, 100.0])))
    (note,) = [note for note in modes(scene).notes if note.startswith("stiffness ratio")]
    assert f"{fast / slow:.4g}" in note
    assert ("stiff, take" in note) == stiff
