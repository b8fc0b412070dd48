"""Trammel's engine: scenes, systems, methods and analyses, without any window.

Names are loaded when they are first used, so that listing scenes does not wait for compiled code.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.elements.drivers import MOTIONS
    from engine.elements.forces import FORCES
    from engine.elements.joints import JOINTS
    from engine.errors import CompileError, Problem, SceneEdit, SceneError
    from engine.model.io import dumps, load_scene, loads, save_scene
    from engine.model.resolve import parameter_values, resolve
    from engine.model.scene import Scene
    from engine.model.script import to_python
    from engine.model.set_value import apply_edits, set_value
    from engine.model.text_table import read_table
    from engine.model.urdf import load_urdf
    from engine.model.validate import validate
    from engine.runtime.checking import check_scene
    from engine.runtime.methods import METHODS
    from engine.runtime.reading import load_curves, load_trajectory
    from engine.runtime.simulation import simulate
    from engine.runtime.trajectory import Trajectory
    from engine.system.compile import compile_scene
    from engine.templates import TEMPLATES

__all__ = [
    "FORCES",
    "JOINTS",
    "METHODS",
    "MOTIONS",
    "TEMPLATES",
    "CompileError",
    "Problem",
    "Scene",
    "SceneEdit",
    "SceneError",
    "Trajectory",
    "apply_edits",
    "check_scene",
    "compile_scene",
    "dumps",
    "load_curves",
    "load_scene",
    "load_trajectory",
    "load_urdf",
    "loads",
    "parameter_values",
    "read_table",
    "resolve",
    "save_scene",
    "set_value",
    "simulate",
    "to_python",
    "validate",
]

_HOME = {
    "CompileError": "engine.errors",
    "FORCES": "engine.elements.forces",
    "JOINTS": "engine.elements.joints",
    "METHODS": "engine.runtime.methods",
    "MOTIONS": "engine.elements.drivers",
    "Problem": "engine.errors",
    "Scene": "engine.model.scene",
    "SceneEdit": "engine.errors",
    "SceneError": "engine.errors",
    "TEMPLATES": "engine.templates",
    "Trajectory": "engine.runtime.trajectory",
    "apply_edits": "engine.model.set_value",
    "check_scene": "engine.runtime.checking",
    "compile_scene": "engine.system.compile",
    "dumps": "engine.model.io",
    "load_curves": "engine.runtime.reading",
    "load_scene": "engine.model.io",
    "load_trajectory": "engine.runtime.reading",
    "load_urdf": "engine.model.urdf",
    "loads": "engine.model.io",
    "parameter_values": "engine.model.resolve",
    "read_table": "engine.model.text_table",
    "resolve": "engine.model.resolve",
    "save_scene": "engine.model.io",
    "set_value": "engine.model.set_value",
    "simulate": "engine.runtime.simulation",
    "to_python": "engine.model.script",
    "validate": "engine.model.validate",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
