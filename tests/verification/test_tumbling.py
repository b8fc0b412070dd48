"""Scenes of spinning bodies that fall on a floor and into corners, made at random: laws that always hold.

The whole is `python -m tests.attack --only tumbling`; these went on for ever, or took ten times as long.
"""

import random

import pytest

from tests.attack.tumbling import attempt, tumbling


@pytest.mark.parametrize("number", [3, 13, 15, 24])
def test_random_scenes_of_falling_bodies_come_to_their_end_without_a_gain(number: int) -> None:
    assert attempt(tumbling(random.Random(f"tumbling 1 {number}"))) == "clean"
