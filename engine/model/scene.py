"""The scene: what the user wrote, frozen."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union

import msgspec
from msgspec import Meta

from engine.arguments import of_kind
from engine.elements.base import Element, Number, Part, Vec
from engine.elements.bodies.body import Body
from engine.elements.bodies.traces import Trace
from engine.elements.drivers import MOTIONS
from engine.elements.drivers.base import MotionSpec
from engine.elements.fields import expression, fields_of, number, text, vec
from engine.elements.forces import FORCES
from engine.elements.forces.base import ForceSpec
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointSpec
from engine.elements.measures import MEASURES
from engine.elements.measures.base import MeasureSpec
from engine.errors import Problem, SceneError, shorten
from engine.html_table import html_facts
from engine.model.decode import BROKEN, decode, plain
from engine.model.races import Race
from engine.registry import Registry
from engine.spelling import did_you_mean

if TYPE_CHECKING:
    AnyJoint = JointSpec
    AnyForce = ForceSpec
    AnyMotion = MotionSpec
    AnyMeasure = MeasureSpec
else:
    AnyJoint, AnyForce, AnyMotion, AnyMeasure = (
        Union[tuple(kind.spec for kind in kinds)]  # noqa: UP007
        for kinds in (JOINTS, FORCES, MOTIONS, MEASURES)
    )

FORMAT = "trammel-scene"
VERSION = 1
GRAVITY = 9.81  # m/s²
UPS = ("x", "y", "z", "-x", "-y", "-z")
DOWN = {"planar": (0.0, -GRAVITY, 0.0), "spatial": (0.0, 0.0, -GRAVITY)}


class Parameter(Part, frozen=True, kw_only=True):
    """A named number for expressions."""

    name: Annotated[str, text("Name")]
    value: Annotated[Number, number("Value", "", "may use other parameters")]
    unit: Annotated[str, text("Unit")] = ""
    min: Annotated[Number | None, number("Smallest value")] = None
    max: Annotated[Number | None, number("Largest value")] = None
    note: Annotated[str, text("Note")] = ""


class Group(Part, frozen=True, kw_only=True):
    """A named set of elements."""

    name: Annotated[str, text("Name")]
    members: Annotated[tuple[str, ...], text("Members", 'such as "bodies.crank"')] = ()
    note: Annotated[str, text("Note")] = ""


class Simulation(Part, frozen=True, kw_only=True):
    """How the scene is run unless told otherwise."""

    method: Annotated[
        str, text("Method", "formulation/scheme/stabilisation, a scheme, or a direct method")
    ] = "rk4"
    options: Annotated[dict[str, Number], number("Options", "", "the method's numbers by name")] = (
        msgspec.field(default_factory=dict)
    )
    dt: Annotated[Number, number("Step", "s", gt=0.0)] = 0.001
    duration: Annotated[Number, number("Duration", "s", gt=0.0)] = 10.0
    speed: Annotated[Number, number("Playback speed", "", gt=0.0)] = 1.0
    stop_when: Annotated[tuple[str, ...], expression("Stop when", "", "expressions that cross zero")] = ()
    sample_every: Annotated[int, Meta(ge=1), text("Sample every", "steps between two samples")] = 1
    matrices: Annotated[
        Literal["cheapest", "dense", "sparse"],
        text("Matrices", "how they are stored and factored; cheapest: by a measured cost model"),
    ] = "cheapest"
    ordering: Annotated[
        Literal[
            "automatic",
            "approximate_minimum_degree",
            "metis_dissection",
            "minimum_degree",
            "natural",
            "nested_dissection",
            "reverse_cuthill_mckee",
        ],
        text("Ordering", "in which their unknowns are eliminated"),
    ] = "automatic"


class Scene(Part, frozen=True, kw_only=True):
    """A mechanism and how to run it. Calls such as `scene.with_body("crank", mass=1)` give a new scene."""

    format: Annotated[Literal["trammel-scene"], text("Format")] = "trammel-scene"
    version: Annotated[Literal[1], text("Version")] = 1
    title: Annotated[str, text("Title")] = ""
    description: Annotated[str, text("Description")] = ""
    category: Annotated[str, text("Category", "where the welcome page shows it")] = ""
    source: Annotated[str, text("Source")] = ""
    author: Annotated[str, text("Author")] = ""
    notes: Annotated[str, text("Notes")] = ""
    space: Annotated[Literal["spatial", "planar"], text("Space")] = "spatial"
    gravity: Annotated[
        Vec | None, vec("Gravity", "m/s²", "null: 9.81 along -y planar, -z spatial", frame="plane")
    ] = None
    up: Annotated[
        Literal["", "x", "y", "z", "-x", "-y", "-z"], text("Up", "of the viewport; empty: against gravity")
    ] = ""
    parameters: Annotated[tuple[Parameter, ...], text("Parameters")] = ()
    bodies: Annotated[tuple[Body, ...], text("Bodies")] = ()
    joints: Annotated[tuple[AnyJoint, ...], text("Joints")] = ()
    forces: Annotated[tuple[AnyForce, ...], text("Forces")] = ()
    motions: Annotated[tuple[AnyMotion, ...], text("Motions")] = ()
    traces: Annotated[tuple[Trace, ...], text("Traces")] = ()
    measures: Annotated[tuple[AnyMeasure, ...], text("Measures")] = ()
    groups: Annotated[tuple[Group, ...], text("Groups")] = ()
    simulation: Annotated[Simulation, text("Simulation")] = Simulation()
    races: Annotated[tuple[Race, ...], text("Races", "several methods in step with one clock")] = ()
    view: Annotated[dict[str, Any], text("View", "kept, never interpreted")] = msgspec.field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        """Fields may be given as in the file, `Scene(gravity=[0, 0, -1.62])`; raises SceneError."""
        for name, is_read in _READ.items():
            value = getattr(self, name)
            if not is_read(value):
                wanted = {field.name: field.type for field in fields_of(Scene)}[name]
                msgspec.structs.force_setattr(self, name, _built(wanted, plain(value, name), name))

    def __repr__(self) -> str:
        lengths = {where: len(getattr(self, where)) for where in LISTS}
        counts = [f"{count} {noun_of(where, count)}" for where, count in lengths.items() if count]
        return f"<Scene {self.title!r} ({self.space}): {', '.join(counts) or 'empty'}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: what the scene is made of."""
        names = {where: ", ".join(item.name for item in getattr(self, where)) for where in LISTS}
        facts = {where: text for where, text in names.items() if text}
        method = {"method": self.simulation.method, "step [s]": self.simulation.dt}
        return html_facts(self.title or "scene", {"space": self.space, **facts, **method}, self.description)

    def body(self, name: str) -> Body:
        return _named(self.bodies, "body", name)

    def joint(self, name: str) -> JointSpec:
        return _named(self.joints, "joint", name)

    def force(self, name: str) -> ForceSpec:
        return _named(self.forces, "force", name)

    def motion(self, name: str) -> MotionSpec:
        return _named(self.motions, "motion", name)

    def trace(self, name: str) -> Trace:
        return _named(self.traces, "trace", name)

    def measure(self, name: str) -> MeasureSpec:
        return _named(self.measures, "measure", name)

    def parameter(self, name: str) -> Parameter:
        return _named(self.parameters, "parameter", name)

    def add(self, *items: Element | Parameter | Group) -> "Scene":
        """The scene with these elements at the end of their lists."""
        scene = self
        for item in items:
            where = list_of(item)
            checked = _built(type(item), plain(item), f'{where} "{item.name}"')
            scene = msgspec.structs.replace(scene, **{where: (*getattr(scene, where), checked)})
        return scene

    def replace(self, item: Element | Parameter | Group, name: str = "") -> "Scene":
        """The scene with the item in place of the one called `name` (its own name unless told)."""
        where = list_of(item)
        old = _named(getattr(self, where), where, name or item.name)
        items = tuple(item if other is old else other for other in getattr(self, where))
        return msgspec.structs.replace(self, **{where: items})

    def remove(self, where: str, name: str) -> "Scene":
        """The scene without one item of a list: `remove("joints", "J1")`."""
        if not isinstance(where, str) or where not in LISTS:
            raise KeyError(f"a scene has no list {shorten(where)!r} (known: {', '.join(LISTS)})")
        old = _named(getattr(self, where), where, name)
        items = tuple(other for other in getattr(self, where) if other is not old)
        return msgspec.structs.replace(self, **{where: items})

    def with_parameter(self, name: str, value: Number, **fields: Any) -> "Scene":
        """The scene with one more number for expressions: `with_parameter("r", 0.05, unit="m")`."""
        return self._with("parameters", Parameter, name, {"value": value, **fields})

    def with_body(self, name: str, **fields: Any) -> "Scene":
        """The scene with one more body: `with_body("crank", mass=1, inertia=[0.01], com=["r/2", 0])`."""
        return self._with("bodies", Body, name, fields)

    def with_joint(self, kind: str, name: str, **fields: Any) -> "Scene":
        """The scene with one more joint: `with_joint("revolute", "A", a={"body": "frame"}, b=…)`."""
        return self._with("joints", JOINTS[kind].spec, name, fields)

    def with_force(self, kind: str, name: str, **fields: Any) -> "Scene":
        """The scene with one more force of a kind, as `trammel list forces` names them."""
        return self._with("forces", FORCES[kind].spec, name, fields)

    def with_motion(self, kind: str, name: str, **fields: Any) -> "Scene":
        """The scene with one more motion: `with_motion("joint_motion", "M", joint="A", function="t")`."""
        return self._with("motions", MOTIONS[kind].spec, name, fields)

    def with_trace(self, name: str, **fields: Any) -> "Scene":
        """The scene with the path of one more point: `with_trace("path", body="coupler", point="P")`."""
        return self._with("traces", Trace, name, fields)

    def with_measure(self, kind: str, name: str, **fields: Any) -> "Scene":
        """The scene with one more measure: a channel of its own."""
        return self._with("measures", MEASURES[kind].spec, name, fields)

    def with_group(self, name: str, **fields: Any) -> "Scene":
        """The scene with one more group: `with_group("stones", members=["bodies.one"])`."""
        return self._with("groups", Group, name, fields)

    def with_race(self, name: str, **fields: Any) -> "Scene":
        """The scene with one more race of methods."""
        return self._with("races", Race, name, fields)

    def with_simulation(self, **fields: Any) -> "Scene":
        """The scene with these simulation settings changed."""
        simulation = _built(
            Simulation, {**plain(self.simulation), **plain(fields, "simulation")}, "simulation"
        )
        return msgspec.structs.replace(self, simulation=simulation)

    def _with(self, where: str, spec: type[Any], name: str, fields: dict[str, Any]) -> "Scene":
        path = f'{where} "{shorten(name)}"'
        data = plain({"name": name, **fields}, path)
        if spec.__struct_config__.tag is not None:
            data[spec.__struct_config__.tag_field] = spec.__struct_config__.tag
        item = _built(spec, data, path)
        return msgspec.structs.replace(self, **{where: (*getattr(self, where), item)})


