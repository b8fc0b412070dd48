"""Forms of scenes with very many parameters, and names that are asked for twice."""

import pytest

from app.document.document import Ref
from app.panels.inspector.listed_fields import MAX_LINES, lines_for
from app.panels.tree import TreePanel
from app.platform.appearance import Look
from engine import Scene
from tests.app.panels.desk import Desk


def test_a_thousand_parameters_do_not_make_a_thousand_editors() -> None:
    scene = Scene()
    for i in range(1000):
        scene = scene.with_parameter(f"p{i}", float(i))
    lines = lines_for(scene, ())
    assert len(lines) == MAX_LINES + 1
    assert lines[-1].title.startswith("and ")


def test_a_rename_that_is_asked_for_twice_is_one(
    desk: Desk, qtbot: object, capfd: pytest.CaptureFixture[str]
) -> None:
    desk.begin(Scene(space="planar").with_body("link", mass=1.0, inertia=[0.1]))
    panel = TreePanel(desk, Look())
    panel.show()
    for _ in range(2):
        panel.rename(Ref("bodies", "link"))
    assert "editing failed" not in capfd.readouterr().err
    panel.deleteLater()
