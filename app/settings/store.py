"""What is remembered between two starts: preferences, recent files, the layout of the window."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from PySide6.QtCore import QByteArray, QSettings

from app.units import DEFAULT_PRESET, PRESETS, Units

VERSION = 1
RECENT = 10  # files
LAYOUT = 2  # raised when docks change so much that an old layout would not fit


@dataclass(frozen=True)
class Preferences:
    """Choices of the user."""

    theme: str = "system"  # system, light, dark
    units: dict[str, str] = field(default_factory=lambda: dict(PRESETS[DEFAULT_PRESET]))
    navigation: str = "trammel"  # mouse preset of the viewport
    memory: float = 1.0  # GB kept of recorded states
    font_size: float = 0.0  # pt; 0 is the system's
    autosave: float = 60.0  # s between two automatic copies

    @property
    def display_units(self) -> Units:
        return Units(self.units)


class Settings:
    """The ini file. Give `path` in tests."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("trammel", appauthor=False) / "trammel.ini"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self._store.setValue("version", VERSION)

    # preferences

    @property
    def preferences(self) -> Preferences:
        preferences = Preferences()
        for name, default in asdict(preferences).items():
            if name == "units":
                continue
            value = self._store.value(f"preferences/{name}")
            if value is not None:
                preferences = replace(preferences, **{name: _as(type(default), value, default)})
        units = self._store.value("preferences/units")
        if isinstance(units, str):
            pairs = (pair.split("=", 1) for pair in units.split(";") if "=" in pair)
            preferences = replace(preferences, units={si: shown for si, shown in pairs})
        return preferences

    @preferences.setter
    def preferences(self, preferences: Preferences) -> None:
        for name, value in asdict(preferences).items():
            if name == "units":
                value = ";".join(f"{si}={shown}" for si, shown in preferences.units.items())
            self._store.setValue(f"preferences/{name}", value)
        self._store.sync()

    # recent files

    @property
    def recent(self) -> list[Path]:
        value: Any = self._store.value("recent", [])
        names = [value] if isinstance(value, str) else list(value or [])
        return [path for path in map(Path, names) if path.is_file()]

    def add_recent(self, path: Path) -> None:
        names = [str(path.resolve()), *(str(other) for other in self.recent)]
        self._store.setValue("recent", list(dict.fromkeys(names))[:RECENT])

    def clear_recent(self) -> None:
        self._store.remove("recent")

    # the window

    def save_layout(self, geometry: QByteArray, state: QByteArray) -> None:
        self._store.setValue(f"window/{LAYOUT}/geometry", geometry)
        self._store.setValue(f"window/{LAYOUT}/state", state)
        self._store.sync()

    def layout(self) -> tuple[QByteArray, QByteArray] | None:
        geometry = self._store.value(f"window/{LAYOUT}/geometry")
        state = self._store.value(f"window/{LAYOUT}/state")
        if isinstance(geometry, QByteArray) and isinstance(state, QByteArray):
            return geometry, state
        return None

    def forget_layout(self) -> None:
        self._store.remove("window")

    def value(self, key: str, default: Any = None) -> Any:
        return self._store.value(key, default)

    def set_value(self, key: str, value: Any) -> None:
        self._store.setValue(key, value)


def _as(kind: type, value: Any, default: Any) -> Any:
    """A text of the ini file as the kind it was; nonsense gives the default."""
    try:
        return str(value) in ("true", "True", "1") if kind is bool else kind(value)
    except (TypeError, ValueError):
        return default
