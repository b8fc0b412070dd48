"""Compile a scene into flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.compiled.arenas import pack as pack_arrays
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Array, Ints, System
from engine.elements.drivers import MOTIONS
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.laws import LAWS, ON_BODIES
from engine.elements.primitives import PRIMITIVES, combination
from engine.errors import MethodError
from engine.maths.functions import pack
from engine.model.resolve import parameter_values, resolve
from engine.model.scene import Scene
from engine.system.compiling.collect import Builder, Entry
from engine.system.compiling.frames import fault, masses
from engine.system.compiling.given_pose import characteristic_length, given_state, refuse_far_centres
from engine.system.compiling.mechanism import LAW_STATES, Mechanism, RowInfo, Span
from engine.system.compiling.ordering import row_order
from engine.system.compiling.tree import tree_of
from engine.system.compiling.velocity_layout import velocity_layout

SMALL_INERTIA = 1e-12  # share of the largest principal inertia below which an axis counts as massless


def compile_scene(scene: Scene) -> Mechanism:
    """Arrays and names of a scene; raises CompileError (a SceneError) when it is no mechanism."""
    parameters = parameter_values(scene)
    scene = resolve(scene)
    build = Builder(scene, parameters)
    rows = _Rows(build)
    for joint in scene.joints:
        rows.joint(joint)
    for motion in scene.motions:
        rows.motion(motion)
    coordinate_functions: dict[str, tuple[int, ...]] = {}
    works: dict[tuple[str, str], int] = {}
    build.permanent_rows, build.joint_rows = len(rows.info), rows.joints
    build.quadrature = 1  # the first integral is what dampers dissipate
    for force in scene.forces:
        begin, build.force = len(build.laws), force.name
        FORCES[str(force.__struct_config__.tag)].laws(force, build)
        coordinate_functions[force.name] = tuple(
            law.target for law in build.laws[begin:] if law.kind not in ON_BODIES
        )
        works["forces", force.name] = build.quadrature
        build.quadrature += 1
    for motion in scene.motions:
        span = rows.motions[motion.name]
        works["motions", motion.name] = build.quadrature
        for r in range(span.begin, span.end):
            rows.quadratures[r] = build.quadrature
        build.quadrature += 1
    for joint in scene.joints:  # a coupler that follows a function of time does work, too
        span = rows.joints[joint.name]
        moving = [r for r in range(span.begin, span.end) if rows.programs[r] >= 0]
        if moving:
            works["joints", joint.name] = build.quadrature
            for r in moving:
                rows.quadratures[r] = build.quadrature
            build.quadrature += 1
    for force in scene.forces:  # numbers of laws that follow differential equations, behind all works
        for law in build.laws:
            column = LAWS[law.kind].integral
            if column is not None and law.quadrature == works["forces", force.name]:
                law.integers[column - LAW.X] = build.quadrature
                for k in range(LAWS[law.kind].functions_of(law.line)):
                    works[LAW_STATES, f"{force.name} {k + 1}" if k else force.name] = build.quadrature
                    build.quadrature += 1
    for joint in scene.joints:  # coordinates are there for plots, also where nothing acts on them
        for name in JOINTS[str(joint.__struct_config__.tag)].coordinates_in(scene.space):
            build.coordinate(joint.name, name)

    system, arenas, q, v, solver, no_tree = _arrays(scene, build, rows)
    return Mechanism(
        scene=scene,
        system=system,
        arenas=arenas,
        bodies=tuple(body.name for body in scene.bodies if not body.fixed),
        com=np.array([build.frames.places[b.name].com for b in scene.bodies if not b.fixed]).reshape(-1, 3),
        rows=tuple(rows.info),
        joint_rows=rows.joints,
        motion_rows=rows.motions,
        joint_frames=build.joint_frames,
        coordinates=build.coordinates,
        force_coordinates=coordinate_functions,
        quadratures=works,
        programs=tuple(build.programs),
        q=q,
        v=v,
        solver=solver,
        no_tree=no_tree,
    )


class _Rows:
    """Constraint rows of joints and motions, in the order of the scene."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.info: list[RowInfo] = []
        self.coordinate_functions: list[int] = []
        self.velocity: list[bool] = []
        self.programs: list[int] = []
        self.targets: list[float] = []
        self.quadratures: list[int] = []
        self.joints: dict[str, Span] = {}
        self.motions: dict[str, Span] = {}

    def joint(self, joint: Any) -> None:
        kind = JOINTS[str(joint.__struct_config__.tag)]
        begin, self.build.joint = len(self.info), joint.name
        frames = self.build.joint_pair(joint) if kind.uses_anchors else (None, None)
        if kind.uses_anchors and frames[0] and frames[1] and frames[0].body == frames[1].body:
            message = f"joint {joint.name!r} joins two parts of the world, so it restrains nothing"
            raise fault(f"joints.{joint.name}", joint.name, message, "join at least one body that moves")
        for row in kind.rows_in(self.build.scene.space, joint):
            coordinate_function = self.build.coordinate_function(row.coordinate_function, *frames)
            target = self.build.at_pose(coordinate_function) if row.target is None else row.target
            self._add(
                RowInfo("joint", joint.name, row.label, row.unit, row.level == "velocity"),
                coordinate_function,
                target,
            )
        self.joints[joint.name] = Span(begin, len(self.info))

    def motion(self, motion: Any) -> None:
        begin = len(self.info)
        velocity = motion.level == "velocity"
        kind = MOTIONS[str(motion.__struct_config__.tag)]
        moved = kind.moves(motion)
        label = f"{moved.coordinate} follows its {'rate' if velocity else 'function'}"
        info = RowInfo("motion", motion.name, label, moved.unit + "/s" * velocity, velocity)
        self._add(info, kind.coordinate_function(motion, self.build), motion.function)
        self.motions[motion.name] = Span(begin, len(self.info))

    def _add(self, info: RowInfo, coordinate_function: int, target: Any) -> None:
        constant = isinstance(target, int | float)
        self.info.append(info)
        self.coordinate_functions.append(coordinate_function)
        self.velocity.append(info.velocity)
        self.targets.append(float(target) if constant else 0.0)
        self.programs.append(-1 if constant else self.build.program(target))
        self.quadratures.append(-1)


