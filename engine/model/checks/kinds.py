"""What each kind knows to be wrong with elements of its own; the registries are walked, none is named."""

from collections.abc import Iterator
from dataclasses import replace

from engine.errors import Problem
from engine.model.checks.context import Context
from engine.model.scene import KINDS, kind_of


def check(context: Context) -> Iterator[Problem]:
    for where in KINDS:
        for path, item in context.items(where):
            for problem in kind_of(item).check(item, context):
                yield replace(problem, path=f"{path}.{problem.path}")
