"""What a selection is made of: an element of the scene, or a part of one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ref:
    """An element by its list and name ("bodies", "crank"); `part` names a point or row of it."""

    where: str
    name: str
    part: str = ""
