"""The analysis of matrices: entries of the equations, orderings counted, timed and compared."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.platform.resources import scene_paths
from engine import load_scene
from engine.analyses.answers.result import Result
from engine.analyses.base import Question
from engine.analyses.matrices.matrix import MATRIX, MatrixOptions
from engine.analyses.matrices.matrix_kinds import MATRICES, MatrixKind
from engine.errors import SceneError
from engine.maths.sparse.orderings import ORDERINGS

SAME = 1e-10


def question(scene: str, matrix: str = "complement", orderings: str = "") -> Question:
    options = MatrixOptions(matrix=matrix, orderings=orderings)  # type: ignore[arg-type]
    return Question(load_scene(scene_paths()[scene]), options)


def ask(scene: str, matrix: str = "complement", orderings: str = "") -> Result:
    return MATRIX.run(question(scene, matrix, orderings))


EVERYWHERE = [kind for kind in MATRICES if kind.name != "natural"]
by_matrix = pytest.mark.parametrize("kind", EVERYWHERE, ids=lambda kind: kind.name)


@by_matrix
@pytest.mark.parametrize("scene", ["bricard", "slider_crank"])
def test_values_are_those_of_the_equations(kind: MatrixKind, scene: str) -> None:
    asked = question(scene, kind.name)
    made = kind.make(asked)
    A = made.sparse().toarray()
    assert len(made.rows) == A.shape[0]
    assert len(made.columns) == A.shape[1]
    evaluator = asked.evaluator.at(0.0, asked.start.q, asked.start.v)
    J, M = evaluator.jacobian, evaluator.mass_matrix()
    m, n = J.shape
    if kind.name == "jacobian":
        np.testing.assert_allclose(A, J)
    elif kind.name == "complement":
        np.testing.assert_allclose(A, J @ np.linalg.pinv(M) @ J.T, rtol=1e-9, atol=1e-9 * np.abs(A).max())
    elif kind.name == "saddle":
        np.testing.assert_allclose(A, np.block([[M, J.T], [J, np.zeros((m, m))]]))
    elif kind.name == "independent":
        np.testing.assert_allclose(A[:m], J)
        assert np.linalg.matrix_rank(A) == n  # J and B together fix every velocity
    else:
        assert (np.linalg.eigvalsh(0.5 * (A + A.T)) > 0.0).all()
    if kind.symmetric:
        full = made.pattern.dense()
        np.testing.assert_array_equal(full, full.T)


@by_matrix
@pytest.mark.parametrize("scene", ["bricard", "four_bar", "five_bar_pendulum", "stewart_platform"])
def test_every_ordering_solves_it(kind: MatrixKind, scene: str) -> None:
    """Bricard has a redundant row. Where nothing can be timed, a note says why."""
    result = ask(scene, kind.name)
    (matrix,) = result.matrices
    fitting = [o.name for o in ORDERINGS if o.symmetric == kind.symmetric and o.ready()]
    assert sorted(form.name for form in matrix.forms) == sorted({*fitting, "natural"})
    for form in matrix.forms:
        if math.isnan(form.facts["residual"]):
            assert result.notes
        else:
            assert form.facts["residual"] < SAME
            assert form.facts["factor_seconds"] > 0.0
        assert form.facts["stored"] >= 0.0
        assert sorted(form.reordering.rows.tolist()) == list(range(matrix.pattern.shape[0]))


def test_fill_is_what_the_factor_has_more_than_the_matrix() -> None:
    (matrix,) = ask("stewart_platform", orderings="natural, minimum_degree").matrices
    natural, least = matrix.forms
    assert (natural.facts["fill"], least.facts["fill"]) == (60.0, 0.0)
    assert len(natural.fill_rows) == 120  # both triangles
    assert len(least.fill_rows) == 0
    assert (least.facts["multiplications"], least.facts["stored"]) == (2976.0, 609.0)
    assert least.facts["additions"] == 2976 - (609 - 78)  # a multiplication more per entry off the diagonal
    permuted = matrix.pattern.permuted(natural.reordering.rows, natural.reordering.columns).dense()
    assert not permuted[natural.fill_rows, natural.fill_columns].any()


def test_a_jacobian_with_freedoms_has_no_solution_to_be_counted() -> None:
    """Fewer rows than columns: the count of a bordered solution was less than nothing for long chains."""
    (matrix,) = ask("five_bar_pendulum", "jacobian").matrices
    assert matrix.pattern.shape == (25, 30)
    assert all(math.isnan(form.facts["bordered_multiplications"]) for form in matrix.forms)
    assert all(form.facts["multiplications"] > 0.0 for form in matrix.forms)


def test_what_is_found_singular_is_told_with_its_ordering() -> None:
    """SuperLU needs other pivots where rows of Bricard's mechanism depend on each other."""
    notes = ask("bricard", "saddle", "nested_dissection").notes
    assert "Nested dissection: SuperLU finds the matrix singular, as rows depend on each other" in notes


