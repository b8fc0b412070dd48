"""What is remembered between two starts: preferences, recent files, the layout of the window."""

import contextlib
import math
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_documents_path
from PySide6.QtCore import QByteArray, QSettings

from app.platform.units import DEFAULT_PRESET, PRESETS, Units
from engine.maths.units import UNITS

VERSION = 1
RECENT = 10  # files
LAYOUT = 2  # raised when docks change so much that an old layout would not fit
LIMITS = {"memory": (0.1, 64.0), "font_size": (0.0, 24.0), "autosave": (5.0, 3600.0)}  # of preferences


@dataclass(frozen=True)
class Preferences:
    """Choices of the user."""

    theme: str = "system"  # system, light, dark
    units: dict[str, str] = field(default_factory=lambda: dict(PRESETS[DEFAULT_PRESET]))
    navigation: str = "trammel"  # mouse preset of the viewport
    memory: float = 1.0  # GB kept of recorded states
    font_size: float = 0.0  # pt; 0 is the system's
    autosave: float = 60.0  # s between two automatic copies
    welcome: bool = True  # begin with the welcome page, unless a scene is named
    compile_ahead: bool = True  # have methods compiled in the background before they are used

    @property
    def display_units(self) -> Units:
        return Units(self.units)


class Settings:
    """The ini file. Give `path` in tests."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("trammel", appauthor=False) / "trammel.ini"
        with contextlib.suppress(OSError):  # without a folder nothing is remembered
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
                known = _limited(name, _as(type(default), value, default), default)
                preferences = replace(preferences, **{name: known})
        units = self._store.value("preferences/units")
        if isinstance(units, str):
            pairs = (pair.split("=", 1) for pair in units.split(";") if "=" in pair)
            known_units = {si: shown for si, shown in pairs if shown in UNITS.get(si, {})}
            preferences = replace(preferences, units=known_units)
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
        return [path for path in map(Path, self.names("recent")) if path.is_file()]

    def add_recent(self, path: Path) -> None:
        names = [str(path.resolve()), *(str(other) for other in self.recent)]
        self._store.setValue("recent", list(dict.fromkeys(names))[:RECENT])

    # folders

    @property
    def folder(self) -> Path:
        """Where the last file was opened or saved, at first where the documents of the user are."""
        last = self._store.value("folder")
        known = [Path(last)] if isinstance(last, str) and last else []
        return next((path for path in (*known, user_documents_path()) if path.is_dir()), Path.home())

    @folder.setter
    def folder(self, folder: Path) -> None:
        self._store.setValue("folder", str(folder.resolve()))

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

    def names(self, key: str) -> list[str]:
        """A list of texts; nonsense counts as nothing."""
        value = self._store.value(key, [])
        found = value if isinstance(value, list | tuple) else [value]
        return [name for name in found if isinstance(name, str)]

    def set_value(self, key: str, value: Any) -> None:
        self._store.setValue(key, value)


def _limited(name: str, value: Any, default: Any) -> Any:
    """A number inside the range that its field allows; what is none gives the default."""
    if name not in LIMITS:
        return value
    low, high = LIMITS[name]
    return min(max(value, low), high) if math.isfinite(value) else default


def _as(kind: type, value: Any, default: Any) -> Any:
    """A text of the ini file as the kind it was; nonsense gives the default."""
    try:
        return str(value) in ("true", "True", "1") if kind is bool else kind(value)
    except (TypeError, ValueError):
        return default
