"""Andrews' squeezer mechanism against the IVP test set: q, q' at 0.03 s, and the multipliers through reactions.

The multipliers of the test set belong to loop equations; their first pair acts at B on K3: λ1, λ2 are the force that
closes the loop through K3, hence the joint force at B up to sign.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.verification import references as ref
from tests.verification.runs import energy_error, finished, shipped, tight

DIGITS = 1e-7


@pytest.fixture(scope="module")
def run():
    return tight(shipped("andrews"), ref.ANDREWS_TIME, dt=1e-3)


def test_positions_to_seven_digits(run):
    found = [run.channel(f"body.K{k}.angle")[-1] for k in range(1, 8)]
    assert_allclose(found, ref.andrews_body_angles(ref.ANDREWS_POSITION), rtol=DIGITS, atol=DIGITS)


def test_velocities_to_seven_digits(run):
    found = [run.channel(f"body.K{k}.omega.z")[-1] for k in range(1, 8)]
    wanted = ref.andrews_body_rates(ref.ANDREWS_VELOCITY)
    assert_allclose(found, wanted, rtol=DIGITS, atol=0.0)


def test_energy_balance_of_the_benchmark():
    # IFToMM A03: drift of T + V − τ (β − β0) below 1e-5 J over 0.05 s
    assert energy_error(finished(shipped("andrews"), "rk4", 1e-5, 0.05)) < 1e-5


def test_reaction_at_b_is_the_first_pair_of_multipliers(run):
    # λ(0.03) of the test set: 199.1753333731910, −29.75531228015052
    found = [run.channel(f"joint.B.reaction.f{axis}")[-1] for axis in "xy"]
    assert_allclose(np.abs(found), [199.1753333731910, 29.75531228015052], rtol=DIGITS, atol=0.0)
