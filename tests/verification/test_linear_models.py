"""Linear models against closed forms, published matrices and runs."""

import json

import numpy as np
import pytest
from scipy.io import loadmat
from scipy.linalg import eig

from engine import Scene, set_value, simulate
from engine.analyses.answers.state_space import StateSpace
from engine.analyses.base import Question
from engine.analyses.linear.frequency_response import FREQUENCY_RESPONSE, FrequencyOptions, of_function
from engine.analyses.linear.linear_model import LINEARISE, LinearOptions
from engine.analyses.linear.root_locus import ROOT_LOCUS, RootLocusOptions
from engine.errors import SceneError
from tests.verification.runs import G, shipped


def model(scene: Scene, **options: str) -> StateSpace:
    system = LINEARISE.run(Question(scene, LinearOptions(**options))).system  # type: ignore[arg-type]
    assert system is not None
    return system


# the benchmark bicycle: M q'' + v C1 q' + (g K0 + v² K2) q = f, q = (lean, steer) [Meijaard 2007, A1–A4]
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])


def published_poles(v: float) -> np.ndarray:
    zero, one = np.zeros((2, 2)), np.eye(2)
    left = np.block([[zero, one], [-(9.81 * K0 + v * v * K2), -v * C1]])
    return np.asarray(eig(left, np.block([[one, zero], [zero, M]]))[0])


def straight() -> Scene:
    return set_value(shipped("bicycle"), "parameters.roll_rate", 0.0)


def test_the_published_matrices_give_the_published_poles() -> None:
    """5 m/s, table 2 of the paper: the numbers above are typed rightly."""
    found = published_poles(5.0)
    for wanted in (-0.775341882195845 + 4.46486771378823j, -0.322866429004087, -14.0783896927982):
        assert min(abs(s - wanted) for s in found) < 1e-9


def test_root_locus_of_the_bicycle_at_ten_speeds() -> None:
    options = RootLocusOptions(path="parameters.v0", low=1.0, high=10.0, count=10)
    result = ROOT_LOCUS.run(Question(straight(), options))
    for row in result.tables[1].rows:
        found = np.array(row[1::2], dtype=float) + 1j * np.array(row[2::2], dtype=float)
        for wanted in published_poles(float(row[0])):  # type: ignore[arg-type]
            assert np.nanmin(np.abs(found - wanted)) < 1e-6
    limits = [row[0] for row in result.tables[0].rows]
    np.testing.assert_allclose(limits, [4.29238253634111, 6.02426201538837], atol=1e-6)
    assert "stability changes at 4.29238, 6.02426 m/s" in result.summary


def test_branches_of_a_locus_are_smooth() -> None:
    """Poles that belong together stay in their column: no branch jumps by more than its neighbours allow."""
    options = RootLocusOptions(path="parameters.v0", low=2.0, high=10.0, count=81)
    result = ROOT_LOCUS.run(Question(straight(), options))
    table = np.array([row[1:] for row in result.tables[1].rows], dtype=float)
    steps = np.nanmax(np.abs(np.diff(table, axis=0)), axis=0)
    assert np.nanmax(steps) < 1.0


def wagon(mass: float = 2.0, k: float = 50.0, c: float = 3.0) -> Scene:
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("wagon", mass=mass, inertia=[0.1], position=[0.0, 0.0])
        .with_joint("prismatic", "rail", a={"body": "world"}, b={"body": "wagon"})
        .with_force(
            "spring",
            "buffer",
            a={"body": "world", "point": [-1.0, 0.0]},
            b={"body": "wagon", "point": [0.0, 0.0]},
            stiffness=k,
            damping=c,
            free_length=1.0,
        )
        .with_force("force", "push", body="wagon", components=[0.0, 0.0], frame="world")
    )


