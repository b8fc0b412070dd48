"""Finding scenes and assets in a checkout and in a wheel."""

from pathlib import Path

import pytest

from app.platform.resources import data_folder, find_scene, font_path, scene_argument, scene_paths
from app.platform.user_error import InputError


def test_a_checkout_has_its_folders_beside_the_package(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "scenes").mkdir()
    assert data_folder("scenes", package=tmp_path / "app") == tmp_path / "scenes"


def test_a_wheel_has_them_inside_the_package(tmp_path: Path) -> None:
    inside = tmp_path / "app" / "_data" / "scenes"
    inside.mkdir(parents=True)
    assert data_folder("scenes", package=tmp_path / "app") == inside


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="install Trammel again"):
        data_folder("scenes", package=tmp_path / "app")


def test_a_scene_is_found_by_name_and_by_path(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text("{}")
    assert find_scene("four_bar") == scene_paths()["four_bar"]
    assert find_scene(str(own)) == own
    assert scene_argument(find_scene("four_bar")) == "four_bar"
    assert scene_argument(own) == str(own)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("four_bra", "did you mean four_bar"),
        ("zzz", "trammel list scenes"),
        ("nowhere/four_bar.json", "check the path"),
        (".", "is a folder"),
    ],
)
def test_a_scene_that_is_not_there_is_told_with_a_cure(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        find_scene(text)


def test_the_font_and_its_licence_are_shipped() -> None:
    assert font_path().is_file()
    assert font_path().with_name("LICENSE-DejaVu.txt").is_file()
