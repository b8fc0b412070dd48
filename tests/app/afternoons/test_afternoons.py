"""Three afternoons of users, with mouse and keys in the real window: numbers, words and pictures.

Each script is one of `trammel drive`. Where it takes a picture, no text may be cut off and none may show its
markup; its numbers are compared with closed forms. `TRAMMEL_PICTURES` names a folder that keeps the pictures.
"""

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.cli.driving.driver import Driver
from app.exchange.runs.extracts import extract_of
from app.exchange.runs.opening import open_run
from app.session.recorded.run import Run
from app.window.main_window import MainWindow
from engine import Scene, save_scene
from engine.results.files.extract import save
from tests.app.window.windows import open_window
from tests.gallery.checks import cut_texts, raw_markup

HERE = Path(__file__).parent
PATIENCE = 170_000  # ms; a first run may have to compile
QUIET = ("No messages: the scene is sound.", "to see it again, go to an earlier instant and play")


@dataclass
class Afternoon:
    """What a script was answered, and what was wrong with the window when it took pictures."""

    window: MainWindow
    answers: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def take(self, answer: dict[str, Any]) -> None:
        self.answers.append(answer)
        if not answer["ok"]:
            self.faults.append(str(answer))
        if "file" in answer:
            found = [*cut_texts(self.window), *raw_markup(self.window)]
            self.faults += [f"{answer['file']}: {fault}" for fault in found]

    @property
    def complaints(self) -> list[str]:
        """Messages other than that a run has come to its end."""
        return [text for texts in self.told("messages") for text in texts if not text.endswith(QUIET)]

    def told(self, what: str) -> list[Any]:
        """All dumps of one sort."""
        return [answer[what] for answer in self.answers if what in answer]


