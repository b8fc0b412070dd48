"""Columns of the arrays do not lie on each other, and none lies outside."""

import importlib
import pkgutil
from types import ModuleType

import pytest

import engine.compiled.columns
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import KIND_PLACES, KINDS, PLACES, SIZE
from engine.compiled.option_slots import check_slots
from engine.elements.laws import LAWS
from engine.elements.primitives import PRIMITIVES
from engine.solvers.catalogue import METHODS, SINGULAR_POSES
from engine.solvers.direct import step_control

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.iter_modules(engine.compiled.columns.__path__, "engine.compiled.columns.")
]
COUNTS = {"COLUMNS", "REALS"}  # how many there are, not one of them
ALIASES = {"DIRECT", "STEP_CONTROL"}  # direct methods have the slots of the pieces that they replace
WIDE = {("body_reals", "INERTIA"): 9, ("body_reals", "INERTIA_INV"): 9, ("body_reals", "GRAVITY"): 3} | {
    ("poses", "R"): 9,
    ("poses", "P"): 3,
    ("poses", "V"): 3,
    ("poses", "W"): 3,
    ("poses", "SPIN"): 3,
}


def columns(module: ModuleType) -> dict[str, range]:
    """Column names of an array, with the numbers that each of them takes."""
    short = module.__name__.rpartition(".")[2]
    named = {name: value for name, value in vars(module).items() if name.isupper()}
    return {
        name: range(first, first + WIDE.get((short, name), 1))
        for name, first in named.items()
        if name not in COUNTS | ALIASES
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_columns_are_apart_and_inside(module: ModuleType) -> None:
    found = columns(module)
    taken = [number for numbers in found.values() for number in numbers]
    assert len(set(taken)) == len(taken), found
    assert not hasattr(module, "COLUMNS") or max(taken) < module.COLUMNS


def test_places_of_the_address_table_are_apart() -> None:
    taken = [place for place, _ in PLACES.values()]
    for first, _ in KIND_PLACES.values():
        taken += range(first, first + KINDS)
    assert len(set(taken)) == len(taken)
    assert max(taken) < SIZE
    assert max(len(PRIMITIVES), len(LAWS)) <= KINDS


def test_options_of_a_run_are_apart_from_those_of_its_pieces() -> None:
    check_slots(
        "step control", SLOT.STEP_CONTROL, SLOT.RUN, step_control.OPTIONS, ((step_control.ORDER, 0.0),)
    )
    check_slots("a run", SLOT.RUN, SLOT.COLUMNS, (SINGULAR_POSES,))
    for method in METHODS:
        check_slots(method.name, 0, SLOT.COLUMNS, method.options, method.constants)
