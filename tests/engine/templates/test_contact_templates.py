"""Templates with friction and play against their facts."""

import numpy as np
import pytest

from engine.simulation.simulation import simulate
from engine.templates import TEMPLATES, Made


def made(name: str, **values: float) -> Made:
    template = TEMPLATES[name]
    return template.build({p.name: p.default for p in template.parameters} | values)


def test_a_clutch_holds_when_and_as_its_facts_say() -> None:
    clutch = made("friction_clutch")
    _, instant, together, heat = (float(fact.value) for fact in clutch.facts)
    found = simulate(clutch.scene, dt=5e-3, duration=0.4)
    (stick,) = found.events
    assert stick.t == pytest.approx(instant, abs=1e-10)
    assert found.channel("body.rotor.omega.z")[-1] == pytest.approx(together, rel=1e-12)
    assert found.channel("energy.loss.friction")[-1] == pytest.approx(heat, rel=1e-10)


def test_the_pin_of_a_loose_four_bar_knocks_within_its_play() -> None:
    """The hinge opens by the clearance and what its bore gives way, and the balance of energy closes."""
    loose = made("loose_four_bar")
    found = simulate(loose.scene, dt=1e-4, duration=0.2)
    assert {event.kind for event in found.events} == {"touch", "leave"}
    gap = found.channel("force.loose hinge.gap")
    assert gap.max() <= 0.5e-3 + 1e-12
    assert -1e-4 < gap.min() < 0.0
    assert np.abs(found.channel("energy.error")).max() < 1e-6
    assert found.channel("energy.loss.contact.loose hinge")[-1] > 0.0


def test_a_toggle_clamp_stays_behind_its_dead_centre_with_the_force_of_its_facts() -> None:
    clamp = made("toggle_clamp")
    found = simulate(clamp.scene, dt=2e-4, duration=0.8)  # let go at 0.5 s
    assert found.channel("force.workpiece.effort")[-1] == pytest.approx(
        -float(clamp.facts[0].value), rel=1e-9
    )
    assert found.channel("force.dead stop.effort")[-1] > 0.0
    assert np.ptp(found.channel("joint.A.angle")[found.t > 0.4]) < 1e-12


def test_a_woodpecker_jams_pecks_and_falls_in_turn() -> None:
    """The sleeve jams on its lower edge and lets go, the beak hits, the sleeve falls [Leine 2001]."""
    found = simulate(made("woodpecker").scene, dt=2e-4, duration=0.36)
    assert found.status.name == "FINISHED", found.message
    pecks = [event.t for event in found.events if event.element == "beak" and event.kind == "impact"]
    assert len(pecks) == 3
    assert np.diff(pecks) == pytest.approx(0.13, abs=2e-3)
    jams = [event.t for event in found.events if event.kind == "stick"]
    height = found.channel("body.sleeve.pos.y")
    for jam in jams[:2]:
        held = (found.t > jam) & (found.t < jam + 0.03)
        assert np.ptp(height[held]) < 1e-12
    assert height[-1] < -0.03
    assert np.abs(found.channel("energy.error")).max() < 1e-9


def test_a_latch_catches_a_slide_that_is_fast_enough_and_lets_a_slow_one_go() -> None:
    caught = simulate(made("latch").scene, dt=5e-4, duration=0.8)
    x = caught.channel("body.slide.pos.x")
    lift = float(made("latch").facts[0].value)
    assert caught.channel("joint.pivot.angle").min() == pytest.approx(-lift, rel=1e-3)
    assert x.max() > -0.05  # through the hook, to the end of its guide
    assert np.abs(x[caught.t > 0.5] + 0.055).max() < 1e-12  # and back to its face, for good
    pull = float(made("latch").facts[1].value)
    assert caught.channel("force.pin on hook.force")[-1] == pytest.approx(pull, rel=1e-9)
    assert np.abs(caught.channel("energy.error")).max() < 1e-5
    slow = simulate(made("latch", speed=0.45).scene, dt=5e-4, duration=0.8)
    assert slow.channel("body.slide.pos.x").max() < -0.06
    assert slow.channel("body.slide.pos.x")[-1] < -0.12


def test_a_ratchet_turns_one_way_and_holds_the_other() -> None:
    """Tooth by tooth forwards; backwards it goes to the back of a tooth, and stays."""
    found = simulate(made("ratchet").scene, dt=2e-4, duration=1.0)
    teeth = found.channel("joint.axle.angle") / (2.0 * np.pi / 12)
    held = (found.t > 0.7) & (found.t < 0.95)  # while the torque is negative
    assert teeth[found.t < 0.5].max() > 4.0
    assert np.ptp(teeth[held]) < 1e-9
    assert 0.0 < teeth.max() - teeth[held][0] < 1.0
    push = found.channel("force.front.force") + found.channel("force.nose.force")
    assert push[held].max() == pytest.approx(float(made("ratchet").facts[1].value), rel=0.3)
    assert np.abs(found.channel("energy.error")).max() < 1e-5
