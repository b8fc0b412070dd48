"""Damaged scenes, studies, saved runs, meshes, URDF files, tables, settings and calls, and what they do.

    python -m tests.attack --cases 20000 --seed 1 [--only scenes]
    python -m tests.attack kills --count 50 --seed 1           (see kills.py)
    python -m tests.attack use --actions 10000 --seed 1        (see use.py)

Cases are spread over the kinds. Each kind is tried in a process of its own, so that a crash or a hang is
counted and the next process goes on behind it. Ends with 0 when every case was clean or told; Ctrl-C ends it
with what it has counted.
"""

import argparse
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.attack.case import Case

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program has it, before NumPy is loaded

MAX_WAIT = 60.0  # s without a line: a hang, if the process has computed all the while
MAX_SILENCE = 900.0  # s without a line, whatever it did: a busy machine
COMPILED = "compiled"  # a line that says so: the next kernel has its own time
SHARES = {
    "scenes": 6,
    "plausible": 2,
    "mixed": 2,
    "alike": 2,
    "fields": 3,
    "calls": 2,
    "studies": 2,
    "windows": 2,  # needs a screen, if a virtual one
    "commands": 2,
    "runs": 3,
    "meshes": 4,
    "urdf": 2,
    "tables": 2,
    "settings": 1,
}
# asked for by name: of these scenes one in ten or so still is slow, or misses the end of a slip
BY_NAME = {"tumbling": 1}


def target(kind: str) -> Callable[..., Iterator[Case]]:
    """The generator of a kind; modules are loaded in the process that needs them."""
    from tests.attack import (
        alike,
        calls,
        commands,
        fields,
        meshes,
        mixed,
        plausible,
        saved_runs,
        scenes,
        studies,
        texts,
        tumbling,
        windows,
    )

    return {
        "scenes": scenes.attacked,
        "plausible": plausible.attacked,
        "mixed": mixed.attacked,
        "tumbling": tumbling.attacked,
        "alike": alike.attacked,
        "fields": fields.attacked,
        "calls": calls.attacked,
        "studies": studies.attacked,
        "windows": windows.attacked,
        "commands": commands.attacked,
        "runs": saved_runs.attacked,
        "meshes": meshes.attacked,
        "urdf": texts.urdf,
        "tables": texts.tables,
        "settings": texts.settings,
    }[kind]


def serve(kind: str, cases: int, seed: int, first: int) -> None:
    """One line per case, from the first on, and one for every kernel that was compiled meanwhile."""
    from tests.attack.clock import on_compiled

    on_compiled(lambda: _say(COMPILED))
    with tempfile.TemporaryDirectory() as folder:
        for case in target(kind)(cases, seed, Path(folder), first=first):
            _say(json.dumps([case.name, case.verdict, case.seconds]))


def _say(line: str) -> None:
    """In one piece: another thread may compile."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def attacked(kind: str, cases: int, seed: int) -> Iterator[Case]:
    """All cases of a kind; a process that ends or hangs is replaced by one that begins behind the case."""
    done = 0
    while done < cases:
        words = [sys.executable, "-m", "tests.attack", "--serve", kind, str(cases), str(seed), str(done)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_read, args=(process, lines), daemon=True).start()
        try:
            while done < cases:
                line = _answer(process.pid, lines)
                if line is None:
                    process.kill()
                    yield Case(f"{seed} {done} {kind}", "hang", MAX_WAIT)
                    done += 1
                    break
                if not line:
                    told = process.stderr.read()[-300:] if process.stderr else ""
                    yield Case(f"{seed} {done} {kind}", f"crash {process.wait()} {told}", 0.0)
                    done += 1
                    break
                yield Case(*json.loads(line))
                done += 1
        finally:
            process.kill()
            process.wait()


def _answer(pid: int, lines: "queue.Queue[str]") -> str | None:
    """The next case of a process; None for a hang. Who compiles or waits for a processor does not hang."""
    begin, computed = time.monotonic(), _computed(pid)
    while time.monotonic() - begin < MAX_SILENCE:
        try:
            line = lines.get(timeout=1.0)
        except queue.Empty:
            if _computed(pid) - computed > MAX_WAIT:
                return None
            continue
        if line.strip() != COMPILED:
            return line
        begin, computed = time.monotonic(), _computed(pid)
    return None


def _computed(pid: int) -> float:
    """Seconds that a process has computed; the clock where the system does not tell."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")


def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack")
    parser.add_argument("what", nargs="?", choices=("files", "kills", "use"), default="files")
    parser.add_argument("--actions", type=int, default=10_000, help="of `use`")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=50, help="of `kills`")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=SHARES | BY_NAME)
    parser.add_argument("--serve", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        kind, *numbers = options.serve
        serve(kind, *map(int, numbers))
        return 0
    if options.work:
        from tests.attack import kills

        kills.work(options.work[0], Path(options.work[1]))
    if options.what == "kills":
        from tests.attack import kills

        return kills.main(options.count, options.seed)
    if options.what == "use":
        from tests.attack import use

        return use.main(options.actions, options.seed)
    shares = {options.only: 1} if options.only else SHARES
    bad = 0
    for kind, share in shares.items():
        cases = max(1, options.cases * share // sum(shares.values()))
        found, stopped = _counted(kind, cases, options.seed)
        bad += found
        if stopped:
            return 130
    return 1 if bad else 0


def _counted(kind: str, cases: int, seed: int) -> tuple[int, bool]:
    """How many cases of a kind were bad, told as they come; whether Ctrl-C has ended it, with what it had."""
    counts: Counter[str] = Counter()
    seconds, bad, stopped = [0.0], 0, False
    try:
        for case in attacked(kind, cases, seed):
            counts[case.verdict.split(":")[0].split(" ")[0]] += 1
            seconds.append(case.seconds)
            if not case.is_good:
                bad += 1
                _say(f"{kind}: {case.name}: {case.verdict}")
    except KeyboardInterrupt:
        stopped = True
    spent = f"{sum(seconds):.0f} s of processor time, slowest {max(seconds):.2f} s"
    _say(f"{kind}: {dict(counts)}, {spent}{', stopped' * stopped}")
    return bad, stopped


if __name__ == "__main__":
    sys.exit(main())
