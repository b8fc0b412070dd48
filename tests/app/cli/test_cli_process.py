"""The command line as a process of its own, with the real engine."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.paths import ROOT

HEAVY = ("numba", "scipy", "PySide6", "vtkmodules", "pyqtgraph", "numpy")
SUMMARY_KEYS = {
    *(
        "scene",
        "method",
        "dt",
        "duration",
        "steps",
        "status",
        "wall_time",
        "real_time_factor",
        "dof",
        "redundant",
    ),
    *("energy_initial", "energy_error_max", "violation_position_max", "violation_velocity_max"),
    *("iterations", "evaluations", "factorisations", "time_linear", "probes"),
}
LIST_LIMIT = 1.5  # s, warm


def trammel(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **environment},
    )


def test_listing_scenes_imports_nothing_heavy() -> None:
    code = (
        "import sys; from app.cli import run_command_line; run_command_line(['list', 'scenes']); "
        f"sys.exit(', '.join(name for name in {HEAVY} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.strip() == ""


def test_listing_scenes_is_quick() -> None:
    trammel("list", "scenes")
    started = time.perf_counter()
    done = trammel("list", "scenes")
    assert time.perf_counter() - started < LIST_LIMIT
    assert done.returncode == 0
    assert "four_bar" in done.stdout


@pytest.mark.parametrize("what", ["methods", "joints", "forces"])
def test_lists_of_kinds(what: str) -> None:
    done = trammel("list", what, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)[what]
    assert rows
    assert all(row["name"] and row["title"] for row in rows)


def test_run_prints_one_object_with_the_promised_keys(tmp_path: Path) -> None:
    file = tmp_path / "four_bar.csv"
    done = trammel(
        *("run", "four_bar", "--duration", "0.1", "--json"), *("--probe", "energy.total", "--out", str(file))
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert done.stderr == ""
    assert printed.keys() >= SUMMARY_KEYS
    assert printed["scene"] == "four_bar"
    assert printed["probes"].keys() == {"energy.total"}
    assert "energy.total" in file.read_text(encoding="utf-8").splitlines()[0]


def test_list_channels_and_probes_use_the_same_names() -> None:
    done = trammel("list", "channels", "four_bar", "--json")
    assert done.returncode == 0, done.stderr
    names = {row["name"] for row in json.loads(done.stdout)["channels"]}
    assert {"energy.total", "violation.position"} <= names


def test_check_tells_the_freedoms() -> None:
    done = trammel("check", "four_bar", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["dof"] == 1
    assert trammel("check", "four_bar").stdout.strip()


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "broken.json"),
        ("{", "broken.json"),
        ("[]", "broken.json"),
        ('{"format": "trammel-scene", "version": 1, "space": "planar", "nonsense": 1}', "nonsense"),
    ],
)
def test_a_broken_file_is_refused_in_one_screen(
    tmp_path: Path, command: str, content: str, told: str
) -> None:
    (tmp_path / "broken.json").write_text(content)
    done = trammel(command, "broken.json", cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) < 25


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    done = trammel("run", "four_bar", "--method", "rk5")
    assert done.returncode == 2
    assert "rk4" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_path_to_set_is_refused() -> None:
    done = trammel("run", "four_bar", "--set", "bodies.nobody.mass=1")
    assert done.returncode == 2
    assert "nobody" in done.stderr
    assert "four_bar" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_without_a_display_the_results_are_left_in_files(tmp_path: Path) -> None:
    done = trammel("four_bar", "--json", cwd=tmp_path, DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert done.returncode == 0, done.stderr
    assert "no display" in done.stderr
    files = [tmp_path / file for file in json.loads(done.stdout)["files"]]
    assert {file.suffix for file in files} == {".csv", ".png"}
    assert len(files) == 3
    assert all(file.stat().st_size > 1000 for file in files)
