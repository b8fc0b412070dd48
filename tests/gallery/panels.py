"""The panels other than the inspector, each with something in it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from app.document.document import Ref
from app.panels.doctor.doctor_pages import PAGES
from app.window.main_window import MainWindow
from tests.gallery.staging import PATIENCE, Shot, Steps, pass_time, settle, show_scene

EXAMINED = {
    "redundancy": "bricard",
    "wiggle": "stewart_platform",
    "assembly": "four_bar",
    "branches": "four_bar",
}


def _plots(window: MainWindow) -> Steps:
    show_scene(window, "four_bar", 0.2)
    view = window.docks.panels["plots"].save_view()
    window.docks.panels["plots"].add_plot(["body.crank.angle", "joint.A.reaction.fx"])
    window.docks.panels["plots"].add_plot(["body.crank.angle", "body.crank.omega.z"], kind="phase")
    window.act("plots.range")
    pass_time(300)
    yield None
    window.act("plots.spectrum")
    pass_time(300)
    yield window.docks["plots"]
    window.act("plots.range")
    window.docks.panels["plots"].load_view(view)


def _messages(window: MainWindow) -> Steps:
    show_scene(window, "pendulum")
    body = window.session.document.scene.bodies[0].name
    for level, text in (
        ("info", "Saved pendulum.json"),
        ("warning", "joint pivot opens by 1.2 mm; the bodies were moved to close it"),
        ("error", "the step did not converge at t = 1.2 s; take a smaller step or another method"),
    ):
        window.session.message.emit(level, text, Ref("bodies", body))
    pass_time(60)
    yield None
    window.docks.panels["messages"].clear()
    window.session.selection.clear()
    window.docks["plots"].raise_()


def _runs(window: MainWindow) -> Steps:
    show_scene(window, "double_pendulum", 0.1)
    session = window.session
    session.lifecycle.reset()
    settle(window)
    session.set_method("lagrange/euler/baumgarte")
    settle(window)
    session.transport.set_speed(float("inf"))
    session.transport.play()
    pass_time(PATIENCE, lambda: session.t > 1.0)
    session.transport.pause()
    settle(window)
    for run in session.runs[:-1]:
        session.runs.set_ghost(run)
    window.docks.show("runs")
    pass_time(100)
    yield None
    window.docks["plots"].raise_()


def _analyses(window: MainWindow) -> Steps:
    show_scene(window, "bricard")
    window.docks.show("analyses")
    window.act("run.analyse")
    pass_time(PATIENCE, lambda: not window.docks.panels["analyses"].busy)
    pass_time(100)
    yield None
    window.docks["plots"].raise_()


def _doctor(page: str) -> Shot:
    def steps(window: MainWindow) -> Steps:
        show_scene(window, EXAMINED[page])
        window.handlers.simulation.examine(page)
        assert pass_time(PATIENCE, lambda: not window.docks.panels["doctor"].busy), page
        pass_time(100)
        yield None
        window.handlers.layout.reset()
        window.docks["plots"].raise_()

    return Shot(f"panels/doctor-{page}", steps)


def _insert(window: MainWindow) -> Steps:
    """The palette, with what can be done at once for two bodies that are selected."""
    show_scene(window, "four_bar")
    window.docks.show("insert")
    window.session.selection.set([Ref("bodies", "crank"), Ref("bodies", "rocker")])
    pass_time(100)
    yield None
    window.session.selection.clear()
    window.docks["tree"].raise_()


def _parameters(window: MainWindow) -> Steps:
    show_scene(window, "four_bar")
    window.docks.show("parameters")
    pass_time(100)
    yield None
    window.docks["plots"].raise_()


def _methods(window: MainWindow) -> Steps:
    """The chooser of the transport, and what a search finds."""
    show_scene(window, "four_bar")
    button = window.transport.method
    button.open()
    pass_time(100)
    popup = button.popup
    yield popup
    popup.search.setText("implicit")
    pass_time(100)
    yield popup
    popup.search.clear()
    popup.close()


def _recording(window: MainWindow) -> Steps:
    """The sign that the run is being written to a file."""
    with TemporaryDirectory() as folder:
        show_scene(window, "four_bar", 0.05)
        window.session.streaming.start(Path(folder) / "four_bar.h5", ["energy.total"])
        pass_time(200)
        yield None
        window.session.streaming.stop()
        assert pass_time(PATIENCE, lambda: window.session.streaming.stream is None)
    window.docks.panels["messages"].clear()
    window.docks["plots"].raise_()


def _failed(window: MainWindow) -> Steps:
    """A step that failed: the reason, the element, the last good state."""
    show_scene(window, "double_rocker", 1.0)
    yield None
    window.docks.panels["messages"].clear()
    window.docks["plots"].raise_()


def panel_shots() -> list[Shot]:
    return [
        Shot("panels/plots", _plots),
        Shot("panels/messages", _messages),
        Shot("panels/runs", _runs),
        Shot("panels/analyses", _analyses),
        *(_doctor(page.key) for page in PAGES),
        Shot("panels/insert", _insert),
        Shot("panels/parameters", _parameters),
        Shot("panels/methods", _methods),
        Shot("panels/recording", _recording),
        Shot("panels/failed", _failed),
    ]
