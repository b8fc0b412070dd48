"""Damaged and crafted saved runs, opened as the window and `render` do it.

python -m tests.attack.saved_runs --cases 2000 --seed 1
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from app.exchange.runs.opening import open_run
from engine import load_scene, simulate
from engine.results.files.formats.base import ReadError
from tests.attack.damage import damaged

ENDINGS = (".npz", ".h5", ".mat", ".json", ".csv")
VALUES: tuple[Any, ...] = (None, -1, 0, 1e300, 10**30, float("nan"), "", "x", [], {}, [1, 2], True, "\ud800")


def sound_files(scene: Path, folder: Path) -> dict[str, bytes]:
    """A short run in every form, by ending."""
    run = simulate(load_scene(scene), duration=0.1, dt=0.01)
    found = {}
    for ending in ENDINGS:
        run.save(folder / f"run{ending}", channels=["energy.total"])
        found[ending] = (folder / f"run{ending}").read_bytes()
    return found


def crafted(data: bytes, rng: random.Random, path: Path) -> None:
    """An archive whose bytes are whole and whose content is not."""
    path.write_bytes(data)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    name = rng.choice([*arrays, "states", "summary", "segments"])
    array = arrays[name]
    if array.dtype.kind in "US" and array.shape == () and rng.random() < 0.7:
        try:
            content = json.loads(str(array))
            target = content[0] if isinstance(content, list) else content
            target[rng.choice(list(target))] = rng.choice(VALUES)
            arrays[name] = np.array(json.dumps(content))
        except (ValueError, TypeError):
            arrays[name] = np.array("nonsense")
    elif array.dtype.kind == "f" and array.ndim:
        changed = array.copy()
        changed.ravel()[rng.randrange(changed.size)] = rng.choice((np.nan, np.inf, 1e300, -1.0, 0.0))
        arrays[name] = rng.choice((changed, changed[:0], changed[::-1], changed.T, changed.astype(str)))
    elif rng.random() < 0.5:
        del arrays[name]
    else:
        arrays[name] = np.array(rng.choice((0, -5, 99, 1e9)))
    np.savez(path, **arrays)


def attacked(
    files: dict[str, bytes], cases: int, seed: int, folder: Path
) -> Iterator[tuple[str, str, float]]:
    """Damage so many files and open them: name, what came of it, seconds."""
    for case in range(cases):
        rng = random.Random(f"{seed} {case}")
        ending = ENDINGS[case % len(ENDINGS)]
        path = folder / f"{case}{ending}"
        if ending == ".npz" and rng.random() < 0.6:
            crafted(files[ending], rng, path)
        else:
            path.write_bytes(damaged(files[ending], rng))
        begin = time.perf_counter()
        try:
            run = open_run(path, 1)
            names = run.names()[:3]
            t, values = run.table(names)
            verdict = "opened" if np.isfinite(t).all() and len(values) == len(t) else "nonsense"
        except ReadError as error:
            verdict = "told" if path.name in str(error) and len(str(error)) < 3000 else "badly told"
        except Exception as error:
            verdict = f"traceback {type(error).__name__}: {error}"[:200]
        yield f"{seed} {case} {ending}", verdict, time.perf_counter() - begin
        path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = sound_files(Path("scenes/four_bar.json"), folder)
        for case, verdict, seconds in attacked(files, options.cases, options.seed, folder):
            counts[verdict] += 1
            slowest = max(slowest, seconds)
            if verdict not in ("opened", "told"):
                sys.stdout.write(f"{verdict}: {case}\n")
    sys.stdout.write(f"{dict(counts)}, slowest {slowest:.2f} s\n")
    return 0 if set(counts) <= {"opened", "told"} else 1


if __name__ == "__main__":
    sys.exit(main())
