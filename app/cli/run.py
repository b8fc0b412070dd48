"""`trammel run SCENE`: simulate without a window."""

import argparse
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.command import Command
from app.cli.output import write_facts, write_json, write_line
from app.cli.seconds import positive_seconds
from app.cli.settings import parse_setting
from app.cli.simulated import check_file, exit_code, simulated
from app.errors import InputError
from app.resources import find_scene, scene_argument

if TYPE_CHECKING:
    from engine import Scene, Trajectory

ENDINGS = (".csv", ".npz", ".json")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")
    parser.add_argument("--method", metavar="M", help="see `trammel list methods`; default: the scene's")
    parser.add_argument("--dt", type=positive_seconds, metavar="S", help="step [s]; default: the scene's")
    parser.add_argument(
        "--duration", type=positive_seconds, metavar="S", help="time to simulate [s]; default: the scene's"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="PATH=VALUE",
        help="change the scene, for instance bodies.crank.mass=2 or parameters.L1=0.3; may be repeated",
    )
    parser.add_argument(
        "--probe",
        action="append",
        default=[],
        dest="probes",
        metavar="CHANNEL",
        help="show the channel's value at the end; may be repeated (see `trammel list channels SCENE`)",
    )
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        type=Path,
        dest="files",
        metavar="FILE",
        help=f"save all channels; the ending chooses the format: {' '.join(ENDINGS)}; may be repeated",
    )


def _execute(options: argparse.Namespace) -> int:
    # everything that can be refused is refused before the simulation
    settings = [parse_setting(text) for text in options.settings]
    for file in options.files:
        check_file(file, ENDINGS)
    path = find_scene(options.scene)
    scene = _load(path, settings)
    if options.probes:
        _check_probes(scene, options.probes)
    trajectory = simulated(scene, method=options.method, dt=options.dt, duration=options.duration)

    for file in options.files:
        trajectory.save(file)
    probes = {name: float(trajectory.channel(name)[-1]) for name in options.probes}
    _report(trajectory, scene_argument(path), probes, options)
    return exit_code(trajectory)


def _load(path: Path, settings: list[tuple[str, Any]]) -> "Scene":
    from engine import load_scene, set_value  # heavy: Numba

    scene = load_scene(path)
    for target, value in settings:
        scene = set_value(scene, target, value)
    return scene


def _check_probes(scene: "Scene", probes: list[str]) -> None:
    """Refuse a mistyped channel now and not at the end of a long run."""
    from engine import simulate

    known = simulate(scene, duration=0.0).names()
    for name in probes:
        if name not in known:
            near = get_close_matches(name, known, n=3)
            cure = f"did you mean {' or '.join(near)}?" if near else "see `trammel list channels SCENE`"
            raise InputError(f"--probe {name}: there is no such channel", cure=cure)


def _report(
    trajectory: "Trajectory", scene: str, probes: dict[str, float], options: argparse.Namespace
) -> None:
    # the scene by the name it is called by here, so that the next command can use it
    summary = {**trajectory.summary(), "scene": scene}
    if options.json:
        write_json({**summary, "probes": probes, "message": trajectory.message})
        return
    write_facts({**summary, **{f"{name} [{trajectory.unit(name)}]": value for name, value in probes.items()}})
    if trajectory.message:
        write_line(trajectory.message)
    for file in options.files:
        write_line(f"saved {file}")


COMMAND = Command(
    name="run",
    summary="simulate a scene without a window",
    configure=_configure,
    execute=_execute,
)
