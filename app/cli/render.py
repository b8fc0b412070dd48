"""`trammel render SCENE --out FILE.png`: a picture without a display."""

import argparse
import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.command import Command
from app.cli.output import write_json, write_line
from app.cli.seconds import instant
from app.cli.simulated import check_file, exit_code, simulated
from app.resources import find_scene, scene_argument

if TYPE_CHECKING:
    from engine import Trajectory

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff")
VIEWS = ("iso", "front", "back", "left", "right", "top", "bottom")
LARGEST = 8192  # px
SHOWN = ("frames", "com", "labels", "arrows")
HIDDEN = ("joints", "grid", "traces")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=f"the picture: {' '.join(ENDINGS)}"
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
    parser.add_argument("--view", choices=VIEWS, help="default: front for planar scenes, else iso")
    parser.add_argument("--orthographic", action="store_true", help="no perspective")
    parser.add_argument("--dark", action="store_true", help="the dark look")
    parser.add_argument(
        "--show", action="append", default=[], choices=SHOWN, help="may be repeated; arrows need --time"
    )
    parser.add_argument("--hide", action="append", default=[], choices=HIDDEN, help="may be repeated")


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)[xX×](\d+)", text)
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size of up to {LARGEST}x{LARGEST} pixels; write for instance 1280x720"
        )
    return width, height


def _execute(options: argparse.Namespace) -> int:
    file: Path = options.out
    check_file(file, ENDINGS)
    path = find_scene(options.scene)
    from engine import load_scene

    scene = load_scene(path)
    trajectory = None
    if options.time:
        trajectory = simulated(scene, method=options.method, dt=options.dt, duration=options.time)

    from app.viewport.picture import draw, save  # heavy: VTK

    picture = draw(
        scene,
        size=options.size,
        style=_style(options),
        view=options.view or "",
        orthographic=True if options.orthographic else None,
        trajectory=trajectory,
        folder=path.parent,
    )
    save(picture, file)
    _report(options, path, trajectory)
    return exit_code(trajectory)


def _style(options: argparse.Namespace) -> Any:
    from app.viewport.style import Style

    choices: dict[str, Any] = {**dict.fromkeys(options.show, True), **dict.fromkeys(options.hide, False)}
    return dataclasses.replace(Style(dark=options.dark), **choices)


def _report(options: argparse.Namespace, path: Path, trajectory: "Trajectory | None") -> None:
    facts = {
        "scene": scene_argument(path),
        "file": str(options.out),
        "width": options.size[0],
        "height": options.size[1],
        "time": 0.0 if trajectory is None else float(trajectory.t[-1]),
        "message": "" if trajectory is None else trajectory.message,
    }
    if options.json:
        write_json(facts)
        return
    if facts["message"]:
        write_line(str(facts["message"]))
    write_line(f"saved {options.out}")


COMMAND = Command(
    name="render",
    summary="make a picture of a scene without a display",
    configure=_configure,
    execute=_execute,
)
