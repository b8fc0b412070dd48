"""`trammel render SCENE_OR_RUN --out FILE`: a picture or a film without a display."""

import argparse
import dataclasses
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments.mesh_files import check_meshes
from app.cli.arguments.time_argument import instant, positive_seconds
from app.cli.base import Command
from app.cli.failure import INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_error, write_json, write_line
from app.cli.progress import ProgressBar
from app.cli.simulated_run import check_file, exit_code, simulated
from app.exchange.film.formats import FILM_FORMATS
from app.platform.resources import find_scene, scene_argument
from app.platform.user_error import InputError
from engine.results.files.formats import endings

if TYPE_CHECKING:
    from app.exchange.sheets.sheets import Sheet
    from app.session.recorded.run import Run
    from engine import Scene, Trajectory

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff")
FILMS = FILM_FORMATS.names
ENDINGS = (*PICTURES, *FILMS)
RUNS = endings(states=True)
VIEWS = ("iso", "front", "back", "left", "right", "top", "bottom", "saved")
MAX_PIXELS = 8192  # px
SHOWN = ("frames", "com", "labels", "arrows")
HIDDEN = ("joints", "grid", "traces")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scene", metavar="SCENE", help=f"scene, name of a shipped one, or saved run: {' '.join(RUNS)}"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help=f"a picture ({' '.join(PICTURES)}) or a film ({' '.join(FILMS)})",
    )
    parser.add_argument(
        "--size", type=_size, default=(1280, 720), metavar="WxH", help="pixels; default: 1280x720"
    )
    parser.add_argument(
        "--time",
        type=instant,
        default=None,
        metavar="S",
        help="simulate up to this instant [s]; default: the start",
    )
    parser.add_argument("--method", metavar="M", help="see `trammel list methods`; default: the scene's")
    parser.add_argument("--dt", type=instant, metavar="S", help="step [s]; default: the scene's")
    parser.add_argument(
        "--view", choices=VIEWS, help="default: front for planar scenes, else iso; saved: as the scene says"
    )
    parser.add_argument("--orthographic", action="store_true", help="no perspective")
    parser.add_argument("--dark", action="store_true", help="the dark look")
    parser.add_argument(
        "--show", action="append", default=[], choices=SHOWN, help="may be repeated; arrows need --time"
    )
    parser.add_argument("--hide", action="append", default=[], choices=HIDDEN, help="may be repeated")
    parser.add_argument("--transparent", action="store_true", help="a .png without a background")
    parser.add_argument(
        "--trust", action="store_true", help="show the trust in the run: a dot in its colour and the word"
    )
    add_folder(parser)
    film = parser.add_argument_group("films")
    film.add_argument(
        "--fps", type=_positive, default=30.0, metavar="N", help="frames per second; default: 30"
    )
    film.add_argument(
        "--speed", type=_positive, default=1.0, metavar="X", help="simulated seconds per second; default: 1"
    )
    film.add_argument("--from", type=instant, dest="begin", metavar="S", help="begin here [s]")
    film.add_argument("--to", type=positive_seconds, dest="end", metavar="S", help="end here [s]")
    film.add_argument(
        "--camera", default="fixed", metavar="HOW", help="fixed, orbit or follow:BODY; default: fixed"
    )
    film.add_argument(
        "--plots",
        action="append",
        default=[],
        metavar="CHANNELS",
        help="channels, with commas between them, as plots below the mechanism; may be repeated",
    )
    film.add_argument("--plots-from", type=Path, help=argparse.SUPPRESS)  # as the window packs its plots
    film.add_argument("--clock", action="store_true", help="show the time of the simulation")
    film.add_argument("--rough", action="store_true", help="no anti-aliasing: faster")
    film.add_argument(
        "--background", action="store_true", help="let other programs go first; tell progress as JSON lines"
    )


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where mesh files are; default: beside the scene or run"
    )


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number")
    return value


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)[xX×](\d+)", text)
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (1 <= width <= MAX_PIXELS and 1 <= height <= MAX_PIXELS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size of up to {MAX_PIXELS}x{MAX_PIXELS} pixels; write for instance 1280x720"
        )
    return width, height


def _execute(options: argparse.Namespace) -> int:
    file: Path = options.out
    check_file(file, ENDINGS)
    if options.transparent and file.suffix.lower() != ".png":
        raise InputError(f"--out {file}: only .png can be transparent", remedy="use the ending .png")
    if options.begin is not None and options.end is not None and options.begin > options.end:
        raise InputError("--from lies behind --to", remedy="give the earlier instant first")
    if options.background and hasattr(os, "nice"):
        os.nice(10)
    saved = Path(options.scene)
    if saved.suffix.lower() in RUNS:
        return _film_of_saved(saved, options) if _is_film(file) else _picture_of_saved(saved, options)
    path = find_scene(options.scene)
    from engine import load_scene

    scene = load_scene(path)
    check_meshes(scene, path, options.folder)
    return _film_of_scene(scene, path, options) if _is_film(file) else _picture(scene, path, options)


def _is_film(file: Path) -> bool:
    return file.suffix.lower() in FILMS


def _picture(scene: "Scene", path: Path, options: argparse.Namespace) -> int:
    trajectory = None
    if options.time:
        trajectory = simulated(scene, method=options.method, dt=options.dt, duration=options.time)

    from app.exchange.film.corner import Corner
    from app.exchange.film.film import trust_words
    from app.viewport.pictures.picture import draw, save  # heavy: VTK

    folder = options.folder or path.parent
    picture = draw(
        scene,
        size=options.size,
        style=_style(options),
        view=options.view or "",
        orthographic=True if options.orthographic else None,
        trajectory=trajectory,
        folder=folder,
        transparent=options.transparent,
    )
    trust = trajectory.trust if trajectory is not None else None
    level = trust.level if trust is not None and options.trust else None
    Corner(clock=False, trust=level, dark=options.dark).write(picture, 0.0)
    save(picture, options.out, trust_words(trust))
    _report(options, scene_argument(path), trajectory)
    return exit_code(trajectory)


