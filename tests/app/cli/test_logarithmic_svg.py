"""Plots with logarithmic axes as SVG text."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.cli.pictures.plot_page import Series, save_double_logarithmic

SVG = "{http://www.w3.org/2000/svg}"


def test_every_plot_has_its_lines_and_decades_lie_equally_far_apart(tmp_path: Path) -> None:
    lines = [Series("a < b", [1e-3, 1e-2, 1e-1], [1e-2, 1e-4, 1e-6]), Series("c", [1e-2], [1e-3])]
    file = save_double_logarithmic([("one", "x", "y", lines)] * 4, tmp_path / "plots.svg")
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    found = root.findall(f"{SVG}polyline")
    assert len(found) == 8
    points = [tuple(map(float, pair.split(","))) for pair in found[0].attrib["points"].split()]
    assert points[1][0] - points[0][0] == pytest.approx(points[2][0] - points[1][0], abs=0.2)
    assert points[0][1] < points[1][1] < points[2][1]  # pixels count downwards
    assert {text.text for text in root.findall(f"{SVG}text")} >= {"one", "x", "y", "a < b", "c", "1e-2"}
