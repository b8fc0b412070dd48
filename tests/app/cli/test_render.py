"""`trammel render` and the pictures of the welcome page."""

import json
import os
import subprocess
import sys
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
import pytest

from app.cli import run_command_line
from app.platform.resources import data_folder, scene_paths


def test_a_picture_is_made_without_a_display(tmp_path: Path) -> None:
    file = tmp_path / "four_bar.png"
    environment = {
        key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    command = [sys.executable, "-m", "app", "render", "four_bar", "--out", str(file), "--size", "320x200"]
    done = subprocess.run(
        [*command, "--json"], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"] == str(file)
    picture = imageio.imread(file)
    assert picture.shape == (200, 320, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100


def test_dark_differs_from_light_and_views_differ(tmp_path: Path) -> None:
    pictures = []
    for options in ([], ["--dark"], ["--view", "top"], ["--orthographic"], ["--show", "labels"]):
        file = tmp_path / f"{len(pictures)}.png"
        assert run_command_line(["render", "bricard", "--out", str(file), "--size", "160x120", *options]) == 0
        pictures.append(imageio.imread(file))
    for i, one in enumerate(pictures):
        assert all((one != other).any() for other in pictures[i + 1 :])


@pytest.mark.parametrize("options", [["--out", "x.xyz"], ["--out", "nowhere/x.png"]])
def test_a_bad_file_is_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["render", "four_bar", *options]) == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["0x100", "100", "axb", "99999x10"])
def test_a_bad_size_is_refused(size: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        run_command_line(["render", "four_bar", "--out", str(tmp_path / "x.png"), "--size", size])


@pytest.mark.parametrize("name", list(scene_paths()))
def test_every_shipped_scene_has_its_picture(name: str) -> None:
    picture = imageio.imread(data_folder("assets") / "thumbnails" / f"{name}.png")
    assert picture.shape == (200, 320, 3)
