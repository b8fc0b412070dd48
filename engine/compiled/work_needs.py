"""What kernels take for granted: the work arrays they use, they and all kernels that they call.

An array that a method does not ask for is empty, and kernels do not look at their indices: using it would
read or overwrite what stands behind it. So the code of a method is looked through before it runs.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType
from typing import Any

from engine.compiled.layout import Work
from engine.errors import MethodError

# what an array is there for, as the records of methods ask for it
ASKED_BY = {
    "tangent": "tangents=True in its record",
    "stiffness": "tangents=True in its record",
    "damping": "tangents=True in its record",
    "factors": "factors in its room",
    "factor_pivots": "factors in its room",
    "dense": "matrices in its room",
    "pivots": "matrices in its room",
    "scratch": "vectors in its room",
    "stages": "stages in its record",
    "history": "history in its record",
    "newton": "implicit=True in its record",
    "newton_pivots": "implicit=True in its record",
}


@cache
def _attributes(function: Callable[..., Any]) -> frozenset[str]:
    """Names behind a dot in the code of one function."""
    names = set(ASKED_BY) & set(function.__code__.co_names)
    if not names:
        return frozenset()
    return frozenset(i.argval for i in dis.get_instructions(function) if i.opname == "LOAD_ATTR") & names


@cache
def _calls(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Kernels that the code of one function names, alone or behind the name of a module."""
    names = function.__code__.co_names
    found = [function.__globals__[name] for name in names if name in function.__globals__]
    for module in [value for value in found if isinstance(value, ModuleType)]:
        found += [getattr(module, name) for name in names if hasattr(module, name)]
    return tuple(kernel.py_func for kernel in found if hasattr(kernel, "py_func"))


def arrays_used(kernels: Iterable[Any]) -> dict[str, str]:
    """Work arrays that must be asked for and that these kernels use, with the name of a kernel that does."""
    todo, seen, found = [kernel.py_func for kernel in kernels], set(), dict[str, str]()
    while todo:
        function = todo.pop()
        if function not in seen:
            seen.add(function)
            todo += _calls(function)
            for name in _attributes(function):
                found.setdefault(name, f"{function.__module__}.{function.__name__}")
    return found


def check_needs(kernels: Iterable[Any], work: Work) -> None:
    """Raises MethodError for an array that these kernels use and that is empty."""
    for name, user in sorted(arrays_used(kernels).items()):
        if len(getattr(work, name)) == 0:
            raise MethodError(f"{user} uses work.{name}, which is empty; ask for {ASKED_BY[name]}")
