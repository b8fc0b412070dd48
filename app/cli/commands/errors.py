"""`trammel errors RUN REFERENCE`: how far the channels of a saved run are from those of another."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.base import Command
from app.cli.output import write_json, write_line, write_table
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.results.files.formats.base import Curves

# positions, angles and velocities of bodies, without those of their points
_MOTION = re.compile(r"body\.(?!.+\.(point|com)\.).+\.((pos|vel|omega)\.\w+|angle)")
SHOWN = 40  # channels that the table lists, the worst first


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="saved run, or a table with time in front")
    parser.add_argument("reference", type=Path, metavar="REFERENCE", help="what is taken as exact, likewise")
    parser.add_argument(
        "--channel",
        action="append",
        default=[],
        dest="channels",
        metavar="C",
        help="compare this one; may be repeated; default: the motion of all bodies",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=1e-3,
        metavar="X",
        help="of the largest value of a channel: smaller values count as so large; default: 0.001",
    )


def _execute(options: argparse.Namespace) -> int:
    if not options.threshold > 0.0:
        raise InputError(
            f"--threshold {options.threshold} divides by zero", remedy="give a number above 0, such as 0.001"
        )
    import numpy as np

    from engine.results.assessment.error_measures import (
        on_instants,
        relative_errors,
        thresholds_of,
        total_error,
    )

    found, exact = _curves(options.run), _curves(options.reference)
    channels = _channels(options, found, exact)
    begin, end = max(found.t[0], exact.t[0]), min(found.t[-1], exact.t[-1])
    instants = found.t[(found.t >= begin) & (found.t <= end)]
    if not len(instants):
        raise InputError(
            f"{options.run} and {options.reference} have no instant in common",
            remedy=f"{options.reference.name} goes from {exact.t[0]:g} s to {exact.t[-1]:g} s",
        )
    values = on_instants(found.t, np.column_stack([found.values[c] for c in channels]), instants)
    wanted = on_instants(exact.t, np.column_stack([exact.values[c] for c in channels]), instants)
    units = [exact.units.get(name, "") for name in channels]
    errors = relative_errors(values, wanted, thresholds_of(wanted, units, options.threshold))
    each = {
        name: {
            "total": total_error(errors[:, j]),
            "largest": float(errors[:, j].max()),
            "at": float(instants[int(errors[:, j].argmax())]),
            "largest_difference": float(np.abs(values[:, j] - wanted[:, j]).max()),
        }
        for j, name in enumerate(channels)
    }
    if options.json:
        write_json(
            {
                "instants": len(instants),
                "threshold": options.threshold,
                "total": total_error(errors),
                "channels": each,
            }
        )
        return 0
    worst = sorted(each, key=lambda name: -each[name]["total"])
    write_table(
        ("channel", "total", "largest", "at [s]", "largest difference"),
        [[name, *(f"{value:.4g}" for value in each[name].values())] for name in worst[:SHOWN]],
    )
    if len(worst) > SHOWN:
        write_line(f"and {len(worst) - SHOWN} channels that are nearer; --json has all")
    write_line(
        f"total error of {len(channels)} channels at {len(instants)} instants: {total_error(errors):.6g}"
    )
    return 0


def _curves(path: Path) -> "Curves":
    from engine.results.files.formats.base import ReadError
    from engine.results.saved_runs import load_curves

    try:
        return load_curves(path)
    except ReadError as error:
        raise InputError(
            str(error), remedy="give a run that `trammel run --out` has saved, or a table"
        ) from None


def _channels(options: argparse.Namespace, found: "Curves", exact: "Curves") -> list[str]:
    for name in options.channels:
        for path, curves in ((options.run, found), (options.reference, exact)):
            if name not in curves.values:
                raise InputError(
                    f"--channel {name}: {path} has no such channel",
                    remedy="`trammel run --probe` records channels in a table",
                )
    both = [name for name in found.values if name in exact.values]
    common = options.channels or [name for name in both if _MOTION.fullmatch(name)] or both
    if not common:
        raise InputError(
            f"{options.run} and {options.reference} have no channel in common",
            remedy="name the same channels with `trammel run --probe`",
        )
    return list(common)


COMMAND = Command(
    name="errors",
    summary="compare the channels of a saved run with those of a reference",
    configure=_configure,
    execute=_execute,
)
