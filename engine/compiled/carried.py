"""What a method records of its own: numbers that stand in its samples behind what all methods write."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Carried:
    """Numbers of one sort; the method's `report` writes them in the order of their declaration."""

    name: str  # by which channels find them
    per: Literal["velocity", "row"]  # of which there is one each
