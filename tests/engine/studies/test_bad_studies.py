"""Bad studies end in problems with path, value, reason and remedy, before the first run."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engine import SceneError, Study, load_study, save_scene, save_study
from engine.studies.outcomes.store import StoreError
from tests.engine.studies.mechanisms import pendulum

GOOD: dict[str, Any] = {
    "format": "trammel-study",
    "version": 1,
    "scene": "pendulum.json",
    "vary": [{"kind": "interval", "path": "parameters.L", "low": 1, "high": 2}],
    "design": {"kind": "random", "count": 4},
    "objectives": [{"name": "low", "expression": "body.bob.pos.y", "reduce": "min"}],
}


def written(folder: Path, **changes: Any) -> Path:
    save_scene(pendulum(), folder / "pendulum.json")
    path = folder / "swing.study.json"
    path.write_text(json.dumps({**GOOD, **changes}), encoding="utf-8")
    return path


def objective(**changes: str) -> list[dict[str, str]]:
    return [{**GOOD["objectives"][0], **changes}]


def variable(**changes: Any) -> list[dict[str, Any]]:
    return [{**GOOD["vary"][0], **changes}]


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        ({"vary": variable(path="parameters.length")}, "vary[0].path", "there is no 'length'"),
        ({"vary": variable(path="bodies.bob.points")}, "vary[0].path", ""),
        ({"vary": variable(low=2, high=2)}, "vary[0].high", "empty"),
        ({"vary": variable(low="x")}, "vary[0].low", "not a number"),
        ({"vary": variable(count=10**12)}, "vary[0].count", "at most 1000000"),
        ({"vary": variable(kind="logarithmic", count=10**12)}, "vary[0].count", "at most 1000000"),
        ({"vary": variable(kind="intervall")}, "vary[0].kind", "interval"),
        ({"vary": []}, "vary", "nothing varies"),
        ({"vary": variable() * 2}, "vary", "2 times"),
        ({"vary": [{"kind": "choices", "path": "parameters.L", "values": []}]}, "vary[0].values", "empty"),
        ({"vary": [{"kind": "tolerance", "path": "title", "tolerance": 1}]}, "vary[0].path", "no number"),
        ({"objectives": []}, "objectives", "nothing is asked"),
        ({"objectives": objective(expression="body.bobby.pos.y")}, "objectives[0].expression", "bob"),
        ({"objectives": objective(expression="2 +")}, "objectives[0].expression", "expected"),
        ({"objectives": objective(reduce="maximum")}, "objectives[0].reduce", "maximum"),
        ({"design": {"kind": "sobol", "count": 100}}, "design.count", "power of two"),
        ({"design": {"kind": "random", "count": 0}}, "design.count", "at least 1"),
        ({"design": {"kind": "list", "rows": [[1, 2]]}}, "design.rows[0]", "2 values for 1"),
        ({"scene": None}, "scene", "names no scene"),
        ({"format": "trammel-scene"}, "format", "trammel-study"),
    ],
)
def test_each_fault_is_told_with_its_place(
    tmp_path: Path, changes: dict[str, Any], path: str, words: str
) -> None:
    with pytest.raises(SceneError) as raised:
        load_study(written(tmp_path, **changes))
    problem = raised.value.problems[0]
    assert problem.path == path
    assert words in problem.message
    assert problem.remedy


def test_a_scene_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="cannot be read"):
        load_study(written(tmp_path, scene="other.json"))


def test_a_study_that_is_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    study = load_study(written(tmp_path))
    save_study(study, tmp_path / "again.study.json")
    again = load_study(tmp_path / "again.study.json")
    assert again == study
    assert again.points() == study.points()


def test_a_study_that_is_built_by_calls_is_checked_as_one_from_a_file() -> None:
    with pytest.raises(SceneError, match="is not a number"):
        Study(pendulum()).with_variable("interval", "parameters.L", low="small", high=2)
    with pytest.raises(SceneError, match="nothing is asked"):
        Study(pendulum()).with_variable("interval", "parameters.L", low=1, high=2).run(workers=0)


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ('"values"', "{"),
        ('"values"', "[]"),
        ("objectives", "null"),
        ("objectives", '["x"]'),
        ("status", "nonsense"),
        ("seconds", b"\xff"),
    ],
)
def test_a_damaged_row_is_refused_with_the_file_and_the_run(column: str, cell: Any, tmp_path: Path) -> None:
    study, store = load_study(written(tmp_path)), tmp_path / "swing.sqlite"
    study = study.with_design("random", count=1)
    study.run(store, workers=0)
    base = sqlite3.connect(store)
    with base:
        base.execute(f"UPDATE runs SET {column} = ?", (cell,))
    base.close()
    with pytest.raises(StoreError, match=r"swing\.sqlite: the row of run .* is damaged; use a backup"):
        study.run(store, workers=0)


def test_a_store_whose_table_has_no_readable_name_is_refused(tmp_path: Path) -> None:
    """SQLite repeats the broken name in its error, as bytes that are no text."""
    study, store = load_study(written(tmp_path)), tmp_path / "swing.sqlite"
    study = study.with_design("random", count=1)
    study.run(store, workers=0)
    content = store.read_bytes()
    assert b"CREATE TABLE" in content
    store.write_bytes(content.replace(b"CREATE TABLE", b"CREATE T\xdb\xdbLE"))
    with pytest.raises(StoreError, match=r"swing\.sqlite: .*; choose another file"):
        study.run(store, workers=0)
