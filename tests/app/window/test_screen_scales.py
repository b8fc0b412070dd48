"""On finely divided screens the window draws a crank where closed-form kinematics says, within two pixels.

Qt takes its scale from the environment, so each window is a process of its own, driven from outside.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import imageio.v3 as iio
import numpy as np
import pytest

from engine import dumps
from tests.app.viewport.scenes import red_blob
from tests.app.viewport.test_measured_pixels import CRANK, crank_end, marked

ANGLE = np.pi / 2  # at which the shipped crank starts


@pytest.mark.parametrize("scale", [1.5, 2.0])
def test_the_window_draws_a_crank_where_the_geometry_puts_it(scale: float, tmp_path: Path) -> None:
    scene, picture = tmp_path / "marked.json", tmp_path / "viewport.png"
    scene.write_text(dumps(marked("spatial_four_bar", "crank", (CRANK, 0.0, 0.0), 0.02)), encoding="utf-8")
    lines = [
        {"open": str(scene)},
        {"wait_idle": 120},
        {"project": {"point": crank_end(ANGLE).tolist()}},
        {"screenshot": str(picture), "widget": "viewport"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "app", "drive", "-", "--offscreen"],
        input="\n".join(map(json.dumps, lines)),
        env=os.environ | {"QT_SCALE_FACTOR": str(scale)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["ok"] for answer in answers), done.stdout + done.stderr
    expected = scale * np.array(answers[2]["viewport"])
    found = red_blob(np.asarray(iio.imread(picture))[..., :3])
    assert np.linalg.norm(found - expected) < 2.0
