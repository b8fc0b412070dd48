"""The mechanisms of [Antón 2015, chapter 5] in its mixed coordinates: one file per sort, one line each."""

from engine.natural.mechanisms.bars import BRICARD_1, BRICARD_2, PENDULUM
from engine.natural.mechanisms.base import NaturalMechanism
from engine.natural.mechanisms.tether import TETHER
from engine.natural.mechanisms.vehicle import VEHICLE
from engine.registry import Registry

__all__ = ["NATURAL_MECHANISMS", "NaturalMechanism"]

NATURAL_MECHANISMS: Registry[NaturalMechanism] = Registry(
    "mechanism in natural coordinates", PENDULUM, TETHER, BRICARD_1, BRICARD_2, VEHICLE
)
