"""A stand-in for the engine, so that the command line's own decisions are tested in milliseconds."""

import enum
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from engine.errors import Problem, SceneError


class Status(enum.Enum):
    FINISHED = "finished"
    CANCELLED = "cancelled"
    DIVERGED = "diverged"

    @property
    def failed(self) -> bool:
        return self is Status.DIVERGED


class Trajectory:
    t = np.array([0.0, 0.5, 1.0])
    message = ""
    problem = None

    def __init__(self, status: Status) -> None:
        self.status = status
        self.saved: list[Path] = []

    def names(self) -> tuple[str, ...]:
        return ("energy.total", "violation.position")

    def channel(self, name: str) -> Any:
        return self.t * 2.0

    def unit(self, name: str) -> str:
        return "J"

    def summary(self) -> dict[str, Any]:
        return {"scene": "fake", "status": self.status.value, "energy_error_max": float("nan")}

    def save(self, path: Path, channels: Any = None, **choice: Any) -> None:
        path.write_text("t\n")
        self.saved.append(path)


def make(status: Status = Status.FINISHED) -> ModuleType:
    """A module that looks like `engine`; what it was asked for is kept in its `calls`."""
    module: Any = ModuleType("engine")
    module.calls = SimpleNamespace(settings=[], options={})
    module.SceneError = SceneError

    def load_scene(path: Path) -> str:
        if path.stem == "broken":
            raise SceneError(
                [Problem("bodies[0].mass", -1, "mass is negative", "give a positive mass")], str(path)
            )
        return path.stem

    def set_value(scene: str, path: str, value: Any) -> str:
        module.calls.settings.append((path, value))
        return scene

    def simulate(scene: str, **options: Any) -> Trajectory:
        module.calls.options = options
        if scene == "mistaken":
            raise ZeroDivisionError("oops")
        if "progress" in options:
            options["progress"](0.5, "half way")
        cancelled = "cancel" in options and options["cancel"]()
        return Trajectory(Status.CANCELLED if cancelled else status)

    module.load_scene, module.set_value, module.simulate = load_scene, set_value, simulate
    return module
