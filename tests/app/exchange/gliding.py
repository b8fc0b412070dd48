"""A short run of one block that glides: what tests of files need of a run."""

from app.exchange.runs.opening import replay_of
from app.session.recorded.run import Run
from engine import Scene, simulate


def gliding_run(title: str = "Glide") -> Run:
    scene = Scene(title=title, space="planar", gravity=(0.0, 0.0)).with_body(
        "block",
        mass=2.0,
        inertia=[0.1],
        velocity=[0.4, 0.0],
        shapes=[{"kind": "box", "size": [0.2, 0.1, 0.1]}],
    )
    return replay_of(simulate(scene, dt=0.01, duration=0.2), 1, name="glide")
