"""Ten ways to pose the same mechanism give the same motion, with tight adaptive steps.

The reference is the run with Lagrange multipliers; `test_twins`, `test_slider_cranks` and `test_four_bar` tie
it to minimal coordinates. Penalty is exact only in the limit: its error falls as 1/penalty.
"""

from functools import cache

import numpy as np
import pytest

from engine import SceneError, simulate
from engine.compiled.layout import Array
from engine.solvers.catalogue import METHODS
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.integrators import SCHEMES
from engine.solvers.stabilisation import STABILISATIONS
from tests.verification import references as ref
from tests.verification.runs import at_end, energy_error, finished, shipped, shipped_run

MECHANISMS = ("double_pendulum", "four_bar", "bricard", "spatial_slider_crank")
DURATION, TOLERANCE = 0.5, 1e-12
AGREE = 1e-8
OPEN_ONLY = ("recursive",)  # these take no loops: `test_recursive`
EXACT = [name for name in FORMULATIONS.names if name not in ("lagrange", "penalty", *OPEN_ONLY)]


def closing(formulation: str) -> str:
    """The stabilisation that holds constraints best; some formulations bring their own."""
    kind = FORMULATIONS[formulation]
    return "none" if kind.project or kind.layout == "qp" else "projection"


@cache
def path(formulation: str, scene: str, penalty: float = 0.0) -> Array:
    """q and v at all samples."""
    options = {"rtol": TOLERANCE, "atol": TOLERANCE} | ({"penalty": penalty} if penalty else {})
    run = finished(shipped(scene), f"{formulation}/dopri5/{closing(formulation)}", 0.05, DURATION, **options)
    layout = run.segments[-1].channels.layout
    return np.hstack([run.samples[:, layout.q], run.samples[:, layout.v]])


def end(formulation: str, scene: str) -> Array:
    """q and v at the end."""
    return np.asarray(path(formulation, scene)[-1])


@pytest.mark.parametrize("scene", MECHANISMS)
@pytest.mark.parametrize("formulation", EXACT)
def test_same_trajectory(formulation: str, scene: str) -> None:
    assert end(formulation, scene) == pytest.approx(end("lagrange", scene), abs=AGREE)


@pytest.mark.parametrize("scene", MECHANISMS)
def test_penalty_error_falls_as_one_over_penalty(scene: str) -> None:
    # the rows vibrate with an amplitude of 1/penalty and a phase of their own: the largest error of the run
    # shows the amplitude, that of one instant the phase, too. A change of 1e-9 in the penalty changes the
    # phase and, by which samples meet a crest, the largest error by 2 %: the mean is the amplitude
    exact = path("lagrange", scene)
    errors = [
        np.mean([np.abs(path("penalty", scene, p * (1.0 + k * 1e-9)) - exact).max() for k in range(-3, 4)])
        for p in (1e4, 1e5, 1e6)
    ]
    assert -np.diff(np.log10(errors)) == pytest.approx(1.0, abs=0.01)


def test_multipliers_agree_where_they_are_unique() -> None:
    """Jᵀλ is unique always, λ itself without redundant rows."""
    for formulation in EXACT:
        method, options = (
            f"{formulation}/dopri5/{closing(formulation)}",
            {"rtol": TOLERANCE, "atol": TOLERANCE},
        )
        found = at_end(finished(shipped("four_bar"), method, 0.05, DURATION, **options))[2]
        wanted = at_end(
            finished(shipped("four_bar"), "lagrange/dopri5/projection", 0.05, DURATION, **options)
        )[2]
        assert found == pytest.approx(wanted, abs=1e-7), formulation


# one scheme of each make with every formulation, and every stabilisation: pieces meet through addresses only,
# so these stand for all combinations
MAKES = ("abm4", "trapezoidal", "adams")
SAMPLES = sorted(
    {
        *(f"{f}/{s}/{closing(f)}" for f in (*EXACT, "lagrange", "penalty") for s in MAKES),
        *(f"{f}/bdf2/{closing(f)}" for f in ("independent_velocities", "penalty")),
        *(f"{f}/d2/projection" for f in ("augmented_lagrangian", "null_space")),
        *(f"{f}/rk4/{s}" for f in ("augmented_lagrangian", "udwadia_kalaba") for s in STABILISATIONS.names),
    }
)


@pytest.mark.parametrize("method", SAMPLES)
def test_pieces_fit_together(method: str) -> None:
    """Half a second of a loop with a redundant row, at a millisecond."""
    run = shipped_run("bricard", method, 1e-3, 0.2)
    order = METHODS[method].order
    assert energy_error(run) < (1e-3 if order < 4 or method.startswith("penalty") else 1e-6)
    assert run.channel("violation.position").max() < 1e-6


def test_only_what_makes_sense_is_offered() -> None:
    assert len(METHODS) > 500
    for name in METHODS.names:
        if name.count("/") == 2:  # one slash: a preset of a direct method
            formulation, scheme, stabilisation = name.split("/")
            assert FORMULATIONS[formulation].project is None or stabilisation == "none"
            assert not (STABILISATIONS[stabilisation].needs_fixed_step and SCHEMES[scheme].adaptive)
    assert "independent_velocities/velocity_verlet/none" not in METHODS  # velocities are not in its state
    assert "lagrange/d3/baumgarte" not in METHODS  # unstable with damping at any step
    assert "lagrange/dopri5/baumgarte_taylor" not in METHODS  # has no step of its own


def test_udwadia_kalaba_refuses_massless_bodies() -> None:
    with pytest.raises(SceneError, match="inverse of the mass matrix"):
        simulate(shipped("slider_crank"), method="udwadia_kalaba/rk4/projection", duration=0.1)


@pytest.mark.parametrize("formulation", ["partitioning", "independent_coordinates", "independent_velocities"])
def test_partitions_change_without_a_trace(formulation: str) -> None:
    """The crank swings by nearly a full turn: no choice of one coordinate stays good throughout."""
    run = shipped_run("four_bar", f"{formulation}/rk4/none", 1e-3, 2.0)
    wanted, _ = ref.four_bar_angle(run.t[::100])
    assert run.channel("body.crank.angle")[::100] == pytest.approx(wanted, abs=2e-6)  # as with multipliers
    assert energy_error(run) < 1e-7
