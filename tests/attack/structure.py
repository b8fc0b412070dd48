"""What a JSON file says, changed at random: other values, names, elements more or less."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

NUMBERS: tuple[Any, ...] = (0, -1, 1e-300, 1e300, 1e12, -1e-9, 3.7, float("nan"), float("inf"), 10**40)
TEXTS = (
    "",
    "world",
    "x",
    "t",
    "sqrt(t)",
    "1/t",
    "1/(t-0.01)",
    "(" * 50,
    "nan",
    "A B",
    "\ud800",
    "q" * 5000,
    "2 m",
    "L1*L1",
)
OTHERS: tuple[Any, ...] = (None, True, [], {}, [1, 2], [0, 0, 0], {"a": 1})


def changed(text: str, rng: random.Random) -> str:
    """One to three changes of the content of a JSON text."""
    content = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(content, rng)
    return json.dumps(content)


def detuned(text: str, rng: random.Random) -> str:
    """One to four numbers larger, smaller or turned round: mostly still a mechanism, and it runs."""
    content = json.loads(text)
    numbers = [(holder, key) for holder, key in places(content) if type(holder[key]) is float]
    for holder, key in rng.sample(numbers, min(len(numbers), rng.choice((1, 1, 2, 4)))):
        holder[key] *= rng.choice(
            (-1.0, 0.0, 1 + 1e-9, 1.1, 0.9, 10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-9, 9))
        )
    return json.dumps(content)


def _change(content: Any, rng: random.Random) -> None:
    found = list(places(content))
    if not found:
        return
    holder, key = rng.choice(found)
    value, kind = holder[key], rng.random()
    if isinstance(value, list) and value and kind < 0.4:
        item = copy.deepcopy(rng.choice(value))
        rng.choice(
            (lambda: value.append(item), lambda: value.remove(rng.choice(value)), lambda: rng.shuffle(value))
        )()
    elif isinstance(value, int | float) and not isinstance(value, bool) and kind < 0.8:
        holder[key] = rng.choice((*NUMBERS, value * rng.uniform(-2.0, 2.0), value * (1.0 + 1e-6), str(value)))
    elif isinstance(value, str) and kind < 0.8:
        others = [other[name] for other, name in found if isinstance(other[name], str)]
        holder[key] = rng.choice((*TEXTS, *rng.sample(others, min(8, len(others)))))
    elif kind < 0.9:
        holder[key] = copy.deepcopy(rng.choice((*NUMBERS, *TEXTS, *OTHERS)))
    elif isinstance(holder, dict):
        del holder[key]
    else:
        holder.insert(key, copy.deepcopy(value))


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder and key or index below a node."""
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from places(node[key])