def _arrays(
    scene: Scene, build: Builder, rows: _Rows
) -> tuple[System, tuple[Ints, Array], Array, Array, str, str]:
    moving = [body for body in scene.bodies if not body.fixed]
    nb, planar = len(moving), int(build.planar)
    nq, nv = (3 * nb, 3 * nb) if planar else (7 * nb, 6 * nb)

    # bodies, the world last
    bodies = np.zeros((nb + 1, BODY.COLUMNS), np.int64)
    for b in range(nb):
        bodies[b] = (
            planar,
            b * (3 if planar else 7),
            b * (3 if planar else 6),
            3 if planar else 7,
            3 if planar else 6,
            1,
        )
    bodies[nb] = (planar, -1, -1, 0, 0, 0)
    body_reals, massless = _body_reals(scene)

    # primitives sorted by kind; coordinate functions keep their numbers
    in_forces = _acted_on(build)
    taking_part = _primitives(build, in_forces | _in_rows(build, rows))
    acting = _primitives(build, in_forces) + [e for e in taking_part if PRIMITIVES[e.kind].counts_turns]
    entries, ranges = _sorted(build.entries, PRIMITIVES.names, taking_part, acting)
    laws, law_ranges = _sorted(build.laws, LAWS.names, build.laws, build.laws)
    starts = pack(build.programs)

    entry_ints = np.zeros((len(entries), ENTRY.COLUMNS), np.int64)
    entry_reals = np.zeros((len(entries), ENTRY.REALS))
    coordinate_functions = np.zeros((build.coordinate_functions, COORDINATE.COLUMNS), np.int64)
    block_bodies: list[int] = []
    links: list[tuple[int, int]] = []
    link_reals: list[float] = []
    tables = _Tables(len(starts.data))
    for i, entry in enumerate(entries):
        first = len(block_bodies)
        entry_ints[i, : ENTRY.X] = (entry.a, entry.b, planar, entry.coordinate_function, entry.count, first)
        _check_columns("primitive", entry, ENTRY.COLUMNS - ENTRY.X, ENTRY.REALS)
        programs = [-1 if p < 0 else int(starts.starts[p]) for p in entry.programs]
        integers = [*entry.integers, *entry.sources, *programs]
        entry_ints[i, ENTRY.X : ENTRY.X + len(integers)] = integers
        entry_reals[i, : len(entry.reals)] = entry.reals
        if entry.table:
            entry_ints[i, -1] = tables.place(entry.table)
        if entry.terms:
            _link(entry, entry_ints[i], coordinate_functions, block_bodies, links, link_reals)
            continue
        for j in range(entry.count):
            coordinate_functions[entry.coordinate_function + j, : COORDINATE.PAIR] = (first + 2 * j, 2)
            block_bodies += [entry.a, entry.b]

    # constraint rows
    m = len(rows.info) + len(build.conditional_rows)
    row_ints = np.zeros((m, ROW.COLUMNS), np.int64)
    row_reals = np.zeros((m, ROW_REAL.COLUMNS))
    refuse_far_centres(build.frames, build.joint_frames)
    size = characteristic_length(scene, build.frames, build.joint_frames)
    for r, info in enumerate(rows.info):
        program = -1 if rows.programs[r] < 0 else int(starts.starts[rows.programs[r]])
        row_ints[r] = (rows.coordinate_functions[r], int(rows.velocity[r]), program, 1, rows.quadratures[r])
        row_reals[r] = (rows.targets[r], size if info.unit.startswith("m") else 1.0)
    for r, row in enumerate(build.conditional_rows, len(rows.info)):
        row_ints[r] = (row.coordinate_function, int(row.velocity), -1, 0, -1)
        row_reals[r] = (row.target, size if row.unit.startswith("m") else 1.0)

    # force laws
    forces = np.zeros((len(laws), LAW.COLUMNS), np.int64)
    force_reals = np.zeros((len(laws), LAW.REALS))
    for i, law in enumerate(laws):
        _check_columns("force law", law, LAW.COLUMNS - LAW.X, LAW.REALS)
        integers = list(law.integers)
        for k in range(LAWS[law.kind].first_program, len(integers)):
            integers[k] = -1 if integers[k] < 0 else int(starts.starts[integers[k]])
        forces[i, : LAW.X + len(integers)] = (law.target, law.quadrature, *integers)
        if law.table:
            forces[i, LAW.X + len(integers)] = tables.place(law.table)
        force_reals[i, : len(law.reals)] = law.reals

    solver = "augmented" if massless else "schur"
    blocks = np.array(block_bodies, np.int64)
    bodies[_coupled(row_ints, coordinate_functions, blocks, nb), BODY.LONE] = 0
    settings = scene.simulation
    over_rows = row_order(row_ints, coordinate_functions, blocks, nb, settings.matrices, settings.ordering)

    # joint coordinates that nothing needs, too: a method may take them as independent ones
    coupling = {e.coordinate_function + j for e in taking_part for j in range(e.count)}
    coupling.update(build.coordinates.values())
    over_velocities, products = velocity_layout(
        bodies, coordinate_functions, blocks, coupling, settings.matrices, settings.ordering
    )

    sizes = np.zeros(SIZE.COLUMNS, np.int64)
    sizes[SIZE.BODIES], sizes[SIZE.NQ], sizes[SIZE.NV], sizes[SIZE.ROWS], sizes[SIZE.COORDINATES] = (
        nb,
        nq,
        nv,
        m,
        build.coordinate_functions,
    )
    sizes[SIZE.FORCES], sizes[SIZE.QUADRATURES], sizes[SIZE.PRIMITIVES] = (
        len(laws),
        build.quadrature,
        len(PRIMITIVES),
    )
    sizes[SIZE.FACTOR_PRODUCTS] = products
    sizes[SIZE.VELOCITY_ROWS] = int(row_ints[:, ROW.VELOCITY].sum())
    sizes[SIZE.SWITCHES] = sum(LAWS[law.kind].switches for law in laws)
    sizes[SIZE.MASSLESS] = int(massless)
    sizes[SIZE.RANK] = sizes[SIZE.RANK_POSITION] = -1
    sizes[SIZE.MOTIONS] = int((row_ints[:, ROW.QUADRATURE] >= 0).sum())
    tracked = np.array([e.coordinate_function for e in entries if PRIMITIVES[e.kind].counts_turns], np.int64)

    tree = tree_of(scene, build, bodies, body_reals)
    system, ints, reals = pack_arrays(
        System,
        {
            "sizes": sizes,
            "bodies": bodies,
            "body_reals": body_reals,
            "entries": entry_ints,
            "entry_reals": entry_reals,
            "coordinate_functions": coordinate_functions,
            "block_bodies": blocks,
            "links": np.array(links, np.int64).reshape(-1, 2),
            "link_reals": np.array(link_reals, np.float64),
            "rows": row_ints,
            "row_reals": row_reals,
            "forces": forces,
            "force_reals": force_reals,
            "ranges": np.concatenate([ranges, law_ranges]),
            **over_rows,
            **over_velocities,
            "tracked": tracked,
            "coordinates": np.array(sorted(build.coordinates.values()), np.int64),
            "tree": tree.ints,
            "tree_reals": tree.reals,
            "code": starts.code,
            "data": np.concatenate([starts.data, tables.numbers]),
        },
        whole="params",
    )
    q, v = given_state(scene, build.frames)
    return system, (ints, reals), q, v, solver, tree.missing


