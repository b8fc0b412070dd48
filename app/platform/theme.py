"""Colours of the window, light and dark, and the one stylesheet made from them."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.platform.resources import data_folder

_LIGHT = {
    "window": "#f3f4f6",
    "base": "#ffffff",
    "raised": "#e7e9ed",
    "border": "#c3c8d0",
    "text": "#1b1f24",
    "muted": "#555e6b",
    "accent": "#0b5fa5",
    "on_accent": "#ffffff",
    "hover": "#dbe6f1",
    "danger": "#b3261e",
    "warning": "#7d5200",
    "good": "#166b42",
    "ghost": "#818893",
    "grid": "#9aa1ab",
}
_DARK = {
    "window": "#24282f",
    "base": "#1a1d22",
    "raised": "#31363f",
    "border": "#474e59",
    "text": "#e7e9ec",
    "muted": "#a9b2be",
    "accent": "#63aef2",
    "on_accent": "#101418",
    "hover": "#37414d",
    "danger": "#ff8f85",
    "warning": "#f7c35f",
    "good": "#72d5a0",
    "ghost": "#7d8590",
    "grid": "#6d7580",
}

# Okabe and Ito's palette, told apart by all; black and yellow only where the ground allows
_PLOT_LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_PLOT_DARK = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#FFFFFF")


@dataclass(frozen=True)
class Theme:
    """Colours by name (`theme["accent"]`), for curves, and as Qt wants them."""

    dark: bool = False

    def __getitem__(self, name: str) -> str:
        return (_DARK if self.dark else _LIGHT)[name]

    def color(self, name: str) -> QColor:
        return QColor(self[name])

    @property
    def plot_colors(self) -> tuple[str, ...]:
        return _PLOT_DARK if self.dark else _PLOT_LIGHT

    def plot_color(self, index: int) -> str:
        return self.plot_colors[index % len(self.plot_colors)]

    @property
    def palette(self) -> QPalette:
        palette = QPalette()
        roles = QPalette.ColorRole
        for role, name in (
            (roles.Window, "window"),
            (roles.WindowText, "text"),
            (roles.Base, "base"),
            (roles.AlternateBase, "window"),
            (roles.ToolTipBase, "raised"),
            (roles.ToolTipText, "text"),
            (roles.Text, "text"),
            (roles.PlaceholderText, "muted"),
            (roles.Button, "raised"),
            (roles.ButtonText, "text"),
            (roles.BrightText, "danger"),
            (roles.Link, "accent"),
            (roles.LinkVisited, "accent"),
            (roles.Highlight, "accent"),
            (roles.HighlightedText, "on_accent"),
            (roles.Mid, "border"),
            (roles.Light, "raised"),
            (roles.Midlight, "raised"),
            (roles.Dark, "border"),
            (roles.Shadow, "border"),
        ):
            palette.setColor(role, self.color(name))
        for role in (roles.Text, roles.WindowText, roles.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("ghost"))
        return palette

    @property
    def stylesheet(self) -> str:
        colors = _DARK if self.dark else _LIGHT
        marks, kind = data_folder("assets") / "marks", "dark" if self.dark else "light"
        files = {name: (marks / f"{name}_{kind}.svg").as_posix() for name in ("tick", "close", "float")}
        return _SHEET.format(**colors, **files)


def system_is_dark() -> bool:
    """Whether the desktop asks for dark windows."""
    hints = QGuiApplication.styleHints()
    return hints is not None and hints.colorScheme() == Qt.ColorScheme.Dark


def chosen_theme(choice: str) -> Theme:
    """The theme for a preference: "system", "light" or "dark"."""
    return Theme(system_is_dark() if choice == "system" else choice == "dark")


STYLE = "chosenStyle"  # property of the application: that it has been given its style
SYSTEM_SIZE = "systemPointSize"  # property of the application: its font before a preference changed it


def apply_theme(application: QApplication, theme: Theme, font_size: float = 0.0) -> None:
    """Dress the whole application; a font size [pt] of 0 is the system's, also after another one."""
    # `style()` has no name once there is a style sheet, and setting one polishes every widget
    if application.property(STYLE) is None:
        application.setStyle("Fusion")
        application.setProperty(STYLE, "Fusion")
    font = application.font()
    if application.property(SYSTEM_SIZE) is None:
        application.setProperty(SYSTEM_SIZE, font.pointSizeF())
    size = font_size or float(application.property(SYSTEM_SIZE))
    if size > 0.0 and size != font.pointSizeF():  # a font given in pixels has no size in points
        font.setPointSizeF(size)
        application.setFont(font)
    application.setPalette(theme.palette)
    application.setStyleSheet(theme.stylesheet)


