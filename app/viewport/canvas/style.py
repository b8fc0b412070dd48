"""What is shown, and in which colours."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

DIM = 0.4  # darker colours than this would drown in a dark picture


@dataclass(frozen=True)
class Style:
    """What the user chose to see. `arrow_scale` stretches all arrows."""

    frames: bool = False
    com: bool = False
    ellipsoids: bool = False  # of inertia
    labels: bool = False
    joints: bool = True
    forces: bool = True
    grid: bool = True
    gradient: bool = True  # of the background; in software it is a third of a large picture's cost
    traces: bool = True
    arrows: bool = False  # reactions of joints
    velocities: bool = False  # of what is selected, else of all bodies
    accelerations: bool = False
    measures: bool = True  # as dimensions and arcs
    centres: bool = False  # instant centres of what is selected, else of all bodies
    ghosts: bool = True  # of the runs that were chosen for it
    dark: bool = False
    arrow_scale: float = 1.0
    accent: str = "#FF7A00"

    @property
    def any_arrows(self) -> bool:
        return self.arrows or self.velocities or self.accelerations


@dataclass(frozen=True)
class Look:
    """The colours of a theme."""

    sky: str  # background, top
    floor: str  # background, bottom
    grid: str
    grid_major: str
    ink: str  # dark parts of symbols
    metal: str  # bright parts of symbols
    ground: str
    fixed: str  # bodies that belong to the world
    text: str
    spring: str
    motor: str
    force: str
    edge: float  # edges are the surface's colour times this


LIGHT = Look(
    sky="#FBFCFE",
    floor="#DCE4EC",
    grid="#C3CDD8",
    grid_major="#9DABBB",
    ink="#2F3942",
    metal="#F4F6F8",
    ground="#7C8894",
    fixed="#9AA5B1",
    text="#20272E",
    spring="#5F6B77",
    motor="#B3267E",
    force="#D55E00",
    edge=0.62,
)
DARK = Look(
    sky="#333A43",
    floor="#171B20",
    grid="#3D4650",
    grid_major="#5A6673",
    ink="#11161B",
    metal="#DCE2E8",
    ground="#8C99A6",
    fixed="#7B8793",
    text="#E8EDF2",
    spring="#AEBBC7",
    motor="#F06EBB",
    force="#FF9A4D",
    edge=0.55,
)


def look(style: Style) -> Look:
    return DARK if style.dark else LIGHT


@lru_cache(maxsize=256)
def rgb(color: str) -> NDArray[np.float64]:
    """#rrggbb as three numbers from 0 to 1."""
    found = np.array([int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5)])
    found.flags.writeable = False
    return found


def lively(color: str, dark: bool) -> str:
    """A colour of the file as it is drawn: on a dark ground a little brighter."""
    if not dark:
        return color
    own = rgb(color)
    white = 0.16 if own.max() > DIM else 0.42
    mixed = (1.0 - white) * own + white
    return "#" + "".join(f"{round(255 * value):02X}" for value in mixed)