class _Tables:
    """Numbers of elements that no fixed number of columns holds, behind those of the programs; each once."""

    def __init__(self, first: int) -> None:
        self._next, self._places = first, dict[tuple[float, ...], int]()

    def place(self, table: tuple[float, ...]) -> int:
        if table not in self._places:
            self._places[table] = self._next
            self._next += len(table)
        return self._places[table]

    @property
    def numbers(self) -> Array:
        return np.array([number for table in self._places for number in table], np.float64)


def _check_columns(sort: str, item: Any, integers: int, reals: int) -> None:
    """Raises MethodError for an element with more numbers of its own than its table has columns for them."""
    for word, given, columns in (("integers", item.integers, integers), ("reals", item.reals, reals)):
        if len(given) > columns:
            raise MethodError(
                f"{sort} {item.kind!r} has {len(given)} {word}; the table has {columns} for them"
            )


def _sorted(
    items: list[Any], kinds: Sequence[str], used: list[Any], acting: list[Any]
) -> tuple[list[Any], Ints]:
    """Items by kind in the order of the registry, the acting and the used ones first, and the ranges of every
    kind."""
    ordered: list[Any] = []
    ranges = np.zeros((len(kinds), SPAN.COLUMNS), np.int64)
    first, needed = {id(item) for item in acting}, {id(item) for item in used}
    by_kind = dict[str, list[Any]]()
    for item in items:
        by_kind.setdefault(item.kind, []).append(item)
    for k, kind in enumerate(kinds):
        own = by_kind.get(kind, [])
        ranges[k, SPAN.BEGIN] = len(ordered)
        ordered += [item for item in own if id(item) in first]
        ranges[k, SPAN.ACTING] = len(ordered)
        ordered += [item for item in own if id(item) in needed and id(item) not in first]
        ranges[k, SPAN.USED] = len(ordered)
        ordered += [item for item in own if id(item) not in needed]
        ranges[k, SPAN.END] = len(ordered)
    return ordered, ranges


