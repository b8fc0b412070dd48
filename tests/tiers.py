"""The quick tier: which tests `--quick` runs, chosen by the processor time they have taken.

- `tests/slow.json` lists the test functions whose cases take longer than `LIMIT`, with what they take. A full
  run with `--measure` writes it anew. All others are quick; of those with many cases some are taken, spread
  over all of them.
- A file of which nothing would be left is represented by its cheapest test, unless that takes more than
  `MAX_SECONDS`.
- A test marked `smoke` always runs, with all its cases.

A new test is quick until it has run once: what it took is kept in the cache of pytest, on this machine, so
that the tier stays quick before anyone measures again.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

LIMIT = 0.05  # s of processor time, for one case
MAX_CASES = 8  # of one function
MAX_SECONDS = 2.0  # of processor time, for the only test of a file
SLOW = Path(__file__).with_name("slow.json")
LEARNED = "trammel/slow"  # key in the cache of pytest
TAKEN, COMPILED = "processor time", "compiled"  # properties of a report


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("trammel")
    group.addoption("--quick", action="store_true", help="run the quick tier only (tests/tiers.py)")
    group.addoption("--measure", action="store_true", help="write what the tests took to tests/slow.json")


def register(config: pytest.Config) -> None:
    config.pluginmanager.register(Clock())
    if config.getoption("--quick"):
        config.pluginmanager.register(QuickTier({**_learned(config), **_listed()}))
    if not hasattr(config, "workerinput"):  # the one process that hears of all tests
        config.pluginmanager.register(Bookkeeper(config))


class QuickTier:
    """Takes the choice from what is collected; alike in all processes of a run."""

    def __init__(self, slow: Mapping[str, float]) -> None:
        self._slow = slow

    @pytest.hookimpl(trylast=True)  # after -m and -k
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        smoke = {item.nodeid for item in items if item.get_closest_marker("smoke")}
        chosen = smoke | choose([item.nodeid for item in items if item.nodeid not in smoke], self._slow)
        left_out = [item for item in items if item.nodeid not in chosen]
        items[:] = [item for item in items if item.nodeid in chosen]
        config.hook.pytest_deselected(items=left_out)


class Clock:
    """Adds to each report the processor time of its phase, that of child processes included."""

    def __init__(self) -> None:
        self._last = _processor_time()
        self._compilations = Compilations()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self._compilations.listen()
        self._last = _processor_time()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = _processor_time()
        report.user_properties = [
            *report.user_properties,
            (TAKEN, now - self._last),
            (COMPILED, self._compilations.took_place()),
        ]
        self._last = now
        return report


class Compilations:
    """Whether Numba has compiled something that its cache did not have, which tells nothing of a test."""

    def __init__(self) -> None:
        self._count = 0
        self._listening = False

    def listen(self) -> None:
        event = sys.modules.get("numba.core.event")
        if event is not None and not self._listening:
            self._listening = True
            event.Listener.register(Compilations)  # Numba, loaded only by who needs it, is no base class here
            event.register("numba:compile", self)

    def notify(self, event: Any) -> None:
        self._count += event.is_start

    def took_place(self) -> bool:
        count, self._count = self._count, 0
        return count > 0


class Bookkeeper:
    """Collects the reports of all processes and keeps what was slow."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._taken: defaultdict[str, float] = defaultdict(float)  # by case
        self._compiled: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = dict(report.user_properties)
        self._taken[report.nodeid] += float(str(told.get(TAKEN, 0.0)))
        if told.get(COMPILED):
            self._compiled.add(function_of(report.nodeid))

    def pytest_sessionfinish(self) -> None:
        taken = means(self._taken)
        if self._config.getoption("--measure"):
            write(SLOW, renewed(_listed(), taken))
        listed, learned = _listed(), _learned(self._config)
        for name, seconds in taken.items():
            if name in listed or seconds <= LIMIT:
                learned.pop(name, None)
            elif name not in self._compiled:
                learned[name] = round(seconds, 3)
        _learn(self._config, learned)


# which tests ------------------------------------------------------------------------------------------------


def choose(cases: Iterable[str], slow: Mapping[str, float]) -> set[str]:
    """The quick tests among these, by their identifiers."""
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases:
        functions[function_of(case)].append(case)
    files: defaultdict[str, list[str]] = defaultdict(list)
    for function in functions:
        files[file_of(function)].append(function)
    chosen: set[str] = set()
    for members in files.values():
        quick = [function for function in members if function not in slow]
        for function in quick:
            chosen.update(spread(functions[function], MAX_CASES))
        cheapest = min(members, key=lambda function: slow.get(function, 0.0))
        if not quick and slow[cheapest] <= MAX_SECONDS:
            chosen.add(functions[cheapest][0])
    return chosen


def spread(cases: list[str], count: int) -> list[str]:
    """So many of them, or all, at equal distances."""
    if len(cases) <= count:
        return cases
    return [cases[i * len(cases) // count] for i in range(count)]


def function_of(case: str) -> str:
    return case.partition("[")[0]


def file_of(function: str) -> str:
    return function.partition("::")[0]


# what they took ---------------------------------------------------------------------------------------------


def means(taken: Mapping[str, float]) -> dict[str, float]:
    """Mean of the cases, by function."""
    cases: defaultdict[str, list[float]] = defaultdict(list)
    for case, seconds in taken.items():
        cases[function_of(case)].append(seconds)
    return {function: sum(seconds) / len(seconds) for function, seconds in cases.items()}


def renewed(listed: Mapping[str, float], taken: Mapping[str, float]) -> dict[str, float]:
    """The list after a run: files that ran are listed anew, files that are gone are dropped."""
    ran = {file_of(function) for function in taken}
    root = SLOW.parents[1]
    kept = {
        function: seconds
        for function, seconds in listed.items()
        if file_of(function) not in ran and (root / file_of(function)).exists()
    }
    return kept | {function: seconds for function, seconds in taken.items() if seconds > LIMIT}


def write(path: Path, slow: Mapping[str, float]) -> None:
    rounded = {name: round(slow[name], 2) for name in sorted(slow)}
    path.write_text(json.dumps(rounded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _listed() -> dict[str, float]:
    found: dict[str, float] = json.loads(SLOW.read_text(encoding="utf-8"))
    return found


def _learned(config: pytest.Config) -> dict[str, float]:
    cache = getattr(config, "cache", None)  # none with -p no:cacheprovider
    return dict(cache.get(LEARNED, {})) if cache is not None else {}


def _learn(config: pytest.Config, slow: Mapping[str, float]) -> None:
    cache = getattr(config, "cache", None)
    if cache is not None:
        cache.set(LEARNED, dict(slow))


def _processor_time() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
