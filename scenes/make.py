"""Write the shipped scenes, and longer ones of their families.

python -m scenes.make                                  all shipped scenes
python -m scenes.make pendulum bicycle                 only these
python -m scenes.make --check                          compare the files with what would be written
python -m scenes.make --n-four-bar 40 out.json         a row of 40 four-bars [--space planar]
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from engine.model.files.scene_file import dumps, load_scene
from engine.model.scene import Scene
from scenes.generators import SCENES, scene_of
from scenes.generators.lattice import lattice
from scenes.generators.n_four_bar import n_four_bar
from scenes.generators.shock_chain import shock_chain_of

FOLDER = Path(__file__).parent
ROUNDING = 1e-14  # relative; processors differ in the last digits of what the generators compute


def text_of(name: str) -> str:
    """What would be the file of a shipped scene."""
    return dumps(scene_of(name))


def is_current(name: str) -> bool:
    """Whether the file of a shipped scene says what would be written; it may spell out defaults."""
    file = FOLDER / f"{name}.json"
    return file.exists() and _same(json.loads(dumps(load_scene(file))), json.loads(text_of(name)))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING)
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _write(made: Scene, file: Path) -> None:
    file.write_text(dumps(made), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scenes.make", description="Write the shipped scenes.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these scenes")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    parser.add_argument("--n-four-bar", nargs=2, metavar=("N", "FILE"), help="a row of N four-bars")
    parser.add_argument("--space", choices=["planar", "spatial"], default="spatial", help="for --n-four-bar")
    parser.add_argument("--shock-chain", nargs=2, metavar=("N", "FILE"), help="a chain of N masses")
    parser.add_argument("--lattice", nargs=2, metavar=("AxBxC", "FILE"), help="a block of particles")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(SCENES)):
        parser.error(f"no scene {', '.join(unknown)} (known: {', '.join(SCENES)})")
    if options.n_four_bar:
        _write(n_four_bar(int(options.n_four_bar[0]), options.space), Path(options.n_four_bar[1]))
        return 0
    if options.shock_chain:
        _write(shock_chain_of(int(options.shock_chain[0])), Path(options.shock_chain[1]))
        return 0
    if options.lattice:
        nx, ny, nz = (int(part) for part in options.lattice[0].split("x"))
        _write(lattice(nx, ny, nz), Path(options.lattice[1]))
        return 0
    stale = []
    for name in options.names or SCENES:
        if is_current(name):
            continue
        stale.append(name)
        if not options.check:
            (FOLDER / f"{name}.json").write_text(text_of(name), encoding="utf-8")
    if stale:
        word = "differ" if options.check else "written"
        sys.stdout.write(f"{word}: {', '.join(stale)}\n")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
