"""What may be asked about linear actuators."""

import json

from app.document.document import SETTINGS, SIMULATION, Ref
from app.edits.building.actuator_drive import is_actuator
from engine import loads
from tests.engine.model.good import planar


def test_what_is_no_element_is_no_actuator() -> None:
    scene = loads(json.dumps(planar()))
    for ref in (Ref(SETTINGS, ""), Ref(SIMULATION, ""), Ref("forces", "removed"), Ref("bodies", "crank")):
        assert not is_actuator(scene, ref)
