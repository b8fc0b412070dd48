"""What every template keeps: closed at the start, sound, as mobile as it says, refusing with a range."""

import math
import subprocess
import sys

import numpy as np
import pytest

from engine import check_scene, compile_scene, simulate, validate
from engine.compiled.layout import StepStatus
from engine.system.assembly.assemble import assemble
from engine.templates import TEMPLATES, TemplateError
from engine.templates.base import Unreachable
from engine.templates.numbers import RATES, numbers_of

CLOSED, CLOSED_RATE = 1e-10, 1e-8
DRAWN = 2  # random mechanisms per template

each = pytest.mark.parametrize("template", list(TEMPLATES), ids=lambda t: t.name)


def draw(template, rng):
    """Lengths near their defaults, angles and choices anywhere."""
    values = {}
    for p in template.parameters:
        if p.unit == "rad" or p.whole:
            value = rng.uniform(p.low, min(p.high, 60.0))
        else:
            value = np.clip(p.default * rng.uniform(0.75, 1.3) + rng.uniform(-0.01, 0.01), p.low, p.high)
        values[p.name] = float(round(value)) if p.whole else float(value)
    return values


def admissible_draws(template):
    rng = np.random.default_rng(7)
    found = []
    for _ in range(400):
        values = draw(template, rng)
        try:
            template.check(values)
        except Unreachable:
            continue
        found.append((values, template.make(**values)))
        if len(found) == DRAWN:
            break
    return found


@each
def test_defaults_are_sound_closed_and_as_mobile_as_stated(template):
    made = template.make()
    assert validate(made.scene) == []
    report = check_scene(made.scene)
    assert report.start.violation_before < CLOSED
    assert report.start.rate_before < CLOSED_RATE
    assert report.mobility.mobility == made.mobility
    assert not report.mobility.singular_pose
    assert report.mobility.dof == max(made.mobility - len(made.scene.motions), 0)
    assert made.scene.traces
    assert made.facts


@each
def test_random_admissible_values_close_too(template):
    found = admissible_draws(template)
    assert len(found) == DRAWN
    for values, made in found:
        assert validate(made.scene) == [], values
        start = assemble(compile_scene(made.scene))
        assert start.violation_before < CLOSED, values
        assert start.rate_before < CLOSED_RATE, values


@each
def test_a_second_runs_and_something_moves(template):
    scene = template.make().scene
    run = simulate(scene, duration=1.0)
    assert run.status is StepStatus.FINISHED, run.message
    assert run.channel("violation.position").max() < 1e-9
    energy = run.channel("energy.kinetic")
    scale = energy.max() + np.ptp(run.channel("energy.potential"))
    assert abs(run.channel("energy.error")).max() < 1e-5 * scale
    trace = scene.traces[0]
    names = [
        f"body.{trace.body}.point.{trace.point}.pos.{axis}"
        for axis in "xyz"[: 3 if scene.space == "spatial" else 2]
    ]
    assert max(np.ptp(run.channel(name)) for name in names) > 0.02


@each
def test_parameters_have_titles_help_and_a_default_in_range(template):
    assert template.title
    assert template.summary.endswith(".")
    for p in template.parameters:
        assert p.title
        assert p.help or p.choices
        assert p.low <= p.default <= p.high
        assert not p.choices or (p.whole and p.high == len(p.choices) - 1)
        if p.unit == "rad":  # windows show degrees
            assert math.degrees(p.default) == pytest.approx(round(math.degrees(p.default), 2), abs=1e-9)


@each
def test_values_out_of_range_are_refused_with_the_range(template):
    for p in template.parameters:
        for bad in (p.low - 1.0, p.high + 1.0, float("nan"), float("inf")):
            with pytest.raises(TemplateError) as caught:
                template.make(**{p.name: bad})
            assert caught.value.parameter is p
            assert caught.value.span == (p.low, p.high)
            assert p.title in str(caught.value)
        if p.whole:
            with pytest.raises(TemplateError, match="whole number"):
                template.make(**{p.name: p.low + 0.5})


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("four_bar", {"coupler": 1.5}),
        ("slider_crank", {"rod": 0.08}),
        ("watt_six_bar", {"arm_e": 0.05}),
        ("stephenson_six_bar", {"link": 0.05}),
        ("jansen_leg", {"longer": 1.4}),
        ("klann_leg", {"longer": 1.2}),
        ("peaucellier", {"side": 0.45}),
        ("pantograph", {"ratio": 6.0}),
        ("dwell_linkage", {"rest": 3.1}),
        ("stewart_platform", {"heave": 2.0}),
        ("bennett", {"b": 1.0}),
        ("bricard", {"start": 2.9}),
        ("double_wishbone", {"travel": 0.3}),
    ],
)
def test_an_impossible_value_is_told_with_what_it_may_be(name, values):
    template = TEMPLATES[name]
    ((parameter, value),) = values.items()
    with pytest.raises(TemplateError) as caught:
        template.make(**values)
    error = caught.value
    assert error.parameter.name == parameter
    assert error.parameter.title in str(error)
    low, high = error.span
    assert not low <= value <= high
    # the range is the true one: it works just inside, and not just outside
    margin = 1e-3 * (high - low)
    template.make(**{parameter: low + margin})
    template.make(**{parameter: high - margin})
    end, out = (low, low - margin) if value < low else (high, high + margin)
    assert end != template.parameter(parameter).low
    with pytest.raises(TemplateError):
        template.make(**{parameter: out})


def test_unknown_names_are_told():
    with pytest.raises(KeyError, match=r"no parameter 'crnk'; did you mean 'crank'\?"):
        TEMPLATES["four_bar"].make(crnk=1.0)
    with pytest.raises(KeyError, match="did you mean 'four_bar'"):
        TEMPLATES["fourbar"]


def test_templates_need_no_compiled_code_and_no_window():
    code = (
        "import sys\n"
        "from engine import TEMPLATES\n"
        "[t.make() for t in TEMPLATES]\n"
        "heavy = {'numba', 'scipy', 'PySide6', 'vtkmodules'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@each
def test_numbers_are_those_that_are_meant(template):
    """0.35000000000000003 m and 6.9e-18 m stood in files and fields."""
    made = template.make()
    for key, value in numbers_of(made.scene).items():
        if isinstance(value, float) and value != 0.0:
            digits = len(repr(value).lower().split("e")[0].replace(".", "").lstrip("-0"))
            assert digits <= (17 if set(key) & set(RATES) else 15), (key, value)
            if "position" in key:
                assert abs(value) > 1e-12, (key, value)


def test_a_crank_that_is_led_begins_with_the_speed_of_its_motor():
    crank = TEMPLATES["four_bar"].make(speed=3.0).scene.body("crank")
    assert crank.angular_velocity == (0.0, 0.0, 3.0)
