"""`trammel run SCENE`: simulate without a window."""

import argparse
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments.changed_scene import changed_scene
from app.cli.arguments.set_argument import add_set, parse_setting
from app.cli.arguments.time_argument import instant, positive_seconds
from app.cli.base import Command
from app.cli.failure import FAILED, INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_error, write_json, write_line
from app.cli.progress import ProgressBar
from app.cli.run_words import with_unit, write_run
from app.cli.simulated_run import check_file, check_other_file, estimate_error, exit_code, simulated
from app.platform.resources import find_scene, scene_argument
from app.platform.user_error import InputError
from engine.results.files.formats import endings
from engine.results.files.formats.as_hdf5 import HDF5

if TYPE_CHECKING:
    from engine import Scene, Trajectory


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")
    parser.add_argument("--method", metavar="M", help="see `trammel list methods`; default: the scene's")
    parser.add_argument("--dt", type=positive_seconds, metavar="S", help="step [s]; default: the scene's")
    parser.add_argument(
        "--duration", type=positive_seconds, metavar="S", help="time to simulate [s]; default: the scene's"
    )
    add_set(parser, "change the scene, for instance bodies.crank.mass=2 or parameters.L1=0.3")
    parser.add_argument(
        "--probe",
        action="append",
        default=[],
        dest="probes",
        metavar="CHANNEL",
        help="show the channel's value at the end; may be repeated (see `trammel list channels SCENE`)",
    )
    parser.add_argument(
        "-o",
        "--out",
        action="append",
        default=[],
        type=Path,
        dest="files",
        metavar="FILE",
        help=f"save channels; the ending chooses the format: {' '.join(endings())}; may be repeated",
    )
    parser.add_argument(
        "--stream",
        type=Path,
        metavar="FILE.h5",
        help="write while running, for long runs: memory stays flat, a crash costs at most the last second",
    )
    parser.add_argument(
        "--trust",
        action="store_true",
        help="judge the run, with the error of its positions estimated by a second run at half the step",
    )
    sampling = parser.add_argument_group("what --out saves; all channels of all samples unless told")
    sampling.add_argument(
        "--channels",
        action="append",
        default=[],
        metavar="NAMES",
        help="channels with commas between them; body.crank.* means all that begin so; may be repeated",
    )
    sampling.add_argument("--from", type=instant, dest="begin", metavar="S", help="from this instant on [s]")
    sampling.add_argument("--to", type=instant, dest="end", metavar="S", help="up to this instant [s]")
    steps = sampling.add_mutually_exclusive_group()
    steps.add_argument("--every", type=_count, default=1, metavar="N", help="every n-th sample")
    steps.add_argument("--resample", type=positive_seconds, metavar="S", help="one sample every S seconds")


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
    return int(text)


def _execute(options: argparse.Namespace) -> int:
    # everything that can be refused is refused before the simulation
    settings = [parse_setting(text) for text in options.settings]
    for file in options.files:
        check_file(file, endings())
    if not options.files and options.stream is None:
        _refuse_choices_of_nothing(options)
    if options.begin is not None and options.end is not None and options.begin > options.end:
        raise InputError("--from lies behind --to", remedy="give the earlier instant first")
    if options.stream is not None:
        _check_stream(options)
    path = find_scene(options.scene)
    for file in options.files:
        check_other_file(file, path)
    scene = changed_scene(path, settings)
    channels = _check_channels(scene, options) if options.probes or options.channels else None
    if options.stream is not None:
        return _stream(scene, scene_argument(path), channels, options)
    trajectory = simulated(scene, method=options.method, dt=options.dt, duration=options.duration)
    estimated = estimate_error(trajectory) if options.trust else True

    for file in options.files:
        saved = _save(trajectory, file, channels, options)
        if not saved:
            return INTERRUPTED
    probes = {name: float(trajectory.channel(name)[-1]) for name in options.probes}
    _report(trajectory, scene_argument(path), probes, options)
    return exit_code(trajectory) or (0 if estimated else INTERRUPTED)


