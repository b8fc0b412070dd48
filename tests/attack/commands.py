"""Commands of the command line with hostile words on hostile files; Ctrl-C comes when one takes long.

Whatever a command is given, it ends with 0, 1, 2 or 130 and says why; never with a mistake of its own.
"""

import contextlib
import io
import json
import os
import random
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from app.cli import run_command_line
from engine import TEMPLATES
from engine.analyses import ANALYSES
from engine.analyses.options import option_rows
from tests.attack import saved_runs, scenes, studies, texts
from tests.attack.case import MAX_MESSAGE, Case, judged
from tests.attack.damage import damaged
from tests.attack.extremes import EXPRESSIONS, NUMBERS
from tests.attack.sources import SHIPPED, sources
from tests.paths import SCENES

PATIENCE = 1.5  # s of processor time, then Ctrl-C
AGAIN = 1.0  # s of processor time between two of them
ENDS = (0, 1, 2, 130)
MISTAKE = "mistake in Trammel"
WORDS = (
    *map(str, NUMBERS[:20]),
    *EXPRESSIONS[4:],
    "",
    "nobody",
    "0.01",
    "3",
    "-1",
    "crank",
    "a;b",
    "é",
    "1:2",
)
CHANNELS = ("energy.total", "body.crank.pos.x", "body.*", "*", "", "energy", "joint.A.angle", "measure.x")


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    runs = saved_runs.sound_files(SCENES / "four_bar.json", folder)
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        words = rng.choice(WAYS)(rng, folder, runs)
        yield judged(
            f"{seed} {number} {words[0]} {words[2] if words[0] == 'analyze' else ''}",
            lambda w=words: _attempt(w),
            (),
        )
        for path in folder.glob("x.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _attempt(words: list[str]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
        _interrupted(),
    ):
        warnings.simplefilter("ignore", RuntimeWarning)  # as `app.__main__` has it
        try:
            code = run_command_line(words)
        except SystemExit as error:  # argparse
            code = int(error.code or 0)
        except KeyboardInterrupt:  # before or after the command itself
            code = 130
    told = err.getvalue()
    if MISTAKE in told:
        return f"traceback {' '.join(told.split())[:300]} {words[3:]}"[:600]
    if code not in ENDS:
        return f"nonsense: ended with {code}"
    if code == 2 and not told.strip() and MISTAKE not in told and not out.getvalue().strip():
        return "badly told: refused without a word"
    if len(told) > 2 * MAX_MESSAGE:
        return f"badly told: {len(told)} characters"
    if "--json" in words and code != 130 and out.getvalue().strip():
        try:
            json.loads(out.getvalue(), parse_constant=_no_constant)
        except ValueError as error:
            return f"nonsense: no JSON: {error} {code} {out.getvalue()[:80]!r} {words}"[:400]
    return "clean" if code == 0 else "told"


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


@contextlib.contextmanager
def _interrupted() -> Iterator[None]:
    """Ctrl-C after some processor time, and again every second: users press it until it helps."""

    def press(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGPROF, press)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


# what is typed


def _scene(rng: random.Random, folder: Path) -> tuple[Path, dict[str, Any]]:
    """A scene file, damaged or not, and what it says if it can be read."""
    sound = rng.random() < 0.4
    text = sources()[rng.choice(SHIPPED)] if sound else scenes.mutated(rng)[1]
    path = folder / "x.json"
    path.write_text(text, encoding="utf-8", errors="replace")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = {}
    return path, content if isinstance(content, dict) else {}


def _settings(content: dict[str, Any], rng: random.Random) -> list[str]:
    """`--set` of some field, or of none."""
    if rng.random() < 0.6:
        return []
    found = []
    for where in ("bodies", "joints", "forces", "parameters", "motions"):
        elements = content.get(where)
        for element in elements if isinstance(elements, list) else ():
            if isinstance(element, dict):
                found += [f"{where}.{element.get('name')}.{key}" for key in element]
    found += [f"simulation.{key}" for key in ("dt", "duration", "method", "options.x", "stop_when", "speed")]
    path = rng.choice(
        [*found, "x", "bodies", "parameters..", "bodies.0.mass", "view.box", "title", "a.b.c.d"]
    )
    return ["--set", f"{path}={rng.choice(WORDS)}"]


