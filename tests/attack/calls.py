"""Python calls with arguments of any kind: nothing, no numbers, other types, files that are closed.

What is refused is refused by the program, in its own words, or by Python where a call is made with arguments
that the function does not have. An error that falls out of the middle of the program is a traceback.
"""

import contextlib
import datetime
import decimal
import fractions
import io
import random
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import engine
from engine import Scene, SceneError, Study, Trajectory
from engine.templates import TemplateError
from tests.attack.case import MAX_MESSAGE, Case, judged
from tests.attack.mixed import shipped
from tests.attack.scenes import patience
from tests.paths import ROOT

OWN = ("/engine/", "/app/")  # files whose errors are told in the program's own words
SHORT = 0.01  # s of a run

Call = Callable[[random.Random, Path], object]


@cache
def _scene() -> Scene:
    return engine.loads(shipped()["four_bar"])


@cache
def _run() -> Trajectory:
    return engine.simulate(_scene(), duration=SHORT)


def odd(rng: random.Random, folder: Path) -> Any:
    """Anything but what was asked for, made anew for each call."""
    closed = open(folder / "closed.txt", "w+", encoding="utf-8")  # noqa: SIM115
    closed.close()
    return rng.choice(
        (
            None,
            True,
            False,
            0,
            -1,
            2,
            10**30,
            0.0,
            -0.5,
            5e-324,
            1e-300,
            1e300,
            float("nan"),
            float("inf"),
            1 + 2j,
            "",
            "x",
            "four_bar",
            "0.01",
            "\x00",
            "\ud800",
            "a" * 5000,
            b"",
            b"\xff",
            [],
            [0.0],
            ["a", None],
            (),
            {},
            {"a": 1},
            {1: 2},
            {None: None},
            set(),
            np.float32(0.01),
            np.float64("nan"),
            np.int64(3),
            np.bool_(True),
            np.array(0.01),
            np.array([0.01]),
            np.zeros((2, 2)),
            np.array([None]),
            np.str_("crank"),
            decimal.Decimal("0.01"),
            fractions.Fraction(1, 100),
            datetime.timedelta(seconds=1),
            object(),
            lambda *given: None,
            range(3),
            (i for i in range(3)),
            io.StringIO("text"),
            io.BytesIO(b"bytes"),
            closed,
            folder,
            folder / "nowhere" / "x.json",
            folder / "closed.txt",
            _scene(),
            _run(),
            engine,
        )
    )


def _maybe(rng: random.Random, folder: Path, **usual: Any) -> dict[str, Any]:
    """Some of the arguments, each as it should be or odd."""
    return {
        name: odd(rng, folder) if rng.random() < 0.5 else value
        for name, value in usual.items()
        if rng.random() < 0.5
    }


def _simulate(rng: random.Random, folder: Path) -> object:
    options = _maybe(
        rng, folder, method="rk4", dt=0.001, duration=SHORT, options={}, sample_every=1, progress=None
    )
    given = {"duration": SHORT, **options}
    scene = odd(rng, folder) if rng.random() < 0.2 else _scene()
    return engine.simulate(scene, cancel=patience(), **given)


def _read(rng: random.Random, folder: Path) -> object:
    names = ("load_scene", "loads", "load_study", "load_trajectory", "load_curves", "load_urdf", "read_table")
    return getattr(engine, rng.choice(names))(odd(rng, folder))


def _write(rng: random.Random, folder: Path) -> object:
    kind = rng.randrange(3)
    path = rng.choice((odd(rng, folder), folder / "x.json", folder))
    if isinstance(path, int) or path == "":
        return None  # an open file of this process
    if kind == 0:
        return engine.save_scene(rng.choice((_scene(), odd(rng, folder))), path)
    if kind == 1:
        study = Study(_scene())
        return engine.save_study(rng.choice((study, odd(rng, folder))), path)
    wanted = _maybe(
        rng, folder, channels=["energy.total"], begin=0.0, end=1.0, every=1, resample=0.001, progress=None
    )
    return _run().save(rng.choice((path, folder / "x.csv", folder / "x.h5")), **wanted)


def _take(rng: random.Random, folder: Path) -> object:
    names = ("dumps", "validate", "check_scene", "compile_scene", "resolve", "parameter_values", "to_python")
    return getattr(engine, rng.choice(names))(odd(rng, folder))


def _set(rng: random.Random, folder: Path) -> object:
    paths = ("bodies.crank.mass", "parameters.L1", "joints.A.a.point.1", "title", "simulation.dt", "gravity")
    path = odd(rng, folder) if rng.random() < 0.3 else rng.choice(paths)
    scene = odd(rng, folder) if rng.random() < 0.2 else _scene()
    if rng.random() < 0.2:
        return engine.apply_edits(scene, odd(rng, folder))
    return engine.check_scene(engine.set_value(scene, path, odd(rng, folder)))