def _refuse_choices_of_nothing(options: argparse.Namespace) -> None:
    """What --out shall save, without one: the samples would be missing afterwards."""
    given = {
        "--channels": bool(options.channels),
        "--from": options.begin is not None,
        "--to": options.end is not None,
        "--every": options.every > 1,
        "--resample": options.resample is not None,
    }
    for option in (name for name, said in given.items() if said):
        raise InputError(f"{option} chooses what --out saves, and there is no --out", remedy="name a file")


def _save(
    trajectory: "Trajectory", file: Path, channels: list[str] | None, options: argparse.Namespace
) -> bool:
    """Save with a progress bar; False, and nothing saved, after Ctrl-C."""
    from engine.progress import Cancelled

    if exit_code(trajectory) == INTERRUPTED:
        write_error(f"stopped; saving what was recorded as {file}, Ctrl-C again to leave it")
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        try:
            trajectory.save(
                file,
                channels,
                begin=options.begin,
                end=options.end,
                every=options.every,
                resample=options.resample,
                progress=lambda share, words: progress(share, f"saving {file.name}"),
                cancel=cancel,
            )
        except Cancelled:
            write_error(f"stopped; {file} was not saved")
            return False
        except ValueError as error:
            raise InputError(f"--out {file}: {error}", remedy="choose other samples") from None
    return True


def _check_stream(options: argparse.Namespace) -> None:
    check_file(options.stream, HDF5.endings)
    if (
        options.files
        or options.trust
        or options.probes
        or options.resample
        or options.every > 1
        or options.begin
        or options.end
    ):
        text = "--stream writes every sample of every instant"
        raise InputError(text, remedy="leave out the other options of saving, but for --channels")


def _stream(scene: "Scene", name: str, channels: list[str] | None, options: argparse.Namespace) -> int:
    from engine.simulation.streaming import stream

    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        facts = stream(
            scene,
            options.stream,
            channels=channels,
            method=options.method,
            dt=options.dt,
            duration=options.duration,
            progress=progress,
            cancel=cancel,
        )
    told = {"scene": name, **facts, "file": str(options.stream)}
    write_json(told) if options.json else write_run(told, facts["message"], facts["trust"])
    if facts["status"] == "cancelled":
        return INTERRUPTED
    return 0 if facts["status"] in ("finished", "stopped") else FAILED


def _check_channels(scene: "Scene", options: argparse.Namespace) -> list[str] | None:
    """Refuse a mistyped channel now and not at the end of a long run; the channels to be saved."""
    from engine import simulate

    # with the method that will run: the options of the scene may be meant for it
    known = simulate(scene, method=options.method, dt=options.dt, duration=0.0).names()
    for name in options.probes:
        if name not in known:
            raise _no_channel("--probe", name, known)
    if not options.channels:
        return None
    chosen: dict[str, None] = {}
    for pattern in (word.strip() for text in options.channels for word in text.split(",")):
        found = [name for name in known if name == pattern or fnmatchcase(name, pattern)]
        if not found:
            raise _no_channel("--channels", pattern, known)
        chosen.update(dict.fromkeys(found))
    return list(chosen)


def _no_channel(option: str, name: str, known: tuple[str, ...]) -> InputError:
    near = get_close_matches(name, known, n=3)
    remedy = f"did you mean {' or '.join(near)}?" if near else "see `trammel list channels SCENE`"
    return InputError(f"{option} {name}: there is no such channel", remedy=remedy)


def _report(
    trajectory: "Trajectory", scene: str, probes: dict[str, float], options: argparse.Namespace
) -> None:
    # the scene by the name it is called by here, so that the next command can use it
    summary = {**trajectory.summary(), "scene": scene}
    trust = trajectory.trust if options.trust else None
    if options.json:
        edits = trajectory.problem.edits if trajectory.problem is not None else ()
        told = {"message": trajectory.message, "remedy": [edit.to_dict() for edit in edits]}
        judged = {"trust": trust.to_dict()} if trust is not None else {}
        write_json({**summary, "probes": probes, **told, **judged})
        return
    asked = {with_unit(name, trajectory.unit(name)): value for name, value in probes.items()}
    write_run({**summary, **asked}, trajectory.message, trust.to_dict() if trust is not None else None)
    for file in options.files:
        write_line(f"saved {file}")


COMMAND = Command(
    name="run",
    summary="simulate a scene without a window",
    configure=_configure,
    execute=_execute,
)