def _check(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    return ["check", str(_scene(rng, folder)[0]), *_json(rng)]


def _run(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    path, content = _scene(rng, folder)
    words = ["run", str(path), "--duration", rng.choice(("0.02", "0.02", "1e-9", "1e300"))]
    if rng.random() < 0.3:
        words += ["--dt", rng.choice(("0.01", "1e-300", "1e300", "nan", "-1", "0.5"))]
    if rng.random() < 0.3:
        words += ["--method", rng.choice((*scenes.METHODS, "", "x", "lagrange/rk4"))]
    if rng.random() < 0.3:
        words += ["--probe", rng.choice(CHANNELS)]
    if rng.random() < 0.4:
        words += [
            "--out",
            str(folder / f"x{rng.choice(saved_runs.ENDINGS)}"),
            "--channels",
            rng.choice(CHANNELS),
        ]
        words += rng.choice(
            ([], ["--every", "3"], ["--resample", "0.001"], ["--resample", "1e-300"], ["--from", "1e9"])
        )
    elif rng.random() < 0.2:
        words += ["--stream", str(folder / "x.h5")]
    return [*words, *_settings(content, rng), *_json(rng)]


def _analyze(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    path, content = _scene(rng, folder)
    kind = rng.choice(list(ANALYSES))
    words = ["analyze", str(path), kind.name]
    for row in option_rows(kind):
        if rng.random() < 0.3:
            words += [
                "--option",
                f"{row['name']}={rng.choice((*WORDS, row['default'], 'body.crank.pos.x', 'A', 'crank'))}",
            ]
    if rng.random() < 0.15:
        words += ["--at", rng.choice(("0.01", "1e300", "nan"))]
    if rng.random() < 0.3:
        words += ["--out", str(folder / f"x{rng.choice(('.csv', '.json', '.mat', '.npz', '.h5'))}")]
    return [*words, *_settings(content, rng), *_json(rng)]


def _compare(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    path, _ = _scene(rng, folder)
    methods = rng.choice(("rk4", "rk4,euler", "", "rk4,x", ",", "dopri5,rk4"))
    dts = rng.choice(("0.01", "0.01,0.005", "0", "nan", "1e300", "x", "0.01,0.01"))
    words = [
        "compare",
        str(path),
        "--methods",
        methods,
        "--dts",
        dts,
        "--duration",
        rng.choice(("0.05", "1e300")),
    ]
    return (
        [*words, "--out", str(folder / "x.out"), *_json(rng)] if rng.random() < 0.2 else [*words, *_json(rng)]
    )


def _export(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    words = ["export", str(_scene(rng, folder)[0])]
    return [*words, *rng.choice(([], ["--out", str(folder / "x.py")], ["--json"]))]


def _list(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    return ["list", "channels", str(_scene(rng, folder)[0]), *_json(rng)]


def _new(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    template = rng.choice(list(TEMPLATES))
    words = ["new", template.name]
    for parameter in template.parameters:
        if rng.random() < 0.4:
            words += ["--set", f"{parameter.name}={rng.choice((*WORDS, parameter.low, parameter.high))}"]
    return [*words, "--out", str(folder / "x.json"), *_json(rng)]


def _study(rng: random.Random, folder: Path) -> Path:
    path = folder / "x.study.json"
    path.write_text(
        studies.mutated(rng) if rng.random() < 0.6 else studies.sound(), encoding="utf-8", errors="replace"
    )
    return path


def _sweep(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    words = ["sweep", str(_study(rng, folder)), "--workers", "0", "--out", str(folder / "x.sqlite")]
    words += rng.choice(
        ([], ["--sensitivity"], ["--sensitivity", "direct"], ["--sobol", rng.choice("0138")], ["--retry"])
    )
    return [*words, *rng.choice(([], ["--export", "csv"], ["--export", "h5"])), *_json(rng)]


def _optimise(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    words = ["optimise", str(_study(rng, folder)), "--workers", "0", "--budget", rng.choice("0135")]
    words += ["--search", rng.choice(("nelder_mead", "least_squares", "differential_evolution", "optuna"))]
    words += ["--seed", rng.choice(("0", "7", "99999999999999999999"))]
    if rng.random() < 0.5:
        table = folder / "x.csv"
        table.write_bytes(damaged(FIT, rng) if rng.random() < 0.7 else rng.choice(FITS))
        words += [
            "--fit",
            f"{rng.choice(('body.slider.pos.x', 'body.slider.pos.x', 'x', '1/0', 't=', ''))}={table}",
        ]
    if rng.random() < 0.2:
        words += ["--out", str(folder / "x.json")]
    return [*words, *_json(rng)]


FIT = b"t [s],x [m]\n" + b"".join(f"{k / 500:.3f},{0.1 + k / 1000}\n".encode() for k in range(8))
FITS = (
    b"",
    b"0,1\n",
    b"0,1\n0,2\n",
    b"0,1e308\n0.01,-1e308\n",
    b"0,nan\n0.01,inf\n",
    b"-1,0\n1e9,0\n",
    b"1\n2\n3\n",
    b"t,x,y\n0,1\n",
    b"0.001,0.1\n" * 3000,
)


def _errors(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    files = []
    for name in ("x.a", "x.b"):
        ending = rng.choice(list(runs))
        path = folder / f"{name}{ending}"
        path.write_bytes(damaged(runs[ending], rng) if rng.random() < 0.6 else runs[ending])
        files.append(str(path))
    words = [
        "errors",
        *files,
        *rng.choice(([], ["--threshold", rng.choice(("0", "nan", "1e-300", "1e300"))])),
    ]
    return [*words, *rng.choice(([], ["--channel", rng.choice(CHANNELS)])), *_json(rng)]


def _import(rng: random.Random, folder: Path, runs: dict[str, bytes]) -> list[str]:
    out = ["--out", str(folder / "x.out.json")]
    if rng.random() < 0.5:
        path = folder / "x.urdf"
        path.write_bytes(damaged(texts.URDF, rng))
        return [
            "import",
            str(path),
            *out,
            *rng.choice(([], ["--free-base"], ["--stops", rng.choice(WORDS)])),
            *_json(rng),
        ]
    path = folder / "x.csv"
    path.write_bytes(damaged(texts.TABLE, rng))
    target = rng.choice(
        (
            "joint_motion:A.angle",
            "body_motion:crank.x",
            "force:crank.x/velocity",
            "torque:crank.z",
            "x",
            ":",
            "",
        )
    )
    words = ["import", str(path), *out, "--into", "four_bar", "--as", target]
    words += rng.choice(
        ([], ["--every", rng.choice(("0", "-1", "99", "10000000000"))], ["--value", rng.choice(WORDS)])
    )
    return [
        *words,
        *rng.choice(([], ["--unit", rng.choice(("mm", "rpm", "x", "t"))], ["--name", rng.choice(WORDS)])),
        *_json(rng),
    ]


def _json(rng: random.Random) -> list[str]:
    return ["--json"] if rng.random() < 0.5 else []


Way = Callable[[random.Random, Path, dict[str, bytes]], list[str]]
WAYS: tuple[Way, ...] = (
    *(_analyze,) * 8,
    *(_run,) * 4,
    _check,
    _compare,
    _export,
    _list,
    _new,
    _sweep,
    _sweep,
    _optimise,
    _optimise,
    _errors,
    _import,
)