def _in_rows(build: Builder, rows: _Rows) -> set[int]:
    """Coordinate functions of rows."""
    return {*rows.coordinate_functions, *(row.coordinate_function for row in build.conditional_rows)}


def _acted_on(build: Builder) -> set[int]:
    """Coordinate functions that laws act along."""
    return {
        law.target + k
        for law in build.laws
        if law.kind not in ON_BODIES
        for k in range(LAWS[law.kind].functions_of(law.line))
    }


def _primitives(build: Builder, needed: set[int]) -> list[Entry]:
    """Primitives that give these coordinate functions, or what they are made of."""
    made_of = {e.coordinate_function: (*(g for g, _ in e.terms), *e.sources) for e in build.entries}
    needed = needed | {g for function in needed for g in made_of.get(function, ())}
    return [
        e
        for e in build.entries
        if needed.intersection(range(e.coordinate_function, e.coordinate_function + e.count))
    ]


def _link(
    entry: Entry,
    ints: Ints,
    coordinate_functions: Ints,
    block_bodies: list[int],
    links: list[tuple[int, int]],
    reals: list[float],
) -> None:
    """Blocks of a combination: one per body that its terms touch."""
    first = len(block_bodies)
    sources = [
        (block, factor)
        for g, factor in entry.terms
        for block in (coordinate_functions[g, 0], coordinate_functions[g, 0] + 1)
    ]
    own: dict[int, int] = {}
    for block, _ in sources:
        own.setdefault(block_bodies[block], first + len(own))
    block_bodies += list(own)
    coordinate_functions[entry.coordinate_function, : COORDINATE.PAIR] = (first, len(own))
    ints[combination.COORDINATES_BEGIN] = len(links)
    for g, factor in entry.terms:
        links.append((0, g))
        reals.append(factor)
    ints[combination.COORDINATES_END] = ints[combination.BLOCKS_BEGIN] = len(links)
    for block, factor in sources:
        links.append((own[block_bodies[block]], int(block)))
        reals.append(factor)
    ints[combination.BLOCKS_END] = len(links)
    ints[combination.BLOCKS] = len(own)


