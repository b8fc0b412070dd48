"""A body that outweighs the others by so much that they cannot turn it round: next to a dead centre the light
ones would have to take up all of its energy, at a speed that no step follows.
"""

from __future__ import annotations

from engine.errors import Problem, SceneEdit
from engine.model.scene import Scene

TOO_HEAVY = 1e4  # times the mass of the lightest body
FITTING = 100.0  # such masses are followed by usual steps


def heavy_body(scene: Scene, t: float) -> Problem | None:
    """The heaviest body of a mechanism that stopped without another reason; None when masses are near."""
    masses = {body.name: float(body.mass or 0.0) for body in scene.bodies if not body.fixed}
    masses = {name: mass for name, mass in masses.items() if mass > 0.0}
    if len(masses) < 2 or not scene.joints:
        return None
    light, heavy = min(masses, key=masses.__getitem__), max(masses, key=masses.__getitem__)
    ratio = masses[heavy] / masses[light]
    if ratio < TOO_HEAVY:
        return None
    text = (
        f"body {heavy!r} of {masses[heavy]:.3g} kg is {ratio:.2g} times as heavy as body {light!r}, and the "
        f"joints cannot turn it round at t = {t:.6g} s"
    )
    fitting = FITTING * masses[light]
    remedy = f"check its mass: with {fitting:.3g} kg it could; or take a much smaller step"
    path = f"bodies.{heavy}.mass"
    return Problem(path, masses[heavy], text, remedy, (SceneEdit(path, fitting),))