_SHEET = """
QMainWindow::separator {{ background: {window}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: 3px; }}
QDockWidget {{ titlebar-close-icon: url("{close}"); titlebar-normal-icon: url("{float}"); }}
QDockWidget::close-button, QDockWidget::float-button {{ border: 0; border-radius: 3px; padding: 1px; }}
QDockWidget::close-button:hover, QDockWidget::float-button:hover {{ background: {hover}; }}
QDockWidget::title {{ background: {raised}; padding: 3px 6px; text-align: left; }}
QMenuBar {{ background: {window}; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {hover}; color: {text}; }}
QMenu {{ background: {base}; border: 1px solid {border}; padding: 3px; }}
QMenu::item {{ padding: 4px 26px 4px 8px; }}
QMenu::item:disabled {{ color: {ghost}; }}
QMenu::separator {{ height: 1px; background: {border}; margin: 3px 6px; }}
QMenu::icon {{ padding-left: 6px; }}
QMenu::icon:checked {{ background: {hover}; border: 1px solid {accent}; border-radius: 3px; }}
QMenu::indicator {{
    width: 12px; height: 12px; margin-left: 7px;
    border: 1px solid {muted}; border-radius: 2px; background: {base};
}}
QMenu::indicator:checked {{ background: {accent}; border-color: {accent}; image: url("{tick}"); }}
QMenu::indicator:disabled {{ border-color: {ghost}; }}
QToolBar {{ border: 0; spacing: 1px; padding: 1px 4px; background: {window}; }}
QToolBar::separator {{ width: 1px; background: {border}; margin: 4px 4px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 4px; padding: 3px; background: transparent; }}
QToolButton:hover {{ background: {hover}; }}
QToolButton:checked {{ background: {hover}; border-color: {accent}; }}
QToolButton:pressed {{ background: {border}; }}
QToolButton:focus {{ border: 2px solid {accent}; padding: 2px; }}
QToolButton[popupMode="2"]::menu-indicator {{ width: 0; image: none; }}
QStatusBar {{ background: {window}; border-top: 1px solid {border}; }}
QStatusBar::item {{ border: 0; }}
QLineEdit, QPlainTextEdit, QTextBrowser {{
    background: {base}; border: 1px solid {border}; border-radius: 3px; padding: 2px 4px;
    selection-background-color: {accent}; selection-color: {on_accent};
}}
QLineEdit:focus, QPlainTextEdit:focus {{ border-color: {accent}; }}
QLineEdit[wrong="true"] {{ border: 1px solid {danger}; color: {danger}; }}
QComboBox[wrong="true"], QPushButton[wrong="true"] {{ color: {danger}; }}
QComboBox QLineEdit {{ border: 0; background: transparent; padding: 0 2px; }}
QCheckBox::indicator, QListView::indicator, QTreeView::indicator, QTableView::indicator {{
    width: 12px; height: 12px; border: 1px solid {muted}; border-radius: 2px; background: {base};
}}
QCheckBox::indicator:checked, QListView::indicator:checked, QTreeView::indicator:checked,
QTableView::indicator:checked {{ background: {accent}; border-color: {accent}; image: url("{tick}"); }}
QCheckBox::indicator:indeterminate {{ background: {border}; }}
QCheckBox::indicator:disabled {{ border-color: {ghost}; }}
QCheckBox::indicator:checked:disabled {{ background: {ghost}; }}
QRadioButton::indicator {{
    width: 12px; height: 12px; border: 1px solid {muted}; border-radius: 7px; background: {base};
}}
QRadioButton::indicator:checked {{
    width: 6px; height: 6px; border: 4px solid {accent}; border-radius: 7px; background: {base};
}}
QTreeView, QListView, QTableView {{ background: {base}; border: 1px solid {border}; outline: 0; }}
QTreeView:focus, QListView:focus, QTableView:focus {{ border-color: {accent}; }}
QTreeView::item, QListView::item {{ padding: 2px; }}
QListView::item {{ min-height: 16px; }}
QTreeView::item:hover, QListView::item:hover {{ background: {hover}; color: {text}; }}
QTreeView::item:selected, QListView::item:selected {{ background: {accent}; color: {on_accent}; }}
QHeaderView::section {{ background: {raised}; color: {text}; border: 0; padding: 3px 6px; }}
QTabBar::tab {{ padding: 2px 10px; background: {raised}; border: 1px solid {border}; }}
QTabBar::tab:selected {{ background: {base}; color: {text}; border-bottom: 2px solid {accent}; }}
QTabBar::tab:selected:focus {{ border: 2px solid {accent}; padding: 1px 9px; }}
QScrollArea {{ border: 0; background: transparent; }}
QSplitter::handle {{ background: {window}; }}
QSplitter::handle:hover {{ background: {accent}; }}
QScrollArea#palette QToolButton {{ padding: 1px 0px; }}
QScrollArea#palette QToolButton:focus {{ padding: 0px; }}
QScrollArea#palette QToolButton[role="fold"] {{ font-weight: 600; border: 0; background: transparent; }}
QScrollArea#palette QToolButton[role="fold"]:hover {{ background: {hover}; }}
QScrollArea#palette QToolButton[role="point"] {{ border: 1px solid {border}; padding: 1px 5px; }}
QScrollArea#palette QToolButton[role="point"]:hover {{ border-color: {accent}; }}
QFrame[role="card"] {{ background: {base}; border: 1px solid {border}; border-radius: 6px; }}
QLabel[role="section"] {{ color: {text}; font-weight: 600; padding: 2px 0; }}
QLabel[role="muted"] {{ color: {muted}; }}
QLabel[role="wrong"] {{ color: {danger}; }}
QLabel[role="title"] {{ font-size: 20px; font-weight: 600; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPushButton {{ background: {raised}; border: 1px solid {border}; border-radius: 4px; padding: 4px 12px; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:default {{ border-color: {accent}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 3px 11px; }}
QPushButton:disabled {{ color: {ghost}; }}
"""