def test_joint_coordinates_of_an_open_chain_make_a_triangular_matrix() -> None:
    """One block per body, no border: [J; B] is regular in every pose."""
    (matrix,) = ask("five_bar_pendulum", "independent", "block_triangular").matrices
    assert matrix.pattern.shape == (30, 30)
    (form,) = matrix.forms
    assert (form.reordering.sizes(), form.reordering.border) == ({6: 5}, 0)
    assert all(mention.where == "joints" for mention in matrix.rows)


@pytest.mark.parametrize(
    ("scene", "ordering", "shape", "border", "bottom"),
    [
        ("four_bar", "bordered", (9, 9), 1, 1),
        ("andrews", "bordered", (21, 21), 3, 3),
        ("four_bar", "p5", (9, 9), 1, 1),
        ("andrews", "p5", (21, 21), 3, 3),
        ("bricard", "p5", (31, 30), 3, 4),  # by a separate program, as the others
        ("stewart_platform", "p5", (78, 78), 12, 12),  # 18 there
    ],
)
def test_loops_in_joint_coordinates_have_narrow_borders(
    scene: str, ordering: str, shape: tuple[int, int], border: int, bottom: int
) -> None:
    (matrix,) = ask(scene, "independent", ordering).matrices
    found = matrix.forms[0].reordering
    assert matrix.pattern.shape == shape
    assert (found.border, found.bottom) == (border, bottom)


def test_a_body_without_mass_is_told() -> None:
    assert any("zero" in note for note in ask("slider_crank").notes)


@pytest.mark.parametrize(
    ("scene", "shape", "entries", "border", "bottom"),
    [("five_bar_pendulum", (30, 30), 198, 0, 0), ("bricard", (30, 28), 181, 3, 5)],
)
def test_natural_coordinates_have_the_published_forms(
    scene: str, shape: tuple[int, int], entries: int, border: int, bottom: int
) -> None:
    result = ask(scene, "natural", "bordered, p5")
    (matrix,) = result.matrices
    assert (matrix.pattern.shape, matrix.pattern.entries) == (shape, entries)
    for form in matrix.forms:
        assert (form.reordering.border, form.reordering.bottom) in (
            (border, bottom),
            (border - 1, bottom - 1),
        )
        assert form.facts["residual"] < SAME


def test_natural_coordinates_of_other_scenes_are_refused() -> None:
    with pytest.raises(SceneError, match="no natural coordinates"):
        ask("four_bar", "natural")


def test_lines_are_named_by_their_elements() -> None:
    (matrix,) = ask("four_bar", "saddle", "natural").matrices
    assert str(matrix.columns[0]) == "crank x′"
    assert {(m.where, m.name) for m in matrix.rows} >= {("bodies", "crank"), ("joints", "A")}


def test_wrong_orderings_are_told() -> None:
    with pytest.raises(SceneError, match="no ordering 'best'"):
        ask("four_bar", orderings="best")
    with pytest.raises(SceneError, match="orders symmetric matrices"):
        ask("four_bar", "independent", "minimum_degree")


def test_a_library_that_is_missing_is_told() -> None:
    """What is called METIS is our own dissection then."""
    told = [note for note in ask("four_bar", orderings="metis_dissection").notes if "without pymetis" in note]
    assert bool(told) is not ORDERINGS["metis_dissection"].ready()
    assert not ask("four_bar", orderings="nested_dissection").notes


def test_the_answer_is_plain_data() -> None:
    data = ask("four_bar", orderings="natural").to_dict()
    (matrix,) = data["matrices"]
    assert matrix["matrix"] == "complement"
    (ordering,) = matrix["orderings"]
    assert ordering["rows"] == list(range(8))
    assert ordering["bordered_multiplications"] is None
