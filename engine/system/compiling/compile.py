"""Compile a scene into flat arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.arenas import pack as pack_arrays
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import System
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.laws import LAWS, ON_BODIES
from engine.elements.primitives import PRIMITIVES
from engine.maths.functions import pack
from engine.model.resolve import parameter_values, resolve
from engine.model.scene import Scene, refuse_other
from engine.system.compiling.alike import axes_of_blocks, straight_bodies
from engine.system.compiling.body_tables import body_reals, body_table
from engine.system.compiling.collect import Builder
from engine.system.compiling.constraint_rows import Rows
from engine.system.compiling.function_tables import Tables, entry_tables, law_tables
from engine.system.compiling.given_pose import characteristic_length, given_state, refuse_far_centres
from engine.system.compiling.mechanism import LAW_STATES, Mechanism
from engine.system.compiling.ordering import row_order
from engine.system.compiling.row_tables import coupled, in_rows, row_tables
from engine.system.compiling.tree import tree_of
from engine.system.compiling.velocity_layout import velocity_layout


def compile_scene(scene: Scene) -> Mechanism:
    """Arrays and names of a scene; raises CompileError (a SceneError) when it is no mechanism."""
    parameters = parameter_values(refuse_other("compile_scene", scene))
    scene = resolve(scene)
    build = Builder(scene, parameters)
    rows = Rows(build)
    for joint in scene.joints:
        rows.joint(joint)
    for motion in scene.motions:
        rows.motion(motion)
    build.permanent_rows, build.joint_rows = len(rows.info), rows.joints
    coordinate_functions, integrals = _collect_laws(scene, build, rows)
    for joint in scene.joints:  # coordinates are there for plots, also where nothing acts on them
        for name in JOINTS[str(joint.__struct_config__.tag)].coordinates_in(scene.space):
            build.coordinate(joint.name, name)

    arrays = _arrays(scene, build, rows)
    tree = tree_of(scene, build, arrays["bodies"], arrays["body_reals"])
    system, ints, reals = pack_arrays(
        System, {**arrays, "tree": tree.ints, "tree_reals": tree.reals}, whole="params"
    )
    q, v = given_state(scene, build.frames)
    return Mechanism(
        scene=scene,
        system=system,
        arenas=(ints, reals),
        bodies=tuple(body.name for body in scene.bodies if not body.fixed),
        com=np.array([build.frames.places[b.name].com for b in scene.bodies if not b.fixed]).reshape(-1, 3),
        rows=tuple(rows.info),
        joint_rows=rows.joints,
        motion_rows=rows.motions,
        joint_frames=build.joint_frames,
        coordinates=build.coordinates,
        force_coordinates=coordinate_functions,
        quadratures=integrals,
        programs=tuple(build.programs),
        q=q,
        v=v,
        solver="augmented" if system.sizes[SIZE.MASSLESS] else "schur",
        no_tree=tree.missing,
    )


def _collect_laws(
    scene: Scene, build: Builder, rows: Rows
) -> tuple[dict[str, tuple[int, ...]], dict[tuple[str, str], int]]:
    """Laws of all forces; the functions each force acts along, and the integral of each element's work."""
    coordinate_functions: dict[str, tuple[int, ...]] = {}
    works: dict[tuple[str, str], int] = {}
    build.quadrature = 1  # the first integral is what dampers dissipate

    def integral(sort: str, name: str) -> None:
        works[sort, name] = build.quadrature
        build.quadrature += 1

    for force in scene.forces:
        begin, build.force = len(build.laws), force.name
        FORCES[str(force.__struct_config__.tag)].laws(force, build)
        coordinate_functions[force.name] = tuple(
            law.target for law in build.laws[begin:] if law.kind not in ON_BODIES
        )
        integral("forces", force.name)
    for motion in scene.motions:
        span = rows.motions[motion.name]
        for r in range(span.begin, span.end):
            rows.quadratures[r] = build.quadrature
        integral("motions", motion.name)
    for joint in scene.joints:  # a coupler that follows a function of time does work, too
        span = rows.joints[joint.name]
        moving = [r for r in range(span.begin, span.end) if rows.programs[r] >= 0]
        for r in moving:
            rows.quadratures[r] = build.quadrature
        if moving:
            integral("joints", joint.name)
    for force in scene.forces:  # numbers of laws that follow differential equations, behind all works
        for law in build.laws:
            column = LAWS[law.kind].integral
            if column is not None and law.quadrature == works["forces", force.name]:
                law.integers[column - LAW.X] = build.quadrature
                for k in range(LAWS[law.kind].functions_of(law.line)):
                    integral(LAW_STATES, f"{force.name} {k + 1}" if k else force.name)
    return coordinate_functions, works


