"""Speeds of slip at a place of contact, along two directions across the normal: velocity level only.

The same entries as those of the gap (`contact.py`), with the other directions of the frame of contact.
"""

from engine.elements.primitives.base import PrimitiveKind
from engine.elements.primitives.contact import REALS, evaluate, tangent

KIND = PrimitiveKind("slip", evaluate, tangent, integers=1, reals=REALS, velocity_level=True)