def _build(rng: random.Random, folder: Path) -> object:
    o = lambda: odd(rng, folder)  # noqa: E731
    ends = {"a": rng.choice(({"body": "crank"}, o())), "b": rng.choice(({"body": "coupler"}, o()))}
    scene = _scene()
    made = rng.choice(
        (
            lambda: Scene(**{rng.choice(("space", "gravity", "bodies", "simulation", "view", "x")): o()}),
            lambda: scene.with_body(o(), **_maybe(rng, folder, mass=1.0, inertia=[1.0], position=[0, 0])),
            lambda: scene.with_body("new", **_maybe(rng, folder, mass=1.0, inertia=[1.0], com=[0, 0])),
            lambda: scene.with_joint(rng.choice(("revolute", o())), "new", **ends),
            lambda: scene.with_force(rng.choice(("spring", o())), "new", stiffness=o(), **ends),
            lambda: scene.with_motion("joint_motion", "new", joint=o(), coordinate="angle", function=o()),
            lambda: scene.with_simulation(**_maybe(rng, folder, dt=0.001, method="rk4", options={})),
            lambda: scene.with_parameter(rng.choice(("new", o())), o()),
            lambda: scene.with_measure("expression", "new", expression=o()),
            lambda: scene.add(o()),
            lambda: scene.replace(o(), "crank"),
            lambda: scene.remove(rng.choice(("bodies", o())), rng.choice(("crank", o()))),
            lambda: getattr(scene, rng.choice(("body", "joint", "force", "parameter")))(o()),
        )
    )()
    return engine.check_scene(made) if isinstance(made, Scene) else made


def _look(rng: random.Random, folder: Path) -> object:
    run, what = _run(), odd(rng, folder)
    reading = rng.choice((run.channel, run.table, run.unit, run.meaning, run.expression, run.extract))
    return reading([what] if rng.random() < 0.3 else what)  # type: ignore[operator]


def _study(rng: random.Random, folder: Path) -> object:
    o = lambda: odd(rng, folder)  # noqa: E731
    study = Study(_scene() if rng.random() < 0.8 else o())
    study = study.with_variable(
        "interval", rng.choice(("parameters.L1", o())), **_maybe(rng, folder, low=0.1, high=0.2, count=2)
    )
    study = study.with_design(rng.choice(("grid", o())), **_maybe(rng, folder, count=2, seed=1))
    study = study.with_objective("o", rng.choice(("t", o())), rng.choice(("final", o())))
    return study.refuse_problems().points()


def _registry(rng: random.Random, folder: Path) -> object:
    tables = (engine.METHODS, engine.TEMPLATES, engine.JOINTS, engine.FORCES, engine.MOTIONS)
    if rng.random() < 0.5:
        return rng.choice(tables)[odd(rng, folder)]
    template = engine.TEMPLATES[rng.choice(engine.TEMPLATES.names)]
    name = rng.choice(template.parameters).name if template.parameters else "x"
    return template.make(**{name: odd(rng, folder)}).scene


def _ask(rng: random.Random, folder: Path) -> object:
    o = lambda: odd(rng, folder)  # noqa: E731
    if rng.random() < 0.5:
        kind = rng.choice(list(engine.ANALYSES)).name
        options = rng.choice(({}, {rng.choice(("joint", "coordinate", "count", "x")): o()}, o()))
        return engine.analyze(_scene(), rng.choice((kind, o())), options, at=rng.choice((0.0, o())))
    given = _maybe(rng, folder, dts=[0.001], channels=["energy.total"], options={}, tolerances=[1e-6])
    methods = rng.choice((["rk4"], ["rk4", "rk2"], o(), [o()]))
    return engine.compare(_scene(), methods, duration=rng.choice((SHORT, o())), cancel=patience(), **given)


CALLS: tuple[Call, ...] = (
    _ask,
    _simulate,
    _simulate,
    _simulate,
    _read,
    _write,
    _take,
    _set,
    _set,
    _build,
    _build,
    _build,
    _look,
    _study,
    _registry,
)


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"calls {seed} {number}")
        call = rng.choice(CALLS)
        yield judged(
            f"{seed} {number} {call.__name__.strip('_')}",
            lambda call=call, rng=rng: _attempt(call, rng, folder),
            (SceneError, TemplateError),
        )


def _attempt(call: Call, rng: random.Random, folder: Path) -> str:
    try:
        with contextlib.chdir(folder):  # names of files are relative at times
            call(rng, folder)
    except (TypeError, ValueError, KeyError, OSError) as error:
        if not _is_told(error):
            raise
        short = isinstance(error, OSError) or 0 < len(str(error)) < MAX_MESSAGE
        return "told" if short else "badly told"
    return "clean"


def _is_told(error: Exception) -> bool:
    """Raised by the program itself, by the system about a file, or by Python about the call that was made."""
    calls = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SceneError) or (isinstance(error, OSError) and error.filename is not None):
        return True
    last = calls[-1]
    of_call = Path(last.filename).name == Path(__file__).name
    # said by Python, in words that its users know
    of_path = any(word in str(error) for word in ("os.PathLike", "null byte", "surrogates not allowed"))
    own = str(ROOT) in last.filename and any(part in last.filename for part in OWN)
    return of_call or of_path or (own and "raise " in (last.line or ""))
