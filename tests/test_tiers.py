"""The quick tier: what is chosen, and that what was slow is remembered without anyone's doing."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import tiers
from tests.paths import ROOT
from tests.tiers import LIMIT, MAX_CASES, MAX_SECONDS, choose, renewed

A, B = "tests/a/test_a.py", "tests/b/test_b.py"


def test_what_is_not_known_to_be_slow_is_chosen() -> None:
    assert choose([f"{A}::one", f"{A}::two"], {f"{A}::two": 1.0}) == {f"{A}::one"}


def test_of_many_cases_some_are_chosen_from_the_first_on() -> None:
    cases = [f"{A}::one[{i}]" for i in range(10 * MAX_CASES)]
    chosen = choose(cases, {})
    assert chosen == {f"{A}::one[{10 * i}]" for i in range(MAX_CASES)}
    assert choose(cases[:MAX_CASES], {}) == set(cases[:MAX_CASES])


def test_a_file_of_slow_tests_is_represented_by_its_cheapest() -> None:
    slow = {f"{A}::one": 3.0, f"{A}::two": 1.0, f"{B}::slow": 1.1 * MAX_SECONDS}
    assert choose([f"{A}::one", f"{A}::two[x]", f"{A}::two[y]", f"{B}::slow"], slow) == {f"{A}::two[x]"}
    assert choose([f"{B}::slow"], {f"{B}::slow": 0.9 * MAX_SECONDS}) == {f"{B}::slow"}


def test_a_measured_file_is_listed_anew_and_one_that_is_gone_is_dropped() -> None:
    here = Path(__file__).relative_to(ROOT).as_posix()
    listed = {f"{here}::was_slow": 1.0, "tests/test_gone.py::slow": 1.0, "tests/test_leaks.py::other": 1.0}
    taken = {f"{here}::was_slow": LIMIT, f"{here}::is_slow": 2 * LIMIT}
    assert renewed(listed, taken) == {"tests/test_leaks.py::other": 1.0, f"{here}::is_slow": 2 * LIMIT}


def test_a_new_test_that_turns_out_slow_is_remembered_and_forgotten_when_mended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tiers, "SLOW", tmp_path / "slow.json")
    tiers.SLOW.write_text(json.dumps({f"{A}::known": 1.0}), encoding="utf-8")
    kept: dict[str, dict[str, float]] = {}
    cache = SimpleNamespace(get=lambda key, default: kept.get(key, default), set=kept.__setitem__)
    config = SimpleNamespace(cache=cache, getoption=lambda name: False)

    def ran(**seconds: float) -> dict[str, float]:
        keeper = tiers.Bookkeeper(config)  # type: ignore[arg-type]
        for name, taken in seconds.items():
            for phase in ("setup", "call"):
                told = [(tiers.TAKEN, 0.5 * taken), (tiers.COMPILED, name == "compiled" and phase == "call")]
                keeper.pytest_runtest_logreport(SimpleNamespace(nodeid=f"{A}::{name}", user_properties=told))  # type: ignore[arg-type]
        keeper.pytest_sessionfinish()
        return kept[tiers.LEARNED]

    assert ran(known=1.0, new=1.0, cheap=0.5 * LIMIT, compiled=1.0) == {f"{A}::new": 1.0}
    assert ran(other=0.5 * LIMIT) == {f"{A}::new": 1.0}
    assert ran(new=0.5 * LIMIT) == {}


def test_the_list_is_sorted_and_has_only_what_is_slow() -> None:
    listed = json.loads((ROOT / "tests" / "slow.json").read_text(encoding="utf-8"))
    assert listed
    assert sorted(listed) == list(listed)
    assert min(listed.values()) >= LIMIT
