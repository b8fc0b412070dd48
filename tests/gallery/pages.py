"""Pages, scenes and menus, and what lies over the viewport."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from app.document.document import Ref
from app.platform.resources import scene_paths
from app.window.actions import ACTIONS
from app.window.main_window import MainWindow
from tests.gallery.staging import Shot, Steps, pass_time, settle, show_scene


def _scene(name: str) -> Shot:
    def steps(window: MainWindow) -> Steps:
        show_scene(window, name, 0.3)
        yield None

    return Shot(f"scenes/{name}", steps)


def _empty(window: MainWindow) -> Steps:
    window.session.document.stack.setClean()
    window.session.document.new()
    settle(window)
    yield None


def _welcome(window: MainWindow) -> Steps:
    window.handlers.layout.show_welcome()
    yield None
    window.pages.hide_welcome()


def _everything(window: MainWindow) -> Steps:
    """All that the View menu can switch on, with a selection."""
    show_scene(window, "flyball_governor", 0.2)
    off = [name for name, on in window.handlers.view.styles.items() if not on]
    for name in off:
        window.act(f"view.{name}")
    window.session.selection.set([Ref("bodies", window.session.document.scene.bodies[0].name)])
    settle(window)
    yield None
    for name in off:
        window.act(f"view.{name}")


def _menu(title: str) -> Shot:
    def steps(window: MainWindow) -> Steps:
        menu = window.menus.menus[title]
        bar = window.menuBar()
        parent = title.split("/")[0]
        at = bar.mapToGlobal(bar.actionGeometry(window.menus.menus[parent].menuAction()).bottomLeft())
        menu.popup(at)
        pass_time(60)
        yield None
        menu.close()

    return Shot(f"menus/{title.replace('/', '-').replace(' ', '_').lower()}", steps)


def _draw_bar(window: MainWindow) -> Steps:
    """A bar while it is being drawn: what to do next, the length that is typed, the strip of the tools."""
    yield from _empty_sheet(window)
    window.act("insert.bar")
    _click(window, QPointF(0.4, 0.6))
    _hover(window, QPointF(0.6, 0.45))
    yield None
    window.viewport.use_tool(None)


def _joint_card(window: MainWindow) -> Steps:
    """The small form beside a joint that is being made."""
    show_scene(window, "bricard")
    window.act("insert.joint.revolute")
    at = window.viewport.pixel_of(Ref("joints", window.session.document.scene.joints[1].name))
    QTest.mouseClick(window.viewport, Qt.MouseButton.LeftButton, pos=at.toPoint())
    pass_time(80)
    yield None
    window.viewport.use_tool(None)


def _first_build(window: MainWindow) -> Steps:
    """The guided first build."""
    yield from _empty_sheet(window)
    window.handlers.insert.guide_first_build()
    pass_time(80)
    yield None
    if window.overlays.first_build is not None:
        window.overlays.first_build.hide()
    window.viewport.use_tool(None)


def _empty_sheet(window: MainWindow) -> Steps:
    window.session.document.stack.setClean()
    window.session.document.new()
    window.pages.hide_welcome()
    settle(window)
    yield from ()


def _place(window: MainWindow, share: QPointF) -> QPoint:
    size = window.viewport.size()
    return QPointF(share.x() * size.width(), share.y() * size.height()).toPoint()


def _click(window: MainWindow, share: QPointF) -> None:
    _hover(window, share)
    QTest.mouseClick(window.viewport, Qt.MouseButton.LeftButton, pos=_place(window, share))
    pass_time(60)


def _hover(window: MainWindow, share: QPointF) -> None:
    QTest.mouseMove(window.viewport, _place(window, share))
    pass_time(60)


def page_shots() -> list[Shot]:
    menus = dict.fromkeys(menu for a in ACTIONS for menu in (a.menu.split("/")[0], a.menu))
    return [
        Shot("pages/empty", _empty),
        Shot("pages/welcome", _welcome),
        Shot("pages/first_build", _first_build),
        Shot("pages/bar", _draw_bar),
        Shot("pages/joint", _joint_card),
        *(_scene(name) for name in scene_paths()),
        Shot("pages/everything", _everything),
        *(_menu(title) for title in menus),
    ]