def _body_reals(scene: Scene) -> tuple[Array, bool]:
    found = masses(scene)
    table = np.zeros((len(found) + 1, BODY_REAL.COLUMNS))
    massless = False
    for b, body in enumerate(found):
        table[b, BODY_REAL.MASS] = body.mass
        table[b, BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9] = body.inertia.ravel()
        table[b, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3] = scene.gravity
        if scene.space == "planar":
            regular = body.mass > 0.0 and body.inertia[2, 2] > 0.0
            inverse = np.diag([0.0, 0.0, 1.0 / body.inertia[2, 2]]) if regular else np.zeros((3, 3))
        else:
            principal = np.linalg.eigvalsh(body.inertia)
            regular = body.mass > 0.0 and principal[0] > SMALL_INERTIA * principal[2]
            inverse = np.linalg.inv(body.inertia) if regular else np.zeros((3, 3))
        massless |= not regular
        table[b, BODY_REAL.MASS_INV] = 1.0 / body.mass if body.mass > 0.0 else 0.0
        table[b, BODY_REAL.INERTIA_INV : BODY_REAL.INERTIA_INV + 9] = inverse.ravel()
    return table, massless


def _coupled(rows: Ints, coordinate_functions: Ints, block_bodies: Ints, world: int) -> list[int]:
    """Bodies that share a row with another body that moves."""
    found: set[int] = set()
    for first, count in coordinate_functions[rows[:, ROW.COORDINATE], : COORDINATE.PAIR]:
        together = set(block_bodies[first : first + count].tolist()) - {world}
        if len(together) > 1:
            found |= together
    return sorted(found)
