"""What computed a run, in words: methods with their spans, and what differs from the scene as it is now."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.document import difference
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import RecordedSegment
from engine.solvers.catalogue import find_method

ELEMENTS = ("bodies", "joints", "forces", "motions")  # what makes a run another one
MAX_NAMES = 4  # of elements that differ


def differences(mine: Scene, now: Scene) -> list[str]:
    """What distinguishes a scene from the one as it is now: method, step, options, parameters, elements."""
    found = _other_pieces(mine.simulation.method, now.simulation.method)
    for word in ("dt", "options"):
        value, other = getattr(mine.simulation, word), getattr(now.simulation, word)
        if value != other:
            shown = value if not isinstance(value, dict) else ", ".join(f"{k}={v}" for k, v in value.items())
            found.append(f"{word} {shown or 'default'}")
    theirs = {parameter.name: parameter.value for parameter in now.parameters}
    found += [
        f"{parameter.name} = {parameter.value}"
        for parameter in mine.parameters
        if theirs.get(parameter.name) != parameter.value
    ]
    change = difference(mine, now)
    changed = {ref.name for ref in (*change.added, *change.removed, *change.changed) if ref.where in ELEMENTS}
    others = sorted(changed)
    return [*found, *others[:MAX_NAMES], *(["…"] if len(others) > MAX_NAMES else [])]


def _other_pieces(mine: str, now: str) -> list[str]:
    """What a method has that another has not: rk4 instead of euler, projection where there is none."""
    try:
        own, other = find_method(mine), find_method(now)
    except SceneError:
        return [mine] if mine != now else []
    if own is other:
        return []
    if not (own.pieces and other.pieces):
        return [own.short_name]
    return [piece for piece, theirs in zip(own.pieces, other.pieces, strict=True) if piece != theirs]


def with_spans(parts: Sequence[tuple[RecordedSegment, str]], *, going: bool = False) -> str:
    """What each part has, once for those in a row that agree; with their spans where there are several.

    The last part of a run that is `going` has no end yet.
    """
    told: list[tuple[float, float, str]] = []
    for segment, text in parts:
        recorder = segment.recorder
        begin, end = (recorder.t_first, recorder.t_last) if recorder.count else (0.0, 0.0)
        if told and told[-1][2] == text:
            told[-1] = (told[-1][0], end, text)
        else:
            told.append((begin, end, text))
    if len(told) < 2:
        return "".join(text for _, _, text in told)
    spans = [f"{begin:.3g} to {end:.3g} s" for begin, end, _ in told]
    if going:
        spans[-1] = f"from {told[-1][0]:.3g} s"
    return "; ".join(f"{span}: {text}" for span, (_, _, text) in zip(spans, told, strict=True))