LISTS: dict[str, type[Any]] = {
    "parameters": Parameter,
    "bodies": Body,
    "joints": JointSpec,
    "forces": ForceSpec,
    "motions": MotionSpec,
    "traces": Trace,
    "measures": MeasureSpec,
    "groups": Group,
}
KINDS: dict[str, Registry[Any]] = {
    "joints": JOINTS,
    "forces": FORCES,
    "motions": MOTIONS,
    "measures": MEASURES,
}


def noun_of(where: str, count: int = 1) -> str:
    """What so many elements of a list are called: `bodies` → body."""
    if count != 1:
        return where
    return "body" if where == "bodies" else where.removesuffix("s")


Item = TypeVar("Item", bound=Element | Parameter | Group)


def refuse_other(call: str, scene: Any) -> Scene:
    """The scene; raises TypeError for anything else."""
    return of_kind(call, scene, Scene, "load_scene(path) reads one from a file")


def list_of(item: Element | Parameter | Group) -> str:
    """The list of the scene in which an item stands."""
    for where, base in LISTS.items():
        if isinstance(item, base):
            return where
    raise TypeError(f"{shorten(item)} is no element of a scene; give a body, a joint, a force …")


def kind_of(item: Any) -> Any:
    """The kind of a joint, force, motion or measure; None for what has none."""
    kinds = KINDS.get(list_of(item))
    return None if kinds is None else kinds[str(item.__struct_config__.tag)]


def _named(items: tuple[Item, ...], what: str, name: str) -> Item:
    for item in items:
        if isinstance(name, str) and item.name == name:
            return item
    known = tuple(item.name for item in items)
    raise KeyError(
        f"no {what} {shorten(name)!r}{did_you_mean(name, known)} (known: {', '.join(known) or 'none'})"
    )


def _is_tuple(value: Any) -> bool:
    return type(value) is tuple and not (value and isinstance(value[0], dict))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


# how fields look once they are read; what was given otherwise is read as from a file
_READ: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("title", "description", "category", "source", "author", "notes"), _is_text),
    "space": lambda value: isinstance(value, str) and value in DOWN,
    "gravity": lambda value: value is None or type(value) is tuple,
    "up": lambda value: isinstance(value, str) and value in ("", *UPS),
    "simulation": lambda value: isinstance(value, Simulation),
    **dict.fromkeys((*LISTS, "races"), _is_tuple),
}


def _built(spec: Any, data: Any, path: str) -> Any:
    problems: list[Problem] = []
    item = decode(spec, data, path, problems)
    if item is BROKEN:
        raise SceneError(problems)
    return item