def _arrays(scene: Scene, build: Builder, rows: Rows) -> dict[str, Any]:
    """All arrays of `System` by name but for those of the tree."""
    moving = sum(not body.fixed for body in scene.bodies)
    bodies = body_table(moving, build.planar)
    numbers, massless = body_reals(scene)
    programs = pack(build.programs)
    tables = Tables(len(programs.data))
    entries = entry_tables(build, in_rows(build, rows), programs.starts, tables)
    refuse_far_centres(build.frames, build.joint_frames)
    size = characteristic_length(scene, build.frames, build.joint_frames)
    row_ints, row_reals = row_tables(build, rows, programs.starts, size)
    laws = law_tables(build, programs.starts, tables)

    functions, blocks, settings = entries.coordinate_functions, entries.block_bodies, scene.simulation
    bodies[coupled(row_ints, functions, blocks, moving), BODY.LONE] = 0
    axes = axes_of_blocks(entries.ints, entries.ranges, len(blocks), build.planar)
    over_rows = row_order(row_ints, functions, blocks, moving, axes, settings.matrices, settings.ordering)
    straight = straight_bodies(over_rows["incidence"], over_rows["incidence_starts"], axes)
    bodies[straight, BODY.STRAIGHT] = 1
    # joint coordinates that nothing needs, too: a method may take them as independent ones
    acting = {e.coordinate_function + j for e in entries.taking_part for j in range(e.count)}
    acting.update(build.coordinates.values())
    over_velocities, products = velocity_layout(
        bodies, functions, blocks, acting, settings.matrices, settings.ordering
    )

    sizes = np.zeros(SIZE.COLUMNS, np.int64)
    sizes[SIZE.BODIES] = moving
    sizes[SIZE.NQ], sizes[SIZE.NV] = bodies[:moving, [BODY.NQ, BODY.NV]].sum(axis=0)
    sizes[SIZE.ROWS], sizes[SIZE.COORDINATES] = len(row_ints), build.coordinate_functions
    sizes[SIZE.FORCES], sizes[SIZE.QUADRATURES] = len(laws.ints), build.quadrature
    sizes[SIZE.PRIMITIVES] = len(PRIMITIVES)
    sizes[SIZE.FACTOR_PRODUCTS] = products
    sizes[SIZE.VELOCITY_ROWS] = int(row_ints[:, ROW.VELOCITY].sum())
    sizes[SIZE.SWITCHES] = sum(LAWS[law.kind].switches for law in build.laws)
    sizes[SIZE.MASSLESS] = int(massless)
    sizes[SIZE.RANK] = sizes[SIZE.RANK_POSITION] = -1
    sizes[SIZE.MOTIONS] = int((row_ints[:, ROW.QUADRATURE] >= 0).sum())
    return {
        "sizes": sizes,
        "bodies": bodies,
        "body_reals": numbers,
        "entries": entries.ints,
        "entry_reals": entries.reals,
        "coordinate_functions": functions,
        "block_bodies": blocks,
        "links": entries.links,
        "link_reals": entries.link_reals,
        "rows": row_ints,
        "row_reals": row_reals,
        "forces": laws.ints,
        "force_reals": laws.reals,
        "ranges": np.concatenate([entries.ranges, laws.ranges]),
        **over_rows,
        **over_velocities,
        "tracked": entries.tracked,
        "coordinates": np.array(sorted(build.coordinates.values()), np.int64),
        "code": programs.code,
        "data": np.concatenate([programs.data, tables.numbers]),
    }
