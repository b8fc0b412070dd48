"""Every method goes on after jumps of velocities, or says before the run why it cannot."""

import math

import numpy as np
import pytest

from engine.errors import SceneError
from engine.model.scene import Scene
from engine.simulation.simulation import simulate
from engine.solvers.catalogue import METHODS, Method
from engine.solvers.direct import DIRECT
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.integrators import SCHEMES

G, MASS, RESTITUTION, H = 9.81, 2.0, 0.5, 1e-2
ROUNDING = 1e-8  # s and m: velocities that are differences of positions, steps that follow a tolerance
PLACE = "joint.guide.displacement"


def _one_of_each() -> list[Method]:
    """Each direct method, each formulation with RK4, each scheme with Lagrange multipliers."""
    found = {method.name: method for method in METHODS if not method.pieces and method.name in DIRECT}
    for i, kinds in enumerate((FORMULATIONS, SCHEMES)):
        for kind in kinds:
            usual = "rk4" if i == 0 else "lagrange"
            fit = [
                m for m in METHODS if m.pieces and m.pieces[i] == kind.name and m.pieces[1 - i] == usual
            ] or [m for m in METHODS if m.pieces and m.pieces[i] == kind.name]
            method = next((m for m in fit if m.pieces[2] == "projection"), fit[0])
            found[method.name] = method
    return list(found.values())


def falling(height: float, speed: float = 0.0, gravity: float = G) -> Scene:
    scene = Scene(space="planar", gravity=(0.0, -gravity))
    scene = scene.with_body("mass", position=[0.0, height], velocity=[0.0, speed], mass=MASS, inertia=[0.01])
    ends = {
        name: {"body": body, "point": [0, 0], "axis": [0, 1]}
        for name, body in (("a", "world"), ("b", "mass"))
    }
    return scene.with_joint("prismatic", "guide", **ends)


@pytest.mark.parametrize("method", _one_of_each(), ids=lambda method: method.name)
def test_a_method_takes_impacts_and_sticking_or_refuses(method: Method) -> None:
    """t₁ = √(2h/g), flights of 2 t₁ eⁿ; a mass with the speed v comes to rest after m v²/(2 F), for ever."""
    given = {"joint": "guide", "coordinate": "displacement"}
    ball = falling(1.0).with_force("stop", "floor", **given, lower=0.0, law="rigid", restitution=RESTITUTION)
    pad = falling(0.0, speed=1.0, gravity=0.0)
    pad = pad.with_force("friction", "pad", **given, model="held", kinetic=5.0, stribeck_speed=0.0)
    if method.jump_failure:
        for scene in (ball, pad):
            with pytest.raises(SceneError, match="velocities jump"):
                simulate(scene, method=method.name, dt=H, duration=0.1)
        return
    if method.time_stepping:
        assert abs(simulate(ball, method=method.name, dt=H, duration=1.6).channel(PLACE)[-1]) < H * H * G
        place = simulate(pad, method=method.name, dt=H, duration=1.0).channel(PLACE)
        assert place[-1] == pytest.approx(0.5 * MASS / 5.0, abs=H)
        assert np.ptp(place[-20:]) < 1e-12
        return
    found = simulate(ball, method=method.name, dt=H, duration=1.6)
    assert found.status.name == "FINISHED", found.message
    fall = math.sqrt(2.0 / G)
    exact = fall + 2.0 * fall * np.cumsum([0.0, *(RESTITUTION**k for k in range(1, 6))])
    hits = [event.t for event in found.events if event.kind == "impact"][:6]
    exactly = method.order > 1
    if exactly:
        np.testing.assert_allclose(hits, exact, rtol=0.0, atol=ROUNDING)
        assert found.events[-1].kind == "touch"
        assert abs(found.channel(PLACE)[-1]) < 1e-6  # a penalty gives way
    else:  # every flight is off by the order of a step
        np.testing.assert_allclose(np.diff([0.0, *hits]), np.diff([0.0, *exact]), rtol=0.0, atol=3.0 * H)
    stopped = simulate(pad, method=method.name, dt=H, duration=1.0)
    place, (stick,) = stopped.channel(PLACE), stopped.events
    assert stick.kind == "stick"
    assert stick.t == pytest.approx(MASS / 5.0, abs=ROUNDING if exactly else H)
    assert place[-1] == pytest.approx(0.5 * MASS / 5.0, abs=ROUNDING if exactly else H)
    assert np.ptp(place[stopped.t > stick.t]) < 1e-12
