"""Compile kernels into the disk cache: `python -m engine.simulation.warmup [SCENE …] [--method NAME]`.

Without a scene: all kinds and all methods, the usual ones first. A window starts this as a process of its
own, since compiling in a thread would hold it up; each line on the standard output is `done/total name`. With
`--idle` it gives way to all other programs and leaves out what is there. What has been compiled is remembered
in small files beside the cache, so `kernels_ready` costs next to nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.dispatch import KIND_PLACES, PLACES, address
from engine.compiled.kernel_cache import cache_root, newest_version
from engine.compiled.sources import PACKAGE, hash_of_program
from engine.elements.laws import LAWS
from engine.elements.primitives import PRIMITIVES
from engine.maths.sparse.many_sides import solve_lines
from engine.maths.sparse.symbolic import NODE_COLUMNS
from engine.model.scene import Scene
from engine.results.assessment.conditioning import Conditioning
from engine.simulation.checks.lookahead import lookahead_method
from engine.solvers.catalogue import METHODS, USUAL_METHOD, Method, find_method
from engine.solvers.linsolve import SOLVERS
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.work import kind_functions
from engine.system.equations import equations

IDLE_PRIORITY_CLASS = 0x40  # of Windows
COMMON = "common"  # what every run needs: advance, survey, assembly
MANY_SIDES = "many_sides"  # what dragging a large mechanism needs besides

Piece = tuple[str, Callable[[], object]]  # name, and what compiles it


def pieces_of(mechanism: Mechanism, method: Method) -> list[Piece]:
    """All that a run of this mechanism with this method calls."""
    solver = SOLVERS[mechanism.solver]
    functions = {**_equations(tangents=method.tangents), **_solver(solver), **method.functions}
    lookahead = (
        lookahead_method().functions if method.singular_failure or method.singular_failure_controlled else {}
    )
    found = [
        _piece(PLACES[place][1], function) for place, function in (*functions.items(), *lookahead.items())
    ]
    for sort, members in kind_functions(mechanism, tangents=method.tangents).items():
        found += [_piece(KIND_PLACES[sort][1], function) for function in members.values()]
    return [*_once(found), (COMMON, _run_once)]


def all_pieces() -> list[Piece]:
    """Every kind, solver and method: what every run needs, then direct methods, then the rest."""
    found = [_piece(PLACES[place][1], function) for place, function in _equations(tangents=True).items()]
    found += _of_method(METHODS[USUAL_METHOD])
    for solver in SOLVERS:
        found += [_piece(PLACES[place][1], function) for place, function in _solver(solver).items()]
    found += [_piece(KIND_PLACES["evaluate"][1], kind.evaluate) for kind in PRIMITIVES]
    found += [_piece(KIND_PLACES["force"][1], law.force) for law in LAWS]
    found += [(COMMON, _run_once)]
    for method in sorted(METHODS, key=lambda method: bool(method.pieces)):
        found += _of_method(method)
    found += [_piece(KIND_PLACES["tangent"][1], kind.tangent) for kind in PRIMITIVES]
    found += [_piece(KIND_PLACES["force_tangent"][1], law.tangent) for law in LAWS]
    return [*_once(found), (MANY_SIDES, _solve_nothing)]


def _of_method(method: Method) -> list[Piece]:
    return [_piece(PLACES[place][1], function) for place, function in method.functions.items()]


def kernels_ready(mechanism: Mechanism, method: Method | str) -> bool:
    """Whether a run can start without compiling: every piece was compiled on this machine before."""
    chosen = find_method(method) if isinstance(method, str) else method
    return all(_mark(name).exists() for name, _ in pieces_of(mechanism, chosen))


def compile_pieces(pieces: Sequence[Piece], tell: Callable[[int, int, str], object]) -> None:
    """Compile one after the other; `tell(done, total, name)` before each, and once at the end."""
    for done, (name, make) in enumerate(pieces):
        tell(done, len(pieces), name)
        make()
        _remember(name)
    tell(len(pieces), len(pieces), "ready")


def run_briefly(scene: Scene, method: str | None = None) -> None:
    """A few steps, the channels and the check: catches what is compiled outside the table of functions."""
    from engine.analyses.check import check_scene
    from engine.simulation.simulation import Simulation

    simulation = Simulation(scene, method=method, duration=None)
    simulation.advance(3.0 * simulation.dt)
    sample = simulation.driver.sample()
    simulation.channels.energy(sample)
    Conditioning(simulation.mechanism, sample[None])
    check_scene(scene)


def _run_once() -> None:
    swing = (
        Scene(space="planar")
        .with_body("rod", mass=1.0, com=[0.5, 0.0], inertia=[0.1])
        .with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "rod", "point": [0.0, 0.0]})
    )
    run_briefly(swing)


def _solve_nothing() -> None:
    none, places = np.zeros(0), np.zeros((1, NODE_COLUMNS), np.int64)
    solve_lines(places, places[0, :0], none, none, none, 0)


def _equations(*, tangents: bool) -> dict[str, Any]:
    found = {"constraints": equations.constraints, "forces": equations.forces}
    return {**found, "tangents": equations.tangents} if tangents else found


def _solver(solver: Any) -> dict[str, Any]:
    return {"factor": solver.factor, "solve": solver.solve, "accelerate": solver.accelerate}


def _piece(signature: Any, function: Any) -> Piece:
    python = function.py_func
    name = f"{python.__module__}.{python.__qualname__}".removeprefix(f"{PACKAGE}.")
    return name, lambda: address(function, signature)


def _once(pieces: Iterable[Piece]) -> list[Piece]:
    return list(dict(pieces).items())


def _mark(name: str) -> Path:
    return _marks() / f"{name.replace('<', '').replace('>', '')}-{_machine()}"


@cache
def _marks() -> Path:
    return newest_version(cache_root() / "ready", hash_of_program())


def _machine() -> str:
    """Compiled code belongs to one processor."""
    global _MACHINE
    if not _MACHINE:
        from llvmlite import binding

        host = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
        _MACHINE = hashlib.sha256(host.encode()).hexdigest()[:12]
    return _MACHINE


_MACHINE = ""


def _remember(name: str) -> None:
    try:
        _mark(name).parent.mkdir(parents=True, exist_ok=True)
        _mark(name).touch()
    except OSError:
        pass  # a read-only home: nothing is cached, so nothing is ready


def main(arguments: Sequence[str] | None = None) -> int:
    from engine.errors import SceneError
    from engine.model.files.scene_file import load_scene
    from engine.system.prepared import prepare

    parser = argparse.ArgumentParser(prog="python -m engine.simulation.warmup", description=__doc__)
    parser.add_argument("scenes", metavar="SCENE", nargs="*")
    parser.add_argument("--method", help="instead of the scene's own")
    parser.add_argument("--idle", action="store_true", help="only what is missing, at the lowest priority")
    options = parser.parse_args(arguments)
    try:
        pieces: list[Piece] = [] if options.scenes else all_pieces()
        for path in options.scenes:
            mechanism = prepare(load_scene(path)).watched
            method = find_method(options.method or mechanism.scene.simulation.method)
            pieces += pieces_of(mechanism, method)
    except SceneError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    wanted = _once(pieces)
    if options.idle:
        _give_way()
        wanted = [(name, make) for name, make in wanted if not _mark(name).exists()]
    compile_pieces(wanted, _print)
    return 0


def _give_way() -> None:
    """Let all other programs of this machine go first."""
    if hasattr(os, "nice"):
        os.nice(19)
        return
    import ctypes  # Windows

    kernel32 = ctypes.windll.kernel32  # type: ignore[attr-defined]
    kernel32.SetPriorityClass(kernel32.GetCurrentProcess(), IDLE_PRIORITY_CLASS)


def _print(done: int, total: int, name: str) -> None:
    sys.stdout.write(f"{done}/{total} {name}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
