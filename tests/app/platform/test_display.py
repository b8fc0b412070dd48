"""When a window can be opened."""

import pytest

from app.platform.display import has_display


@pytest.mark.parametrize(
    ("environment", "platform", "answers", "expected"),
    [
        ({}, "win32", False, True),
        ({}, "darwin", False, True),
        ({}, "linux", True, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", False, True),
        ({"DISPLAY": ":0"}, "linux", True, True),
        ({"DISPLAY": ":0"}, "linux", False, False),
    ],
)
def test_a_screen_must_answer(
    environment: dict[str, str], platform: str, answers: bool, expected: bool
) -> None:
    assert has_display(environment, platform, lambda: answers) is expected
