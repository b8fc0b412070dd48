"""Accepting what an analysis offers: other joints, fewer elements, another start, all as one step."""

from __future__ import annotations

import msgspec

from app.document.document import Edit, Ref
from app.edits.elements.add_remove import remove
from app.edits.fields import set_start
from engine.analyses.result import Offer
from engine.errors import Problem, SceneError
from engine.model.scene import Scene


def accept(scene: Scene, offer: Offer) -> Edit:
    """The scene as the offer has it; raises SceneError when what it speaks of is no longer there."""
    wanted = [(where, item.name) for where, item in offer.replaced]
    wanted += [(mention.where, mention.name) for mention in offer.removed]
    for where, name in wanted:
        if all(item.name != name for item in getattr(scene, where)):
            raise SceneError(
                [Problem(f"{where}.{name}", None, f"{name!r} is no longer there", "run the analysis again")]
            )
    after = scene
    for where, new in offer.replaced:
        listed = tuple(new if item.name == new.name else item for item in getattr(after, where))
        after = msgspec.structs.replace(after, **{where: listed})
    if offer.removed:
        after = remove(after, [Ref(mention.where, mention.name) for mention in offer.removed]).after
    if offer.poses is not None:
        after = set_start(after, offer.poses).after
    return Edit(offer.title, after)
