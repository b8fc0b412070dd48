"""Every example as a compiled mechanism: the two spaces, and frame A on a moving body or on the world."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.elements.drivers import MOTIONS
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.model.files.scene_file import load_scene
from engine.model.scene import Scene
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from tests.contract import examples
from tests.contract.examples import Example
from tests.paths import ROOT

NAME = "element"  # of the element under test
REGISTRIES: dict[str, Any] = {"joint": JOINTS, "force": FORCES, "motion": MOTIONS}
EXAMPLES = {"joint": examples.JOINTS, "force": examples.FORCES, "motion": examples.MOTIONS}
SCENES = tuple(sorted(path.stem for path in (ROOT / "scenes").glob("*.json")))


@dataclass(frozen=True, eq=False)
class Case:
    """One example in one space."""

    sort: str  # joint, force or motion
    kind: str
    number: int  # of the example
    space: str
    ground: bool  # frame A, or that of the first supporting joint, is on the world

    @property
    def example(self) -> Example:
        return EXAMPLES[self.sort][self.kind][self.number]

    @property
    def id(self) -> str:
        return f"{self.kind}{self.number or ''}-{self.space}{'-ground' if self.ground else ''}"

    @property
    def closed(self) -> bool:
        """Whether it acts between moving bodies only."""
        return not self.ground and not self.example.absolute and (self.anchored or bool(self.example.support))

    @property
    def anchored(self) -> bool:
        """Whether the element itself joins two frames."""
        return {"a", "b"} <= set(REGISTRIES[self.sort][self.kind].spec.__struct_fields__)

    def scene(self, *, gravity: bool = False) -> Scene:
        """The scene of the example; gravity off unless asked for."""
        planar = self.space == "planar"
        down = examples.GRAVITY[self.space] if gravity else [0.0] * (2 if planar else 3)
        scene = Scene(space=self.space, gravity=tuple(down))  # type: ignore[arg-type]
        bodies = examples.PLANAR_BODIES if planar else examples.BODIES
        used = ["two"] if self.ground else ["one", "two"]
        for name in [*used, "three"] if len(self.example.support) > 1 else used:
            scene = scene.with_body(name, **bodies[name])
        chain = ("world" if self.ground else "one", "two", "three")
        for i, kind in enumerate(self.example.support):
            fields: dict[str, Any] = {"pitch": 0.27} if kind == "screw" else {}
            anchors = _anchors(self.space, kind, chain[i], chain[i + 1])
            if kind == "rolling":
                fields = {"radius": 0.37, "can_slip": True}
                anchors["b"] |= {} if planar else {"axis": [0.9, 0.2, 0.3]}
            scene = scene.with_joint(kind, f"H{i}", **fields, **anchors)
        given: Mapping[str, Any] | None = self.example.planar if planar else self.example.spatial
        assert given is not None
        fields = _anchors(self.space, self.kind, chain[0], "two") if self.anchored else {}
        for key, value in given.items():
            fields[key] = {**fields[key], **value} if key in ("a", "b") else value
        return getattr(scene, f"with_{self.sort}")(self.kind, NAME, **fields)  # type: ignore[no-any-return]

    @property
    def evaluator(self) -> Evaluator:
        return _evaluator(self, False)

    @property
    def heavy(self) -> Evaluator:
        """The same with gravity."""
        return _evaluator(self, True)

    @property
    def mechanism(self) -> Mechanism:
        return self.evaluator.mechanism


def _anchors(space: str, kind: str, a: str, b: str) -> dict[str, Any]:
    if space == "planar":
        in_plane = kind in JOINTS and JOINTS[kind].planar_axis_is_x
        turn = {"axis": examples.PLANAR_AXIS} if in_plane else {"reference": examples.PLANAR_REFERENCE}
        frame = {"body": a, "point": examples.POINT_A[:2], **turn}
        return {"a": frame, "b": {"body": b, "point": examples.POINT_B[:2]}}
    frame = {"body": a, "point": examples.POINT_A, "axis": examples.AXIS, "reference": examples.REFERENCE}
    return {"a": frame, "b": {"body": b, "point": examples.POINT_B}}


def quick(mechanism: Mechanism) -> Evaluator:
    """An evaluator with tangents."""
    return Evaluator(mechanism, tangents=True)


@cache
def _evaluator(case: Case, gravity: bool) -> Evaluator:
    return quick(compile_scene(case.scene(gravity=gravity)))


@cache
def shipped(name: str) -> Evaluator:
    """A scene of the folder `scenes`."""
    path = ROOT / "scenes" / f"{name}.json"
    return quick(compile_scene(load_scene(path)))


def _all() -> Iterator[Case]:
    for sort, registry in REGISTRIES.items():
        for kind in registry:
            for number, example in enumerate(EXAMPLES[sort].get(kind.name, ())):
                for space in ("spatial", "planar"):
                    if getattr(example, space) is None:
                        continue
                    free, grounded = (
                        Case(sort, kind.name, number, space, ground) for ground in (False, True)
                    )
                    if not example.grounded:
                        yield free
                    if example.grounded or example.support or free.anchored:
                        yield grounded


CASES = tuple(_all())
JOINT_CASES = tuple(case for case in CASES if case.sort == "joint")
FORCE_CASES = tuple(case for case in CASES if case.sort == "force")
MOTION_CASES = tuple(case for case in CASES if case.sort == "motion")
ROW_CASES = JOINT_CASES + MOTION_CASES
