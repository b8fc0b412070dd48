"""The table of examples is complete, legal and general enough to reach all compiled code."""

import numpy as np
import pytest

from engine.compiled.columns import ranges as SPAN
from engine.elements.laws import LAWS
from engine.elements.primitives import PRIMITIVES
from engine.model.validate import validate
from tests.contract.cases import CASES, EXAMPLES, REGISTRIES, Case
from tests.contract.numerics import evaluate, random_state


@pytest.mark.parametrize("sort", REGISTRIES)
def test_every_registered_kind_has_an_example(sort: str) -> None:
    registry, examples = REGISTRIES[sort], EXAMPLES[sort]
    missing = [name for name in registry.names if not examples.get(name)]
    assert not missing, f"add an example to tests/contract/examples.py for {sort}: {', '.join(missing)}"
    assert set(examples) == set(registry.names)


def test_a_joint_has_a_planar_example_where_it_exists_in_the_plane() -> None:
    for kind in REGISTRIES["joint"]:
        planar = any(example.planar is not None for example in EXAMPLES["joint"][kind.name])
        assert planar == (kind.planar_rows is not None), kind.name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_example_is_a_legal_scene(case: Case) -> None:
    assert validate(case.scene()) == []


def test_the_examples_use_every_primitive_and_every_force_law() -> None:
    used = np.zeros(len(PRIMITIVES) + len(LAWS), dtype=bool)
    for case in CASES:
        ranges = case.mechanism.system.ranges
        used |= ranges[:, SPAN.END] > ranges[:, SPAN.BEGIN]
    names = [kind.name for kind in (*PRIMITIVES, *LAWS)]
    used[names.index("mouse")] = True  # no element of a scene: tests/engine/simulation/test_mouse_pulls.py
    used[names.index("contact_group")] = True  # of many gaps: tests/verification/test_contact_groups.py
    assert not [name for name, found in zip(names, used, strict=True) if not found]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_number_of_rows_is_that_of_the_declaration(case: Case) -> None:
    """And at a general pose none of the rows is idle."""
    ev = case.evaluator
    if case.sort == "joint":
        kind, span = REGISTRIES["joint"][case.kind], case.mechanism.joint_rows["element"]
        declared = kind.rows_in(case.space, case.mechanism.scene.joint("element"))
        assert span.end - span.begin == len(declared)
    evaluate(ev, random_state(ev, 1))
    assert (np.abs(ev.jacobian).max(axis=1, initial=0.0) > 1e-3).all()
