"""Trammel's engine: scenes, systems, methods and analyses, without any window.

Names are loaded when they are first used, so that listing scenes does not wait for compiled code.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.analyses.registry import ANALYSES
    from engine.benchmarks.comparison import compare
    from engine.elements.drivers import MOTIONS
    from engine.elements.forces import FORCES
    from engine.elements.joints import JOINTS
    from engine.errors import CompileError, Problem, SceneEdit, SceneError
    from engine.model.files.scene_file import dumps, load_scene, loads, save_scene
    from engine.model.files.script import to_python
    from engine.model.files.text_table import read_table
    from engine.model.resolve import parameter_values, resolve
    from engine.model.scene import Scene
    from engine.model.set_value import apply_edits, set_value
    from engine.model.urdf import load_urdf
    from engine.model.validate import validate
    from engine.results.saved_runs import load_curves, load_trajectory
    from engine.results.trajectory import Trajectory
    from engine.simulation.analysis_motions import trajectory_of
    from engine.simulation.analyze import analyze
    from engine.simulation.scene_check import check_scene
    from engine.simulation.simulation import simulate
    from engine.solvers.catalogue import METHODS
    from engine.studies.study import Study
    from engine.studies.study_file import load_study, save_study
    from engine.system.compiling.compile import compile_scene
    from engine.templates import TEMPLATES

__all__ = [
    "ANALYSES",
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
    "Study",
    "Trajectory",
    "analyze",
    "apply_edits",
    "check_scene",
    "compare",
    "compile_scene",
    "dumps",
    "load_curves",
    "load_scene",
    "load_study",
    "load_trajectory",
    "load_urdf",
    "loads",
    "parameter_values",
    "read_table",
    "resolve",
    "save_scene",
    "save_study",
    "set_value",
    "simulate",
    "to_python",
    "trajectory_of",
    "validate",
]

_HOME = {
    "ANALYSES": ".analyses.registry",
    "CompileError": ".errors",
    "FORCES": ".elements.forces",
    "JOINTS": ".elements.joints",
    "METHODS": ".solvers.catalogue",
    "MOTIONS": ".elements.drivers",
    "Problem": ".errors",
    "Scene": ".model.scene",
    "SceneEdit": ".errors",
    "SceneError": ".errors",
    "Study": ".studies.study",
    "TEMPLATES": ".templates",
    "Trajectory": ".results.trajectory",
    "analyze": ".simulation.analyze",
    "apply_edits": ".model.set_value",
    "check_scene": ".simulation.scene_check",
    "compare": ".benchmarks.comparison",
    "compile_scene": ".system.compiling.compile",
    "dumps": ".model.files.scene_file",
    "load_curves": ".results.saved_runs",
    "load_scene": ".model.files.scene_file",
    "load_study": ".studies.study_file",
    "load_trajectory": ".results.saved_runs",
    "load_urdf": ".model.urdf",
    "loads": ".model.files.scene_file",
    "parameter_values": ".model.resolve",
    "read_table": ".model.files.text_table",
    "resolve": ".model.resolve",
    "save_scene": ".model.files.scene_file",
    "save_study": ".studies.study_file",
    "set_value": ".model.set_value",
    "simulate": ".simulation.simulation",
    "to_python": ".model.files.script",
    "trajectory_of": ".simulation.analysis_motions",
    "validate": ".model.validate",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
