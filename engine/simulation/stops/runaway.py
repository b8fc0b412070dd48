"""A force too large for the step: alone, it would carry a body beyond the mechanism before the step is over.

Joints that cannot be closed again after such a step, or iterations that do not converge, follow from it.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from engine.compiled.layout import Array
from engine.errors import CompileError, Problem, SceneEdit
from engine.model.scene import Scene
from engine.simulation.stepping.method_driver import Driver
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator

TRIAL_TIMES = (0.0, 0.5, 1.0)  # of a step
TOO_FAR = 1.0  # rad, or lengths of the mechanism, within a step
MAX_VELOCITIES = 600  # above, and with more forces, the search would take longer than the answer is worth
MAX_FORCES = 100
STRONGEST_GRAVITY = 1000.0  # m/s²; below, the step is too long, not gravity too large
STANDARD_GRAVITY = 9.81


def runaway(driver: Driver, sample: Array, step: float) -> Problem | None:
    """The force that moves a body farthest within the next step, now and from the start, if too far."""
    mechanism = driver.mechanism
    scene = mechanism.scene
    if mechanism.nv > MAX_VELOCITIES or len(scene.forces) > MAX_FORCES:
        return None
    t, q, v, _, _ = driver.layout.state(sample)
    sizes = scales_of(mechanism).column
    far, worst, at = TOO_FAR, None, 0
    for force in scene.forces:
        alone = replace(scene, forces=(force,))
        # a spring that is torn because the run has gone astray is not to blame: the force alone is
        moved = np.minimum(_moved(alone, t, step, q, v), _moved(alone, t, step, mechanism.q, v)) / sizes
        k = int(np.argmax(moved))
        if moved[k] > far:
            far, worst, at = float(moved[k]), force, k
    if worst is None:
        return _gravity(scene, t, step, float(np.min(sizes)))
    turned = at % 3 == 2 if mechanism.planar else at % 6 > 2
    way = f"{far:.2g} rad" if turned else f"{far * sizes[at]:.2g} m"
    text = (
        f"force {worst.name!r} is too large at t = {t:.6g} s: alone it would move body "
        f"{mechanism.body_of_velocity(at)!r} by {way} within a step of {step:.3g} s"
    )
    path = f"forces.{worst.name}"
    remedy = "give it a bound, such as min(…, 1e3), take a smaller step, or take the force away"
    return Problem(path, None, text, remedy, (SceneEdit(path, remove=True),))


def _gravity(scene: Scene, t: float, step: float, size: float) -> Problem | None:
    """Gravity, where it is beyond that of any star and would carry bodies beyond the mechanism."""
    given = np.array(scene.gravity, dtype=float)
    large = float(np.linalg.norm(given))
    fall = 0.5 * step**2 * large
    if large < STRONGEST_GRAVITY or fall < TOO_FAR * size:
        return None
    text = (
        f"gravity is {large:.3g} m/s² at t = {t:.6g} s: it would move every body by {fall:.2g} m "
        f"within a step of {step:.3g} s"
    )
    usual = [round(float(part), 6) for part in given / large * STANDARD_GRAVITY]
    return Problem(
        "gravity", large, text, "check its unit, on earth it is 9.81 m/s²", (SceneEdit("gravity", usual),)
    )


def _moved(scene: Scene, t: float, step: float, q: Array, v: Array) -> Array:
    """½h²M⁻¹Q per velocity, in size: how far the forces of a scene would move free bodies."""
    still = (0.0, 0.0) if scene.space == "planar" else (0.0, 0.0, 0.0)
    try:
        mechanism = compile_scene(replace(scene, gravity=still))
    except CompileError:
        return np.zeros(len(v))
    evaluator, found = Evaluator(mechanism), np.zeros(len(v))
    inverse = np.linalg.pinv(evaluator.mass_blocks())  # a body without mass moves with others
    with np.errstate(all="ignore"):
        for share in TRIAL_TIMES:
            total = evaluator.at(t + share * step, q, 0.0 * v).forces()
            if np.isfinite(total).all():
                accelerated = (inverse @ total.reshape(len(inverse), -1, 1)).ravel()
                found = np.maximum(found, np.abs(0.5 * step**2 * accelerated))
    return found
