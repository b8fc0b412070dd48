"""The welcome page: shipped scenes as pictures, and the files used last."""

import json
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.platform.appearance import Look, label
from app.platform.plain_text import as_plain
from app.platform.resources import data_folder, scene_paths
from app.platform.theme import Theme

PICTURE = QSize(320, 200)  # px, as they are made; shown smaller where there is less room
NARROWEST = 176  # px
BAR = 16  # px, of the scroll bar
AROUND = QSize(16, 36)  # px that a cell has beside and below its picture, for the title
PATH = Qt.ItemDataRole.UserRole
CATEGORY = PATH + 1
ALL = "All"
CATEGORIES = ("Basics", "Linkages", "Spatial", "Studies")  # of the shipped scenes, in this order


class WelcomePage(QWidget):
    """`shown_off` tells the shipped scene to open and play, `chosen` the file to open."""

    shown_off = Signal(Path)
    chosen = Signal(Path)
    wants_new = Signal()
    wants_open = Signal()
    wants_template = Signal()
    wants_guide = Signal()
    wants_news = Signal()
    at_start_changed = Signal(bool)  # whether the program shall begin with this page
    closed = Signal()

    def __init__(self, look: Look, *, at_start: bool = True) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAutoFillBackground(True)
        self._look = look
        self._recent_paths: list[Path] = []
        self.scenes = _scene_grid()
        self.categories = _category_tabs()
        self.recent = QListWidget()
        self.recent.setObjectName("welcome.recent")
        self.recent.setFixedWidth(176)
        self.recent.setWordWrap(True)
        self.at_start = QCheckBox("Show at the start")
        self.at_start.setObjectName("welcome.at_start")
        self.at_start.setToolTip("Begin with this page, unless a scene is named on the command line")
        self.at_start.setChecked(at_start)
        body = QHBoxLayout()
        body.addLayout(self._left(), 1)
        body.addLayout(self._right())
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.addLayout(self._head())
        column.addLayout(body, 1)
        self.at_start.toggled.connect(self.at_start_changed)
        for view, signal in ((self.scenes, self.shown_off), (self.recent, self.chosen)):
            view.itemActivated.connect(lambda item, signal=signal: self._choose(item, signal))
            view.itemClicked.connect(lambda item, signal=signal: self._choose(item, signal))
        self.categories.currentChanged.connect(self._filter)
        look.changed.connect(self._forget)

    def _head(self) -> QHBoxLayout:
        """The name of the program, and what to begin with."""
        head = QHBoxLayout()
        head.addWidget(label("Trammel", "title", "welcome.title"))
        head.addSpacing(10)
        head.addWidget(label("Build, run and compare mechanisms", "muted", "welcome.words"))
        head.addStretch(1)
        for text, name, tip, signal in (
            ("New scene", "welcome.new", "Begin an empty scene", self.wants_new),
            (
                "From a template…",
                "welcome.template",
                "Begin with a mechanism by its dimensions",
                self.wants_template,
            ),
            (
                "Guided first build",
                "welcome.guide",
                "Build a four-bar with a motor step by step",
                self.wants_guide,
            ),
            ("Open a file…", "welcome.open", "Open a scene file", self.wants_open),
            ("Back to the scene", "welcome.back", "Leave this page", self.closed),
        ):
            head.addWidget(_button(text, name, tip, signal))
        return head

    def _left(self) -> QVBoxLayout:
        """Pictures of the shipped scenes, by group."""
        filters = QHBoxLayout()
        filters.addWidget(label("Shipped scenes", "section", "welcome.shipped"))
        filters.addSpacing(8)
        filters.addWidget(self.categories)
        filters.addStretch(1)
        left = QVBoxLayout()
        left.addLayout(filters)
        left.addWidget(self.scenes, 1)
        return left

    def _right(self) -> QVBoxLayout:
        """Recent files, and what concerns the program itself."""
        right = QVBoxLayout()
        right.addWidget(label("Recent files", "section", "welcome.recent_title"))
        right.addWidget(self.recent, 1)
        tip = "What has changed for users, newest first"
        right.addWidget(_button("What is new", "welcome.news", tip, self.wants_news))
        right.addWidget(self.at_start)
        return right

    def show_recent(self, paths: list[Path]) -> None:
        self._recent_paths = paths
        self.recent.clear()
        for path in paths:
            item = QListWidgetItem(self._look.icon("recent", "muted"), path.stem)
            item.setToolTip(str(path))
            item.setData(PATH, path)
            self.recent.addItem(item)
        if not paths:
            item = QListWidgetItem("Files you open are listed here.")
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.setForeground(self._look.theme.color("muted"))
            self.recent.addItem(item)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.scenes.count():  # sketches take a moment: only when someone looks
            self._fill()

    def _forget(self) -> None:
        self.scenes.clear()
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        self.scenes.clear()
        shipped = [(name, path, _facts(path)) for name, path in scene_paths().items()]
        for name, path, facts in sorted(shipped, key=_place):
            if facts.get("format") != "trammel-scene":
                continue
            item = QListWidgetItem(
                QIcon(thumbnail(name, path, self._look.theme)), str(facts.get("title") or name)
            )
            item.setToolTip(as_plain(str(facts.get("description") or name)))
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            item.setData(PATH, path)
            item.setData(CATEGORY, facts.get("category", ""))
            self.scenes.addItem(item)
        self._filter()
        self._fit()
        self.show_recent(self._recent_paths)

    def _filter(self) -> None:
        wanted = self.categories.tabText(self.categories.currentIndex())
        for item in (self.scenes.item(i) for i in range(self.scenes.count())):
            item.setHidden(wanted not in (ALL, item.data(CATEGORY)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Pictures as large as they can be with all of them in sight."""
        width = fitting_width(self.scenes.viewport().size(), self.scenes.count())
        picture = QSize(width, width * PICTURE.height() // PICTURE.width())
        if picture != self.scenes.iconSize():
            self.scenes.setIconSize(picture)
            self.scenes.setGridSize(picture + AROUND)

    def _choose(self, item: QListWidgetItem, signal: SignalInstance) -> None:
        path = item.data(PATH)
        if path is not None:
            signal.emit(Path(path))


def fitting_width(room: QSize, count: int) -> int:
    """The largest width of so many pictures that have room without scrolling, or in whole rows [px]."""
    for width in range(PICTURE.width(), NARROWEST, -8):
        across = room.width() // (width + AROUND.width())
        high = width * PICTURE.height() // PICTURE.width() + AROUND.height()
        if across and -(-count // across) * high <= room.height():
            return width
    across = max(1, (room.width() - BAR) // (NARROWEST + AROUND.width()))
    return max(NARROWEST, (room.width() - BAR) // across - AROUND.width())


def _place(entry: tuple[str, Path, dict[str, object]]) -> tuple[int, str]:
    """Categories in their order, then names; what has none comes last."""
    category = entry[2].get("category")
    return CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES), entry[0]


def thumbnail(name: str, path: Path, theme: Theme) -> QPixmap:
    """The shipped picture, or a sketch of the bodies and joints."""
    file = data_folder("assets") / "thumbnails" / f"{name}.png"
    picture = QPixmap(PICTURE)
    picture.fill(theme.color("base"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    shipped = QPixmap(str(file)) if file.is_file() else QPixmap()
    if shipped.isNull():
        _sketch(painter, path, theme)
    else:
        scaled = shipped.scaled(
            PICTURE, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
        )
        painter.drawPixmap(
            (PICTURE.width() - scaled.width()) // 2, (PICTURE.height() - scaled.height()) // 2, scaled
        )
    painter.setPen(QPen(theme.color("border"), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(0.5, 0.5, PICTURE.width() - 1.0, PICTURE.height() - 1.0), 4.0, 4.0)
    painter.end()
    return picture


def _sketch(painter: QPainter, path: Path, theme: Theme) -> None:
    """Bodies and joints of a scene without a picture."""
    from app.viewport.pictures.sketch import Sketch
    from engine import SceneError, load_scene

    try:
        Sketch(load_scene(path), theme).paint(painter, QRectF(0.0, 0.0, PICTURE.width(), PICTURE.height()))
    except SceneError:
        return


def _facts(path: Path) -> dict[str, object]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _scene_grid() -> QListWidget:
    made = QListWidget()
    made.setObjectName("welcome.scenes")
    made.setViewMode(QListView.ViewMode.IconMode)
    made.setResizeMode(QListView.ResizeMode.Adjust)
    made.setMovement(QListView.Movement.Static)
    made.setWordWrap(True)
    made.setTextElideMode(Qt.TextElideMode.ElideNone)
    made.setUniformItemSizes(True)
    made.setFrameShape(QListWidget.Shape.NoFrame)
    return made


def _category_tabs() -> QTabBar:
    made = QTabBar()
    made.setObjectName("welcome.categories")
    made.setDrawBase(False)
    made.setExpanding(False)
    for name in (ALL, *CATEGORIES):
        tip = "Show all scenes" if name == ALL else f"Show only this group of scenes: {name}"
        made.setTabToolTip(made.addTab(name), tip)
    return made


def _button(text: str, name: str, tip: str, signal: SignalInstance) -> QPushButton:
    made = QPushButton(text)
    made.setObjectName(name)
    made.setToolTip(tip)
    made.clicked.connect(signal)
    return made