@pytest.fixture
def spend(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    pictures = Path(os.environ.get("TRAMMEL_PICTURES") or tmp_path)
    monkeypatch.chdir(pictures)

    def run(script: str, window: MainWindow) -> Afternoon:
        ended: list[bool] = []
        made = Afternoon(window)
        lines = (HERE / f"{script}.jsonl").read_text(encoding="utf-8").splitlines()
        lines = [line.replace("lift.json", str(tmp_path / "lift.json")) for line in lines]
        driver = Driver(window, lines, made.take, lambda: ended.append(True))
        qtbot.waitUntil(lambda: bool(ended), timeout=PATIENCE)
        driver.deleteLater()
        assert made.faults == []
        return made

    return run


def test_a_lecture_on_the_crank_rocker(spend: Callable[..., Afternoon], tmp_path: Path, qtbot: QtBot) -> None:
    with open_window(tmp_path) as window:
        window.resize(1024, 700)
        afternoon = spend("lecture", window)
        first, second, third = window.session.runs
        assert afternoon.complaints == []
        bars = {body.name: body for body in window.session.document.scene.bodies}
        assert len(bars) == 3
        # drawn: crank 0.1 at 90°, coupler 0.4 at 20°, ground 0.4; the rocker closes the loop
        C = np.array([0.4 * math.cos(math.radians(20.0)), 0.1 + 0.4 * math.sin(math.radians(20.0))])
        rocker = float(np.hypot(C[0] - 0.4, C[1]))
        for run, coupler in ((first, 0.4), (third, 0.45)):
            turned = channel(run, "joint.revolute 1.angle")
            assert turned[-1] - turned[0] > 2.0 * math.pi
            # 60 rpm
            np.testing.assert_allclose(
                turned - turned[0], 2.0 * math.pi * run.channel("joint.revolute 1.angle")[0], atol=1e-9
            )
            swing = channel(run, "joint.revolute 4.angle")
            assert np.ptp(swing) == pytest.approx(rocker_swing(0.1, coupler, rocker, 0.4), abs=1e-5)
        assert third.method == "lagrange/rk2/projection"
        assert first.method == "lagrange/rk4/projection"
        assert len(second.segments) == 3  # undone and redone in mid-run


def rocker_swing(crank: float, coupler: float, rocker: float, ground: float) -> float:
    """Angle between the dead centres: crank and coupler in line, AC = L2 ± L1 in the triangle ACD."""
    ends = [
        math.acos((ground**2 + rocker**2 - (coupler + sign * crank) ** 2) / (2.0 * ground * rocker))
        for sign in (1.0, -1.0)
    ]
    return ends[0] - ends[1]


def channel(run: Run, name: str) -> np.ndarray:
    return np.asarray(run.channel(name)[1])


LOAD = 105.0  # kg, in the middle of its slider
LENGTH, START, SPEED = 1.0, math.radians(20.0), 0.05  # m, rad, m/s of the drive


def scissor_lift() -> Scene:
    """Two arms pinned in their middle under a platform; a drive pulls the foot of one along the ground."""
    x, h = LENGTH * math.cos(START), LENGTH * math.sin(START)
    light = {"mass": 0.01, "inertia": [1e-3]}  # beside the load
    arm = [
        {"name": "A", "position": [0, 0]},
        {"name": "M", "position": [0.5, 0]},
        {"name": "B", "position": [1, 0]},
    ]

    def rod(end: float) -> list[dict[str, Any]]:
        return [{"kind": "rod", "start": [0, 0, 0], "end": [end, 0, 0], "radius": 0.015}]

    return (
        Scene(space="planar", title="Scissor lift")
        .with_parameter("load", LOAD, unit="kg", min=10.0, max=200.0)
        .with_body("arm 1", angle=START, com=[0.5, 0], points=arm, shapes=rod(1.0), **light)
        .with_body(
            "arm 2",
            position=[x, 0],
            angle=math.pi - START,
            com=[0.5, 0],
            points=arm,
            shapes=rod(1.0),
            **light,
        )
        .with_body("block", position=[x, 0], **light)
        .with_body("platform", position=[0, h], mass="load", inertia=[1.0], com=[0.4, 0], shapes=rod(1.0))
        .with_joint(
            "revolute", "foot", a={"body": "world", "point": [0, 0]}, b={"body": "arm 1", "point": "A"}
        )
        .with_joint(
            "revolute", "middle", a={"body": "arm 1", "point": "M"}, b={"body": "arm 2", "point": "M"}
        )
        .with_joint(
            "prismatic",
            "guide",
            a={"body": "world", "point": [0, 0], "axis": [1, 0]},
            b={"body": "block", "point": [0, 0], "axis": [1, 0]},
        )
        .with_joint(
            "revolute", "heel", a={"body": "block", "point": [0, 0]}, b={"body": "arm 2", "point": "A"}
        )
        .with_joint(
            "revolute", "top", a={"body": "arm 2", "point": "B"}, b={"body": "platform", "point": [0, 0]}
        )
        .with_joint(
            "point_on_line",
            "roller",
            a={"body": "platform", "point": [0, 0], "axis": [1, 0]},
            b={"body": "arm 1", "point": "B"},
        )
        .with_motion(
            "joint_motion", "drive", joint="guide", coordinate="displacement", function=f"{x!r} - {SPEED}*t"
        )
        .with_simulation(duration=2.0, dt=0.001, speed=2.0)
    )


def lift_force(load: float, t: float) -> float:
    """Without inertia F = m g / tan θ; the drive lifts and accelerates the load: F ẋ = -m (g + ḧ) ḣ.

    With h² = L² - x²: h ḣ = -x ẋ and ḣ² + h ḧ = -ẋ².
    """
    x = LENGTH * math.cos(START) - SPEED * t
    h = math.sqrt(LENGTH**2 - x**2)
    rate = x * SPEED / h
    acceleration = -(SPEED**2 + rate**2) / h
    return load * (9.81 + acceleration) * rate / SPEED


def test_sizing_a_scissor_lift(spend: Callable[..., Afternoon], tmp_path: Path, qtbot: QtBot) -> None:
    scene = scissor_lift()
    plots = [
        {
            "kind": "time",
            "title": "Drive",
            "log": False,
            "channels": ["motion.drive.effort"],
            "extremes": True,
        },
        {"kind": "time", "title": "", "log": False, "channels": ["joint.foot.angle", "body.platform.pos.y"]},
    ]
    save_scene(scene, tmp_path / "lift.json")
    raw = json.loads((tmp_path / "lift.json").read_text(encoding="utf-8"))
    raw["view"] = {"plots": {"plots": plots, "span": 0.0}}
    (tmp_path / "lift.json").write_text(json.dumps(raw), encoding="utf-8")
    with open_window(tmp_path) as window:
        window.resize(1600, 1000)
        afternoon = spend("lift", window)
        assert afternoon.complaints == []
        before, after = (values[max(values)] for values in afternoon.told("values"))
        assert abs(before["motion.drive.effort"]) == pytest.approx(lift_force(LOAD, 2.0), rel=1e-3)
        (load,) = (p["value"] for p in afternoon.told("scene")[-1]["parameters"])
        assert load > 1.1 * LOAD
        assert abs(after["motion.drive.effort"]) == pytest.approx(lift_force(load, 2.0), rel=1e-3)
        run = window.session.runs.current
        assert run is not None
        assert window.viewport.view.framing.frames_all()  # without a key, wherever it has gone
        effort = channel(run, "motion.drive.effort")
        # at the start the arms are flat: within a hundredth, what statics alone would give
        assert abs(effort[0]) == pytest.approx(load * 9.81 / math.tan(START), rel=1e-2)
        angle = math.acos((LENGTH * math.cos(START) - 2.0 * SPEED) / LENGTH) - START
        assert abs(after["joint.foot.angle"] - channel(run, "joint.foot.angle")[0]) == pytest.approx(
            angle, abs=1e-9
        )


def test_a_study_of_methods(spend: Callable[..., Afternoon], tmp_path: Path, qtbot: QtBot) -> None:
    with open_window(tmp_path) as window:
        afternoon = spend("methods", window)
        assert afternoon.complaints == []
        fourth, second = window.session.runs
        errors = []
        for run in (fourth, second):
            t, total = run.channel("energy.total")
            errors.append(float(np.abs(total - total[0])[t <= 0.5].max()))
        scale = float(np.abs(channel(fourth, "energy.kinetic")).max())
        # orders four and two at the same step
        assert 10.0 * errors[0] < errors[1] < 1e-2 * scale
        methods = [segment.recorded.method for segment in second.segments]
        assert [str(method) for method in methods] == ["lagrange/rk2/projection", "lagrange/rk4/projection"]
        # saved and opened again it has both, with their spans
        for name in ("study.npz", "study.h5"):
            save(extract_of(second), tmp_path / name)
            again = open_run(tmp_path / name, 99)
            (live_first, live_last), (first, last) = (run.methods.split("; ") for run in (second, again))
            assert (first, last.partition(": ")[2]) == (live_first, live_last.partition(": ")[2])
            begin = live_last.removeprefix("from ").partition(" s")[0]  # the live run may go on
            assert last.startswith(f"{begin} to ")
