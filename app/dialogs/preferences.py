"""Preferences: theme, units, navigation, memory, font size."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.platform.appearance import button_box, label
from app.platform.settings import LIMITS, Preferences
from app.platform.units import PRESETS
from app.widgets.decimal_box import DecimalBox
from app.widgets.mouse_wheel import pass_wheel
from engine.maths.units import UNITS

THEMES = (("Like the system", "system"), ("Light", "light"), ("Dark", "dark"))
NAVIGATION = (
    ("Trammel: right drag turns, with Shift moves", "trammel"),
    ("FreeCAD", "freecad"),
    ("Blender", "blender"),
    ("SolidWorks", "solidworks"),
)
NAMES = {
    "m": "Length",
    "rad": "Angle",
    "kg": "Mass",
    "s": "Time",
    "m/s": "Velocity",
    "rad/s": "Angular velocity",
    "m/s²": "Acceleration",
    "rad/s²": "Angular acceleration",
    "N": "Force",
    "N·m": "Torque",
    "N/m": "Stiffness",
    "N·s/m": "Damping",
    "N·m/rad": "Rotational stiffness",
    "N·m·s/rad": "Rotational damping",
    "kg·m²": "Inertia",
    "kg/m³": "Density",
    "kg/m": "Mass per length",
    "J": "Energy",
    "W": "Power",
    "Hz": "Frequency",
}


class PreferencesDialog(QDialog):
    """`preferences` holds what was chosen."""

    def __init__(self, parent: QWidget, preferences: Preferences) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self.setWindowTitle("Preferences")
        self.resize(540, 600)
        self._before = preferences
        self.theme = _choice("preferences.theme", THEMES, preferences.theme)
        self.navigation = _choice("preferences.navigation", NAVIGATION, preferences.navigation)
        self.font_size = DecimalBox()
        self.font_size.setObjectName("preferences.font_size")
        self.font_size.setRange(*LIMITS["font_size"])
        self.font_size.setSpecialValueText("system")
        self.font_size.setSuffix(" pt")
        self.font_size.setDecimals(1)
        self.font_size.setValue(preferences.font_size)
        self.memory = DecimalBox()
        self.memory.setObjectName("preferences.memory")
        self.memory.setRange(*LIMITS["memory"])
        self.memory.setSuffix(" GB")
        self.memory.setDecimals(1)
        self.memory.setValue(preferences.memory)
        self.memory.setToolTip("Recorded states beyond this go to a file; acts on the next start")
        self.autosave = DecimalBox()
        self.autosave.setObjectName("preferences.autosave")
        self.autosave.setRange(*LIMITS["autosave"])
        self.autosave.setDecimals(0)
        self.autosave.setSuffix(" s")
        self.autosave.setValue(preferences.autosave)
        self.compile_ahead = QCheckBox("in the background, before they are used")
        self.compile_ahead.setObjectName("preferences.compile_ahead")
        self.compile_ahead.setChecked(preferences.compile_ahead)
        self.compile_ahead.setToolTip(
            "Once on this machine, at low priority, for some minutes; "
            "else each method is compiled when it is first used"
        )
        for field in (self.font_size, self.memory, self.autosave):
            pass_wheel(field)
        form = QFormLayout()
        for text, widget in (
            ("Theme", self.theme),
            ("Mouse in the viewport", self.navigation),
            ("Font size", self.font_size),
            ("Memory for records", self.memory),
            ("Autosave every", self.autosave),
            ("Compile methods", self.compile_ahead),
        ):
            form.addRow(label(text, name=f"{widget.objectName()}.title"), widget)
        self.preset = _choice(
            "preferences.units", [("Own choice", "")] + [(name, name) for name in PRESETS], ""
        )
        self.preset.setToolTip("Choose all units at once; below, each can be chosen by itself")
        self.units: dict[str, QComboBox] = {}
        units = QFormLayout()
        units.addRow(label("All units", name="preferences.units.title"), self.preset)
        for si, sizes in UNITS.items():
            box = _choice(
                f"preferences.units.{si}", [(name, name) for name in sizes], preferences.units.get(si, si)
            )
            box.currentIndexChanged.connect(self._show_preset)
            self.units[si] = box
            units.addRow(label(NAMES[si], name=f"preferences.units.{si}.title"), box)
        group = QGroupBox("Units")
        inner = QVBoxLayout(group)
        inner.addWidget(label("Files and the engine always use SI.", "muted", "preferences.si"))
        inner.addLayout(units)
        page = QWidget()
        body = QVBoxLayout(page)
        body.addLayout(form)
        body.addWidget(group)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(page)
        standard = QDialogButtonBox.StandardButton
        buttons = button_box(standard.Ok | standard.Cancel, "preferences")
        column = QVBoxLayout(self)
        column.addWidget(area, 1)
        column.addWidget(buttons)
        self.preset.activated.connect(self._use_preset)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._show_preset()

    @property
    def preferences(self) -> Preferences:
        return replace(
            self._before,
            theme=self.theme.currentData(),
            navigation=self.navigation.currentData() or self._before.navigation,
            font_size=self.font_size.value(),
            memory=self.memory.value(),
            autosave=self.autosave.value(),
            compile_ahead=self.compile_ahead.isChecked(),
            units=self._chosen,
        )

    @property
    def _chosen(self) -> dict[str, str]:
        """Units that are shown in place of those of SI."""
        return {si: box.currentData() for si, box in self.units.items() if box.currentData() != si}

    def _show_preset(self) -> None:
        """Name the set that the units are; others are a choice of one's own."""
        same = [name for name, units in PRESETS.items() if units == self._chosen]
        self.preset.setCurrentIndex(self.preset.findData(same[0]) if same else 0)

    def _use_preset(self) -> None:
        chosen = PRESETS.get(self.preset.currentData())
        if chosen is not None:
            for si, box in self.units.items():
                with QSignalBlocker(box):
                    box.setCurrentIndex(max(box.findData(chosen.get(si, si)), 0))


def _choice(
    name: str, choices: "list[tuple[str, str]] | tuple[tuple[str, str], ...]", value: str
) -> QComboBox:
    box = QComboBox()
    box.setObjectName(name)
    for text, data in choices:
        box.addItem(text, data)
    box.setCurrentIndex(max(box.findData(value), 0))
    pass_wheel(box)
    return box
