"""The table of actions is complete, and the window knows all of it."""

import json
from collections import Counter

import pytest

from app.cli import run_command_line
from app.platform.icons import drawings
from app.window.actions import ACTIONS, MENUS


def test_ids_and_shortcuts_are_unique() -> None:
    assert max(Counter(action.id for action in ACTIONS).values()) == 1
    keys = Counter(action.shortcut for action in ACTIONS if action.shortcut)
    assert max(keys.values()) == 1, keys.most_common(3)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_an_action_has_all_that_belongs_to_it(action) -> None:
    assert action.icon in drawings()
    assert action.tooltip
    assert action.tooltip != action.text
    assert not action.tooltip.endswith(".")
    assert action.menu.split("/")[0] in MENUS


def test_every_kind_of_element_has_an_icon() -> None:
    from engine.model.scene import KINDS

    icons = [kind.icon for kinds in KINDS.values() for kind in kinds]
    assert all({icon, icon.split("-")[0]} & drawings() for icon in icons)  # its own, or that of its sort


def test_the_command_line_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["list", "actions", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["actions"]
    assert [row["id"] for row in rows] == [action.id for action in ACTIONS]
    assert set(rows[0]) >= {"id", "text", "menu", "shortcut", "tooltip", "enabled"}
