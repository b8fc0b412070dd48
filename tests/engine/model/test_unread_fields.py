"""What a contact law says that it reads is what its numbers follow, no more and no less."""

import pytest

from engine.elements.contact import CONTACT_LAWS
from engine.elements.contact.base import ContactLaw, Given

GIVEN = Given(stiffness=1e5, exponent=1.5, damping=20.0, restitution=0.7, impact_speed=0.8)
PENAL = [law for law in CONTACT_LAWS if law.pressure is not None]


@pytest.mark.parametrize("law", PENAL, ids=lambda law: law.name)
def test_a_law_follows_what_it_reads(law: ContactLaw) -> None:
    before = law.pressure(GIVEN)
    others = {name: GIVEN._replace(**{name: 1.1 * getattr(GIVEN, name)}) for name in Given._fields}
    follows = {name for name, given in others.items() if law.pressure(given) != before}
    assert follows == set(law.reads)


def test_a_rigid_law_reads_its_restitution_alone() -> None:
    assert [law.reads for law in CONTACT_LAWS if law.pressure is None] == [("restitution",)]
