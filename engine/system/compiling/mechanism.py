"""A compiled mechanism: the arrays, and what their rows are called."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.compiled.carried import Carried
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array, Ints, System
from engine.elements.coordinates.frames import Frame
from engine.maths.functions import Program
from engine.maths.step_reach import StepReach
from engine.model.scene import Scene

LAW_STATES = "states"  # integrals that are no work, by the names of their forces


@dataclass(frozen=True)
class RowInfo:
    """Which element a constraint row belongs to, and what it forbids."""

    owner: str  # "joint" or "motion"
    name: str
    label: str
    unit: str
    velocity: bool

    def __str__(self) -> str:
        return f"{self.name}: {self.label}"


@dataclass(frozen=True)
class Span:
    """Rows [begin, end) of a joint or motion."""

    begin: int
    end: int


@dataclass(frozen=True)
class Stepping:
    """What channels know of the method of a run."""

    carried: tuple[Carried, ...] = ()
    reach: StepReach | None = None  # None where no step is too long, or the method chooses its steps


@dataclass(frozen=True)
class Mechanism:
    """System arrays with names: what channels, reports and messages need. Nobody writes into it."""

    scene: Scene  # resolved
    system: System
    arenas: tuple[Ints, Array]  # the same arrays, as kernels take them
    bodies: tuple[str, ...]  # that move, in the order of the arrays
    com: Array  # per body: centre of mass in the body frame
    rows: tuple[RowInfo, ...]  # of joints and motions; `system.rows` has those that laws switch behind them
    joint_rows: Mapping[str, Span]
    motion_rows: Mapping[str, Span]
    joint_frames: Mapping[str, tuple[Frame, Frame]]
    coordinates: Mapping[tuple[str, str], int]  # (joint, coordinate) → coordinate function
    force_coordinates: Mapping[str, tuple[int, ...]]
    # ("forces", "motions" or "joints", name) → work integral; (LAW_STATES, name) → a number of its law
    quadratures: Mapping[tuple[str, str], int]
    programs: tuple[Program, ...]
    q: Array  # the given pose
    v: Array  # the given velocities
    solver: str
    no_tree: str = ""  # why it has no tree of joints; "" where it has one
    stepping: Stepping | None = None  # of the run that it was compiled for; None: as its scene says

    def __repr__(self) -> str:
        return f"<Mechanism of {self.scene.title!r}: {self.nv} velocities, {len(self.rows)} rows>"

    @property
    def nq(self) -> int:
        return int(self.system.sizes[SIZE.NQ])

    @property
    def nv(self) -> int:
        return int(self.system.sizes[SIZE.NV])

    @property
    def work_columns(self) -> list[int]:
        """Integrals that are work of elements, which dissipation by dampers is not."""
        return [column for (where, _), column in self.quadratures.items() if where != LAW_STATES]

    @property
    def solver_by_rows(self) -> bool:
        """Whether the linear solver's matrix has one line per constraint row (else one per velocity)."""
        return self.solver == "schur"

    @property
    def planar(self) -> bool:
        return self.scene.space == "planar"

    def body_of_velocity(self, index: int) -> str:
        """Name of the body that a velocity coordinate belongs to."""
        width = 3 if self.planar else 6
        return self.bodies[index // width]

    def next_knot(self, t: float) -> float:
        """The next instant at which a function of time has a corner; infinite when there is none."""
        return min((program.next_knot(t) for program in self.programs), default=math.inf)

    def same_structure(self, other: Mechanism) -> bool:
        """Whether the other differs in real numbers only, so that its arenas can take the place of ours."""
        mine, theirs = self.system, other.system
        return self.solver == other.solver and all(
            getattr(mine, name).shape == getattr(theirs, name).shape
            and (
                getattr(mine, name).dtype != np.int64
                or np.array_equal(getattr(mine, name), getattr(theirs, name))
            )
            for name in System._fields
        )
