"""Lengths of templates as parameters: another value of a parameter gives what the template makes for it."""

from typing import Any

import msgspec
import numpy as np
import pytest

from engine.elements.fields import fields_of
from engine.errors import SceneError
from engine.model.resolve import resolve
from engine.model.scene import LISTS, Scene
from engine.model.validate import validate
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from engine.templates import TEMPLATES
from engine.templates.base import Template
from engine.templates.parametric import POSE, THICK, parametric, slopes

# every length bends some angle; the one of the vehicle stands in a function of time
NONE = ("bennett", "stewart_platform", "vehicle")
SHARE = 1.04


def with_values(scene: Scene, values: dict[str, float]) -> Scene:
    parameters = tuple(
        msgspec.structs.replace(p, value=values.get(p.name, p.value)) for p in scene.parameters
    )
    return msgspec.structs.replace(scene, parameters=parameters)


def numbers(scene: Scene, *, pose: bool) -> dict[tuple[Any, ...], Any]:
    """Everything that is written of the elements; poses, speeds and thicknesses where they are asked for."""
    found: dict[tuple[Any, ...], Any] = {}

    def walk(node: Any, way: tuple[Any, ...]) -> None:
        if isinstance(node, msgspec.Struct):
            for info in fields_of(type(node)):
                own = len(way) == 2 and way[0] in ("bodies", "joints")
                loose = (own and info.name in POSE) or ("shapes" in way and info.name in THICK)
                if pose or not loose:
                    walk(getattr(node, info.name), (*way, info.name))
        elif isinstance(node, tuple):
            for i, item in enumerate(node):
                walk(item, (*way, i))
        else:
            found[way] = node

    for where in LISTS:
        if where != "parameters":
            for i, item in enumerate(getattr(scene, where)):
                walk(item, (where, i))
    return found


def assert_alike(one: dict[tuple[Any, ...], Any], other: dict[tuple[Any, ...], Any]) -> None:
    assert one.keys() == other.keys()
    for way, value in one.items():
        if isinstance(value, float) and not isinstance(value, bool):
            assert value == pytest.approx(float(other[way]), rel=1e-9, abs=1e-9), way
        else:
            assert value == other[way], way


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_parameters_vary_the_mechanism_as_the_template_does(template: Template) -> None:
    plain, made = template.make().scene, parametric(template, {}).scene
    names = [parameter.name for parameter in made.parameters]
    if template.name in NONE:
        assert made == plain
        return
    assert names
    assert validate(made) == []
    assert_alike(numbers(resolve(made), pose=True), numbers(resolve(plain), pose=True))
    for name in names:
        own = name.removeprefix("L_")
        value = SHARE * template.defaults[own]
        try:
            want = template.make(**{own: value}).scene
        except SceneError:
            continue
        got = resolve(with_values(made, {name: value}))
        assert_alike(numbers(got, pose=False), numbers(resolve(want), pose=False))


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "peaucellier", "stephenson_six_bar"])
def test_the_mechanism_closes_with_other_lengths(name: str) -> None:
    made = parametric(TEMPLATES[name], {}).scene
    longer = {parameter.name: SHARE * float(parameter.value) for parameter in made.parameters[:2]}
    mechanism = compile_scene(with_values(made, longer))
    start = assemble(mechanism)
    phi = Evaluator(mechanism).at(0.0, start.q).phi
    assert np.abs(phi).max() < 1e-9


TURNED = [
    "dwell_linkage",
    "four_bar",
    "jansen_leg",
    "klann_leg",
    "slider_crank",
    "stephenson_six_bar",
    "watt_six_bar",
]


@pytest.mark.parametrize("speed", [3.0, 0.0])
@pytest.mark.parametrize("name", TURNED)
def test_the_crank_starts_at_the_same_angle_with_every_length(name: str, speed: float) -> None:
    made = parametric(TEMPLATES[name], {"speed": speed}).scene
    asked = float(made.body("crank").angle)
    for parameter in made.parameters:
        scene = with_values(made, {parameter.name: SHARE * float(parameter.value)})
        mechanism = compile_scene(scene)
        start = assemble(mechanism)
        assert start.q[2] == pytest.approx(asked, abs=1e-12), parameter.name


def test_names_are_free_and_sliders_have_room() -> None:
    made = parametric(TEMPLATES["four_bar"], {}, {"L_crank", "L_crank_2"}).scene
    names = {parameter.name for parameter in made.parameters}
    assert "L_crank_3" in names
    assert "L_ground" in names
    assert made.body("crank").point("B").position[0] == "L_crank_3"
    for parameter in made.parameters:
        assert parameter.min < parameter.value < parameter.max
        assert parameter.unit == "m"


def test_a_value_of_nothing_is_no_parameter() -> None:
    found = slopes(TEMPLATES["slider_crank"], {"offset": 0.0}).lengths
    assert "offset" not in found
    assert {"crank", "rod"} <= set(found)
