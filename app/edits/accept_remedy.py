"""Accepting what an analysis suggests: other joints, fewer elements, another start, all as one step."""

from __future__ import annotations

import msgspec

from app.document.document import Edit, Ref
from app.edits.elements.add_remove import remove
from app.edits.fields import set_start
from engine.analyses.answers.result import Suggestion
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.model.set_value import apply_edits


def accept(scene: Scene, suggestion: Suggestion) -> Edit:
    """The scene as the suggestion has it; raises SceneError when what it speaks of is no longer there."""
    wanted = [(where, item.name) for where, item in suggestion.replaced]
    wanted += [(mention.where, mention.name) for mention in suggestion.removed]
    for where, name in wanted:
        if all(item.name != name for item in getattr(scene, where)):
            raise SceneError(
                [Problem(f"{where}.{name}", None, f"{name!r} is no longer there", "run the analysis again")]
            )
    after = scene
    for where, new in suggestion.replaced:
        listed = tuple(new if item.name == new.name else item for item in getattr(after, where))
        after = msgspec.structs.replace(after, **{where: listed})
    if suggestion.removed:
        after = remove(after, [Ref(mention.where, mention.name) for mention in suggestion.removed]).after
    if suggestion.poses is not None:
        after = set_start(after, suggestion.poses).after
    after = apply_edits(after, suggestion.edits)
    return Edit(suggestion.title, after)
