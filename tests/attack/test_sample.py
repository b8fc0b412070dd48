"""A sample of the attack in everyday tests; the whole is `python -m tests.attack`."""

from pathlib import Path

import pytest

from tests.attack import alike, calls, commands, fields, kills, mixed, plausible, scenes, studies, texts


@pytest.mark.parametrize(
    ("attacked", "cases"),
    [
        (scenes.attacked, 40),
        (plausible.attacked, 15),
        (mixed.attacked, 25),
        (alike.attacked, 15),
        (fields.attacked, 120),
        (calls.attacked, 300),
        (studies.attacked, 40),
        (commands.attacked, 25),
        (texts.urdf, 100),
        (texts.tables, 100),
        (texts.settings, 20),
    ],
    ids=[
        "scenes",
        "plausible",
        "mixed",
        "alike",
        "fields",
        "calls",
        "studies",
        "commands",
        "urdf",
        "tables",
        "settings",
    ],
)
def test_every_case_is_clean_or_told(attacked, cases: int, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = list(attacked(cases, 17, tmp_path))
    assert len(found) == cases
    assert not [case for case in found if not case.is_good]


def test_what_killed_processes_leave_can_be_opened() -> None:
    found = list(kills.attacked(2, 17, ("save", "export")))
    assert [case.verdict for case in found] == ["clean", "clean"]
