"""Figures of [Urkullu 2019]: central differences of second order in Cartesian coordinates and quaternions."""

from engine.benchmarks.printed.base import Figure, LoadScene, PrintedTable, of_run
from engine.benchmarks.problem_measures import andrews_balance, energy_drift, energy_span, governor_error
from engine.model.scene import Scene

CENTRAL = "central_differences"
STARTING_STEP = "rolling rows at the first step, which the source does not print"
REFERENCE = "the reference of the source is itself off by about 3e-6"


def spatial_pendulum(_load: LoadScene) -> Scene:
    """A01 in space: a point mass of 1 kg on a massless rod of 1 m, released level."""
    return (
        Scene(space="spatial", gravity=(0.0, -9.81, 0.0))
        .with_body("bob", position=[-1.0, 0.0, 0.0], mass=1.0, inertia=[0.0, 0.0, 0.0])
        .with_joint(
            "revolute",
            "O",
            a={"body": "world", "point": [0.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0]},
            b={"body": "bob", "point": [1.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0]},
        )
    )


PENDULUM = PrintedTable(
    name="cd-pendulum",
    source="[Urkullu 2019, §8.3 and table 8.5]",
    title="Simple pendulum (A01), energy drift over 10 s",
    unit="J",
    figures=tuple(
        Figure(f"{dt:g} s", printed, of_run(spatial_pendulum, CENTRAL, dt, energy_drift, duration=10.0))
        for dt, printed in ((0.05, 9e-2), (0.01, 3.6e-3), (5e-3, 9.02e-4), (1e-3, 3.6e-5))
    ),
)

DOUBLE_FOUR_BAR = PrintedTable(
    name="cd-double-four-bar",
    source="[Urkullu 2019, §8.6, tables 8.12 and 8.34]",
    title="Double four-bar (A02), energy drift over 10 s",
    unit="J",
    figures=tuple(
        Figure(f"{dt:g} s", printed, of_run("double_four_bar", CENTRAL, dt, energy_drift))
        for dt, printed in ((0.015, 0.088), (0.01, 0.039))
    ),
)

BRICARD = PrintedTable(
    name="cd-bricard",
    source="[Urkullu 2019, §8.7, table 8.15]",
    title="Bricard (A04), energy drift over 10 s",
    unit="J",
    figures=(Figure("0.01 s", 3.6e-4, of_run("bricard", CENTRAL, 0.01, energy_drift)),),
)

SLIDER_CRANK = PrintedTable(
    name="cd-spatial-slider-crank",
    source="[Urkullu 2019, §8.9, table 8.19]",
    title="Spatial slider-crank with universal joint, energy drift over 5 s",
    unit="J",
    figures=(
        Figure(
            "0.001 s",
            2.3e-5,
            of_run("spatial_slider_crank", CENTRAL, 1e-3, energy_drift, duration=5.0),
            "not reached as a largest error; of the size of its RMS, or other arms of the cross",
        ),
    ),
)

ANDREWS = PrintedTable(
    name="cd-andrews",
    source="[Urkullu 2019, §8.10, table 8.23]",
    title="Andrews' squeezer (A03), balance with the work of the torque over 0.05 s",
    unit="J",
    figures=(
        Figure(
            "5e-06 s",
            7.3e-6,
            of_run("andrews", CENTRAL, 5e-6, andrews_balance),
            "planar coordinates here; the same scene in space gives 7.56e-6 J",
        ),
    ),
)

GOVERNOR = PrintedTable(
    name="cd-governor",
    source="[Urkullu 2019, §8.11, table 8.25]",
    title="Stiff flyball governor (A05), error of the slider at 101 instants",
    unit="",
    figures=tuple(
        Figure(f"{dt:g} s", printed, of_run("flyball_governor", CENTRAL, dt, governor_error), reason)
        for dt, printed, reason in (
            (2.5e-3, 9.5e-5, ""),
            (1e-3, 1.2e-5, REFERENCE),
            (5e-4, 4.7e-6, REFERENCE),
        )
    ),
)

BICYCLE = PrintedTable(
    name="cd-bicycle",
    source="[Urkullu 2019, §8.12, table 8.28]",
    title="Bicycle, manoeuvre 2, span of the energy over 20 s",
    unit="%",
    figures=tuple(
        Figure(f"{dt:g} s", printed, of_run("bicycle", CENTRAL, dt, energy_span), STARTING_STEP)
        for dt, printed in ((0.025, 4.6e-3), (0.01, 6.9e-4), (5e-3, 1.6e-4), (1e-3, 6.2e-6))
    ),
)