def _picture_of_saved(path: Path, options: argparse.Namespace) -> int:
    from app.exchange.film.film import Plan, Studio, trust_words
    from app.viewport.pictures.picture import save, transparent_picture

    run = saved_run(path)
    t = run.t_last if options.time is None else min(max(options.time, run.t_first), run.t_last)
    plan = Plan(
        size=options.size,
        end=t,
        view=options.view or "",
        orthographic=True if options.orthographic else None,
        badge=options.trust,
        style=_style(options),
    )
    folder = options.folder or path.parent
    _warn_of_meshes(run.scene, folder)
    studio = Studio(run, plan, folder)
    try:
        picture = studio.picture(t)
        if options.transparent:
            picture = transparent_picture(studio.view)
            studio.corner.write(picture, t)
        save(picture, options.out, trust_words(studio.trust))
    finally:
        studio.close()
    _tell(options, {"scene": str(path), "time": t, "message": ""})
    return 0


def _film_of_scene(scene: "Scene", path: Path, options: argparse.Namespace) -> int:
    from app.exchange.runs.opening import replay_of

    trajectory = simulated(scene, method=options.method, dt=options.dt, duration=options.end)
    if exit_code(trajectory) == INTERRUPTED:
        write_error(f"stopped; filming what was recorded as {options.out}, Ctrl-C again to leave it")
    run = replay_of(trajectory, 1, name=path.stem)
    return _film(run, scene_argument(path), path.parent, trajectory.message, options) or exit_code(trajectory)


def _film_of_saved(path: Path, options: argparse.Namespace) -> int:
    return _film(saved_run(path), str(path), path.parent, "", options)


def _packed_sheets(path: Path | None) -> "tuple[Sheet, ...]":
    from app.exchange.sheets.packed_sheets import unpacked

    return () if path is None else tuple(map(unpacked, json.loads(path.read_text(encoding="utf-8"))))


def saved_run(path: Path) -> "Run":
    from app.exchange.runs.opening import open_run
    from engine.results.files.formats.base import ReadError

    try:
        return open_run(path, 1)
    except ReadError as error:
        raise InputError(str(error), remedy=f"give a run saved as {' '.join(RUNS)}") from None


def _film(run: "Run", name: str, folder: Path, message: str, options: argparse.Namespace) -> int:
    from app.exchange.film.film import Plan, save_film
    from engine.progress import Cancelled

    plots = tuple(word.strip() for text in options.plots for word in text.split(",") if word.strip())
    known = set(run.names())
    for channel in plots:
        if channel not in known:
            raise InputError(
                f"--plots {channel}: there is no such channel", remedy="see `trammel list channels`"
            )
    plan = Plan(
        size=options.size,
        rate=options.fps,
        speed=options.speed,
        begin=options.begin,
        end=options.end,
        camera=options.camera,
        view=options.view or "",
        orthographic=True if options.orthographic else None,
        plots=plots,
        sheets=_packed_sheets(options.plots_from),
        clock=options.clock,
        badge=options.trust,
        smooth=not options.rough,
        style=_style(options),
    )
    if options.begin is not None and options.begin > run.t_last:
        raise InputError(
            f"--from {options.begin:g} lies behind the end of the run, {run.t_last:g} s",
            remedy="begin earlier, or give a later --to",
        )
    folder = options.folder or folder
    _warn_of_meshes(run.scene, folder)
    with ProgressBar(lines=options.background) as bar, cancel_on_interrupt() as cancel:
        try:
            count = save_film(run, plan, options.out, folder=folder, progress=bar, cancel=cancel)
        except Cancelled:
            write_error(f"stopped; {options.out} was not saved")
            return INTERRUPTED
        except ValueError as error:
            raise InputError(str(error), remedy="see `trammel render --help`") from None
    begin, end = plan.span(run)
    _tell(
        options,
        {"scene": name, "time": end, "begin": begin, "frames": count, "fps": options.fps, "message": message},
    )
    return 0


def _warn_of_meshes(scene: "Scene", folder: Path) -> None:
    from engine.model.meshes import mesh_problems

    for problem in mesh_problems(scene, folder):
        write_error(f"warning: {problem}")


def _style(options: argparse.Namespace) -> Any:
    from app.viewport.canvas.style import Style

    choices: dict[str, Any] = {**dict.fromkeys(options.show, True), **dict.fromkeys(options.hide, False)}
    return dataclasses.replace(Style(dark=options.dark), **choices)


def _report(options: argparse.Namespace, name: str, trajectory: "Trajectory | None") -> None:
    t, message = (0.0, "") if trajectory is None else (float(trajectory.t[-1]), trajectory.message)
    _tell(options, {"scene": name, "time": t, "message": message})


def _tell(options: argparse.Namespace, facts: dict[str, Any]) -> None:
    shape = {"file": str(options.out), "width": options.size[0], "height": options.size[1]}
    if options.json:
        write_json({**facts, **shape})
        return
    if options.background:
        return
    if facts["message"]:
        write_line(str(facts["message"]))
    write_line(f"saved {options.out}")


COMMAND = Command(
    name="render",
    summary="make a picture or a film of a scene or a saved run, without a display",
    configure=_configure,
    execute=_execute,
)
