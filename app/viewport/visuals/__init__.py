"""Visuals by symbol: a kind of element names its symbol, a file here draws it."""

from collections.abc import Callable
from typing import Any

from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual
from app.viewport.visuals.couplings import belt, blade, gear, link, rack, road, wheel
from app.viewport.visuals.forces import (
    arrow,
    brake,
    bushing,
    coil,
    contact,
    cylinder_rod,
    motion,
    motor,
    rope,
    spiral,
    stop,
    turn,
)
from app.viewport.visuals.joints import (
    ball,
    cross,
    hinge,
    line,
    pin,
    plane,
    rod,
    screw,
    shaft,
    sleeve,
    slider,
    weld,
)
from app.viewport.visuals.marks import dot

Build = Callable[[Any, Stage], Visual]

SYMBOLS: dict[str, Build] = {
    "arrow": arrow.visual,  # keep sorted
    "ball": ball.visual,
    "belt": belt.visual,
    "blade": blade.visual,
    "brake": brake.visual,
    "bushing": bushing.visual,
    "coil": coil.visual,
    "contact": contact.visual,
    "cross": cross.visual,
    "cylinder_rod": cylinder_rod.visual,
    "gear": gear.visual,
    "hinge": hinge.visual,
    "line": line.visual,
    "link": link.visual,
    "motion": motion.visual,
    "motor": motor.visual,
    "pin": pin.visual,
    "plane": plane.visual,
    "rack": rack.visual,
    "road": road.visual,
    "rod": rod.visual,
    "rope": rope.visual,
    "screw": screw.visual,
    "shaft": shaft.visual,
    "sleeve": sleeve.visual,
    "slider": slider.visual,
    "spiral": spiral.visual,
    "stop": stop.visual,
    "turn": turn.visual,
    "weld": weld.visual,
    "wheel": wheel.visual,
}
DEFAULT: Build = dot.visual


def build(symbol: str, spec: Any, stage: Stage) -> Visual | None:
    """The visual of an element; None where the element is not complete enough to be drawn."""
    try:
        return SYMBOLS.get(symbol, DEFAULT)(spec, stage)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
