"""A method that is written wrongly is told so by name, and nothing crashes."""

import json
import subprocess
import sys

from tests.contract.prototypes.mistakes import MISTAKES
from tests.paths import ROOT

# what the message of each mistake must contain
TOLD = {
    "missing tangents": ("MISSING_FUNCTION", "'mistaken'", "calls tangents", "tangents=True"),
    "missing rate": ("MISSING_FUNCTION", "'mistaken'", "calls rate"),
    "strange status": ("UNKNOWN_STATUS", "'mistaken'", "returns 99 from step"),
    "status of the loop": ("UNKNOWN_STATUS", "'mistaken'", "returns 1 from step"),
    "beyond the state": ("OUT_OF_BOUNDS", "'mistaken'", "outside its state of 11 numbers"),
    "beyond the vectors": ("OUT_OF_BOUNDS", "'mistaken'", "outside work.scratch (1 × 3 numbers)"),
    "report beyond the sample": ("'mistaken'", "outside its sample of 17 numbers"),
    "undeclared matrix": ("'mistaken'", "undeclared_matrix uses work.dense", "matrices in its room"),
    "undeclared tangents": ("'mistaken'", "_damped uses work.damping", "tangents=True"),
    "undeclared vectors": ("'mistaken'", "leapfrog.step uses work.scratch", "vectors in its room"),
    "wrong rank": ("'mistaken'", "wrong_rank does not fit its place", "setitem"),
    "wrong arguments": ("'mistaken'", "wrong_arguments does not fit its place", "takes 3 arguments"),
    "no status": ("'mistaken'", "no_status does not fit its place", "none to int64"),
    "slot of the step control": ("'mistaken'", "option 'size' has slot 16", "slots are 0 to 15"),
    "slot of the run": ("'mistaken'", "option 'size' has slot 24", "slots are 0 to 23"),
    "slot taken": ("'mistaken'", "option 'other' has slot 0, which option 'size' has already"),
    "preset without option": ("'mistaken'", "preset 'large' sets 'sise'"),
    "too many kinds": ("'law 32' is number 33", "32 places"),
    "kind without place": ("kind 32 of 'force' has no place", "raise KINDS"),
    "place that is none": ("no place 'leap'", "tangents"),
    "primitive without a line": ("Misspelt needs the primitive 'distanse'", "did you mean 'distance'?"),
    "primitive with few reals": ("Short gives 3 reals to the primitive 'distance'", "it reads 6"),
    "law with few reals": ("a force gives 2 reals to the force law 'line'", "it reads 5"),
    "law with many integers": ("a force gives 2 integers to the force law 'line'", "it reads 1"),
    "law without a line": ("a force needs the force law 'lien'", "did you mean 'line'?"),
    "array of another rank": ("Work.row has 1 extents", "says 2"),
    "array of other numbers": ("Work.counters holds float64", "int64"),
    "works not at the end": ("Unfinished is (q, v, works, a)", "ends with the work integrals"),
    "part without length": ("Unmeasured.a does not say how long it is",),
}


def test_every_mistake_ends_in_a_message() -> None:
    """In a process of its own: a crash fails the test, and does not end the suite."""
    command = [sys.executable, "-c", "from tests.contract.prototypes.mistakes import main; main()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    crashed = [name for name in MISTAKES if name not in told]
    assert done.returncode == 0, f"ended at {crashed[:1]} with {done.returncode}: {done.stderr[-2000:]}"
    assert set(TOLD) == set(told)
    missing = {
        name: told[name] for name, words in TOLD.items() if not all(word in told[name] for word in words)
    }
    assert not missing
