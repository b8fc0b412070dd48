"""Every channel has words that say what it is, and its unit and place in the page about channels."""

import re

import pytest

from engine import TEMPLATES
from engine.results.channels import Channels
from engine.system.prepared import prepare
from tests.contract.cases import CASES, SCENES, Case, shipped
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "channels.md").read_text(encoding="utf-8")
KNOWN = set(re.findall(r"`[^`]*?([\w]+)(?:\.\d)?`", PAGE))
VECTORS = re.compile(r"\.[xyz]$|\.quat\.[wxyz]$|\.[ft][xyz]$")
SORTS = ("body", "joint", "spring", "force", "motion", "energy", "violation", "method", "mouse", "measure")


def unsaid(channels: Channels) -> list[str]:
    """Channels without words, or whose last word the page does not have."""
    found = []
    for name in channels.names():
        word = name.rsplit(".", 1)[-1]
        told = VECTORS.search(name) or word in KNOWN or re.match(r"(energy|measure|joint)\.", name)
        if not (channels[name].meaning and told and name.split(".")[0] in SORTS):
            found.append(name)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_channels_of_every_kind_have_words(case: Case) -> None:
    assert unsaid(Channels(case.mechanism)) == []


@pytest.mark.parametrize("name", SCENES)
def test_channels_of_shipped_scenes_have_words(name: str) -> None:
    assert unsaid(Channels(shipped(name).mechanism)) == []


def test_channels_of_templates_have_words() -> None:
    for template in TEMPLATES:
        assert unsaid(Channels(prepare(template.make().scene).mechanism)) == [], template.name
