"""How many frames per second a film takes: the double four-bar with plots, 1280 × 720, no display.

`python -m tests.bench.film [SECONDS]` prints frames per second without and with anti-aliasing, and where the
time of a frame goes. Everything else on the machine counts against it: look at the load that is printed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from app.exchange.film.film import Plan, Studio, save_film
from app.exchange.runs.opening import replay_of
from app.platform.resources import scene_paths
from app.session.recorded.run import Run
from engine import load_scene, simulate

PLOTS = ("energy.kinetic", "energy.potential", "violation.position")
TARGETS = {False: 10.0, True: 4.0}  # frames per second, rough and smooth


def film(run: Run, *, smooth: bool) -> tuple[int, float]:
    """Frames and seconds of a whole film, encoder and set-up included."""
    plan = Plan(plots=PLOTS, clock=True, smooth=smooth)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        count = save_film(run, plan, Path(folder) / "film.mp4")
        return count, time.perf_counter() - begin


def parts(run: Run, *, smooth: bool, frames: int = 20) -> dict[str, float]:
    """Milliseconds of one frame by what they are spent on, without the encoder."""
    studio = Studio(run, Plan(plots=PLOTS, clock=True, smooth=smooth))
    spent: dict[str, float] = {}

    def timed(owner: object, name: str, label: str) -> None:
        inner = getattr(owner, name)

        def call(*args: object, **more: object) -> object:
            begin = time.perf_counter()
            result = inner(*args, **more)
            spent[label] = spent.get(label, 0.0) + time.perf_counter() - begin
            return result

        setattr(owner, name, call)

    timed(studio.view, "render", "draw and copy the picture")
    timed(studio.view, "set_poses", "move the bodies")
    timed(studio._strip, "at", "plots")
    timed(studio._clock, "write", "clock")
    instants = studio.plan.instants(run)[:frames]
    begin = time.perf_counter()
    for t in instants:
        studio.picture(float(t))
    total = time.perf_counter() - begin
    studio.close()
    spent["all of it"] = total
    spent["the rest: averaging, traces, joining"] = 2.0 * total - sum(spent.values())
    return {label: 1000.0 * seconds / len(instants) for label, seconds in spent.items()}


def main(seconds: float = 2.0) -> None:
    scene = load_scene(scene_paths()["double_four_bar"])
    run = replay_of(simulate(scene, duration=seconds, dt=0.001), 1, name="film")
    say = sys.stdout.write
    say(f"load of the machine before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}\n")
    for smooth in (False, True):
        count, took = film(run, smooth=smooth)
        title = "with anti-aliasing" if smooth else "without anti-aliasing"
        say(f"{title}: {count} frames in {took:.1f} s, {count / took:.1f} per second")
        say(f" (target {TARGETS[smooth]:.0f})\n")
        for label, ms in parts(run, smooth=smooth).items():
            say(f"    {ms:7.1f} ms  {label}\n")
    say(f"load of the machine after: {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