def test_a_damped_oscillator() -> None:
    """x'' = (f − k x − c x')/m, and the reaction of the spring is read as it is."""
    system = model(
        wagon(), inputs="forces.push.components.0", outputs="joint.rail.displacement; joint.rail.acceleration"
    )
    assert [s.name for s in system.states] == ["joint.rail.displacement", "joint.rail.speed"]
    np.testing.assert_allclose(system.A, [[0.0, 1.0], [-25.0, -1.5]], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(system.B, [[0.0], [0.5]], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(system.C, [[1.0, 0.0], [-25.0, -1.5]], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(system.D, [[0.0], [0.5]], rtol=1e-9, atol=1e-12)


def driven_pendulum() -> Scene:
    """A pendulum below a support that a motion shakes sideways."""
    return (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("support", mass=1.0, inertia=[0.1])
        .with_body("bob", mass=0.7, inertia=[0.0], com=[0.0, -0.5], position=[0.0, 0.0])
        .with_joint("prismatic", "rail", a={"body": "world"}, b={"body": "support"})
        .with_joint("revolute", "pin", a={"body": "support"}, b={"body": "bob"})
        .with_force("rotational_spring", "oil", joint="pin", damping=0.2)
        .with_motion("joint_motion", "shake", joint="rail", coordinate="displacement", function="0")
    )


def test_a_pendulum_on_a_shaken_support() -> None:
    """θ'' = −(g/l) θ − c/(m l²) θ' − d''/l, and the motion needs (m + 1) d'' + m l θ''."""
    m, length, c = 0.7, 0.5, 0.2
    system = model(
        driven_pendulum(), outputs="joint.pin.angle; motion.shake.effort", inputs="motions.shake.function"
    )
    s = 2j * np.pi * 0.4
    theta = -(s * s / length) / (s * s + c / (m * length**2) * s + G / length)
    effort = (1.0 + m) * s * s + m * length * s * s * theta
    found = of_function(system, np.array([0.4]))[0]
    np.testing.assert_allclose(found, [theta, effort], rtol=1e-8)


def test_torque_on_the_handlebars() -> None:
    """The bicycle with a steering torque: columns of B are those of M⁻¹ for lean and steer accelerations."""
    scene = straight().with_force("motor", "hands", joint="head", effort=0.0)
    system = model(
        scene,
        about="motion",
        inputs="forces.hands.effort",
        outputs="body.frame.alpha.x; joint.head.acceleration",
    )
    wanted = np.linalg.solve(M, [0.0, 1.0])
    # a positive steer angle of the paper is to the right, about an axis that points down
    np.testing.assert_allclose(np.abs(system.D[:, 0]), np.abs(wanted), rtol=1e-7)


def test_frequency_response_against_runs() -> None:
    options = FrequencyOptions(
        input="forces.push.components.0",
        outputs="joint.rail.displacement",
        low=0.2,
        high=3.0,
        count=50,
        simulated=3,
        amplitude=0.01,
    )
    scene = set_value(wagon(c=8.0), "simulation.dt", 0.005)
    result = FREQUENCY_RESPONSE.run(Question(scene, options, simulate=simulate))
    assert not result.notes
    checked = result.tables[1]
    assert len(checked.rows) == 3
    assert all(float(row[4]) < 1e-4 for row in checked.rows)  # type: ignore[arg-type]
    m, k, c = 2.0, 50.0, 8.0
    for row in checked.rows:
        w = 2 * np.pi * float(row[1])  # type: ignore[arg-type]
        assert row[2] == pytest.approx(1.0 / abs(k - m * w * w + 1j * c * w), rel=1e-8)


def test_files(tmp_path) -> None:
    system = model(wagon())
    for ending in (".npz", ".mat", ".json"):
        system.save(tmp_path / f"wagon{ending}")
    with np.load(tmp_path / "wagon.npz") as npz:
        np.testing.assert_array_equal(npz["A"], system.A)
        assert list(npz["inputs"]) == [signal.name for signal in system.inputs]
    mat = loadmat(tmp_path / "wagon.mat")
    np.testing.assert_array_equal(mat["B"], system.B)
    data = json.loads((tmp_path / "wagon.json").read_text())
    assert data["states"][0] == {"name": "joint.rail.displacement", "unit": "m"}
    np.testing.assert_array_equal(data["C"], system.C)
    with pytest.raises(ValueError, match=r"\.npz, \.mat, \.json"):
        system.save(tmp_path / "wagon.txt")


def test_python_control() -> None:
    control = pytest.importorskip("control")
    system = model(wagon())
    np.testing.assert_allclose(
        np.sort_complex(control.poles(system.to_control())), np.sort_complex(system.poles())
    )


def test_unknown_names_are_told() -> None:
    with pytest.raises(SceneError, match=r"did you mean 'forces\.push\.components\.0'"):
        model(wagon(), inputs="forces.push.component.0")
    with pytest.raises(SceneError, match=r"joint\.rail"):
        model(wagon(), outputs="joint.rai.displacement")
    with pytest.raises(SceneError, match="no parameter"):
        ROOT_LOCUS.run(Question(wagon(), RootLocusOptions()))
