"""What numbers of a scene are at present, where some of them may not be computable."""

from engine.errors import SceneError
from engine.model.resolve import parameter_values
from engine.model.scene import Scene


def parameters_now(scene: Scene) -> dict[str, float]:
    """What parameters are at present; those that cannot be computed are left out."""
    try:
        return parameter_values(scene)
    except SceneError:
        known = {p.name: p.value for p in scene.parameters}
        return {name: float(value) for name, value in known.items() if isinstance(value, int | float)}


def duration_now(scene: Scene) -> float:
    """How long previews are [s]."""
    value = scene.simulation.duration
    return float(value) if isinstance(value, int | float) else 10.0
