"""The key of a run: equal for runs that must give the same numbers, different for all others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine.compiled.sources import hash_of_program
from engine.model.files.scene_file import dumps
from engine.results.files.formats.base import program
from engine.studies.variables.base import Value

if TYPE_CHECKING:
    from engine.studies.study import Study

LENGTH = 32  # hexadecimal digits: two runs of a billion share a key with a probability of 1e-21


@cache
def version() -> str:
    """What computes: the program, and the sources of its compiled code."""
    return f"{program()} {hash_of_program()}"


def run_keys(study: Study, points: Sequence[Sequence[Value]]) -> list[str]:
    """The key of each point: of scene (with its method), paths, values, objectives and version."""
    asked = [[o.name, o.expression, o.reduce, *([o.at] if o.at else [])] for o in study.objectives]
    common = json.dumps([dumps(study.scene), study.columns, asked, version()])
    start = hashlib.sha256(common.encode())
    keys = []
    for point in points:
        digest = start.copy()
        digest.update(json.dumps(list(point)).encode())
        keys.append(digest.hexdigest()[:LENGTH])
    return keys
