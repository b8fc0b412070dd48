"""The problems of the library [IFToMM 2015], with results that others have published.

Published times are their authors' own, on the machines named; sources are listed in docs/benchmarks.md.
"""

from engine.benchmarks.base import Benchmark, Published
from engine.benchmarks.problem_measures import andrews_balance, energy_drift, energy_span, governor_error

PENDULUM = Benchmark(
    name="A01",
    title="Simple pendulum",
    summary="largest energy drift over 10 s",
    scene="pendulum",
    measure=energy_drift,
    unit="J",
    limit=5e-5,
    published=(
        Published("MbsLab, augmented Lagrangian index 3, C++", "1e-3", 4.85e-5, 0.53, "i5-4250U"),
        Published("OpenSim 3.2", "1e-6 … 1e-3", 4e-11, 0.637, "i5-4570"),
        Published("Biolim, relative coordinates, trapezoidal", "1e-3", 9.17e-6, 0.0254, "i7-4790K"),
        Published("central differences with quaternions, C", "1e-3", 3.61e-5, 0.0394, "Ryzen 2600"),
        Published("null-space Newmark, C++", "5e-4", 1.22e-5, 0.459, "Xeon E5-2637v3"),
        Published("Exudyn", "8e-4", 5e-5, 0.037, "i7 laptop", below=True),
    ),
)

DOUBLE_FOUR_BAR = Benchmark(
    name="A02",
    title="Double four-bar",
    summary="largest energy drift over 10 s, through singular configurations",
    scene="double_four_bar",
    measure=energy_drift,
    unit="J",
    limit=0.1,
    published=(
        Published("MbsLab, natural coordinates, C++", "1e-2", 0.0917, 0.145, "Core 2 E8400"),
        Published("MBDyn", "8e-3", 0.09, 0.325, "i7-2620M"),
        Published("OpenSim 3.2", "1e-3 … 1e-2", 3.2e-7, 0.455, "i5-4570"),
        Published("central differences with quaternions, C", "1.5e-2", 0.088, 0.26, "Xeon E5345"),
        Published("null-space Newmark, C++", "1e-2", 0.1, 0.4, "Xeon E5-2637v3", below=True),
        Published("Exudyn, generalised-α", "1e-2", 0.114, 0.0776, "i9"),
        Published("SolidWorks Motion", "1e-2", 0.0, 48.77, "Core 2 E8400"),
    ),
)

ANDREWS = Benchmark(
    name="A03",
    title="Andrews' squeezer",
    summary="largest error of the energy balance with the work of the torque over 0.05 s",
    scene="andrews",
    measure=andrews_balance,
    unit="J",
    limit=1e-5,
    published=(
        Published("MbsLab, augmented Lagrangian index 3, C++", "1e-6", 2.2e-6, 1.1),
        Published("OpenSim 3.2", "1e-6 … 1e-4", 3.7e-7, 0.384, "i5-4570"),
        Published("canonical equations, trapezoidal", "1e-6", 2e-6, None),
        Published("central differences with quaternions, Octave", "5e-6", 7.3e-6, 986.0, "Xeon E5345"),
    ),
)

BRICARD = Benchmark(
    name="A04",
    title="Bricard mechanism",
    summary="largest energy drift over 10 s, redundant constraints",
    scene="bricard",
    measure=energy_drift,
    unit="J",
    limit=1e-3,
    published=(
        Published("augmented Lagrangian index 3, natural coordinates, C++", "5e-3", 8e-4, 0.125, "i7-3770"),
        Published("OpenSim 3.2", "1e-3 … 1e-2", 9.6e-7, 0.258, "i5-4570"),
        Published("central differences with quaternions, C", "1e-2", 3.5e-4, 0.32, "Xeon E5345"),
        Published("null-space Newmark, C++", "1e-2", 6.9e-4, 0.348, "Xeon E5-2637v3"),
    ),
)

GOVERNOR = Benchmark(
    name="A05",
    title="Stiff flyball governor",
    summary="error of the slider at 101 instants of 10 s, against a reference",
    scene="flyball_governor",
    measure=governor_error,
    unit="",
    limit=1e-5,
    published=(
        Published("MbsLab, augmented Lagrangian index 3, C++", "5e-4", 3.5e-6, 0.853),
        Published("central differences with quaternions, Octave", "5e-4", 4.6e-6, 2010.0, "Xeon E5345"),
        Published("Adams GSTIFF, tolerance 1e-8", "≤ 1e-4", 7e-4, 21.0, "Xeon E5345"),
        Published("Adams HHT, tolerance 1e-8", "≤ 1e-4", 7.6e-4, 10.0, "Xeon E5345"),
    ),
)

SLIDER_CRANK = Benchmark(
    name="slider-crank",
    title="Planar slider-crank",
    summary="largest energy drift over 10 s, through singular configurations",
    scene="slider_crank",
    measure=energy_drift,
    unit="J",
    limit=1e-3,
    published=(
        Published("null-space Newmark (Fox-Goodwin), recomputed for slender bars", "1e-3", 5.4e-4, None),
    ),
)

BICYCLE = Benchmark(
    name="bicycle",
    title="Bicycle, manoeuvre 2",
    summary="span of the energy over 20 s, in percent of the start; rolling wheels",
    scene="bicycle",
    measure=energy_span,
    unit="%",
    limit=1e-3,
    published=(
        Published("MBSLIM 2, matrix R, Fortran", "1e-2", 9e-4, 0.681),
        Published("MbsLab, augmented Lagrangian index 3, C++", "1e-5", 8.5e-4, 26.2),
        Published("Exudyn, trapezoidal index 2", "1.4e-2", 9.15e-4, 0.596, "i9-7940X"),
        Published("central differences with quaternions, Octave", "1e-2", 6.9e-4, 362.0, "Xeon E5345"),
    ),
)
