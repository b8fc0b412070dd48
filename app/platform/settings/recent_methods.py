"""Methods that were chosen last, newest first, remembered between two starts."""

from app.platform.settings import Settings
from engine.solvers.catalogue import METHODS

KEY = "recent_methods"
KEPT = 5


class RecentMethods:
    """The list; without settings it lasts as long as the program."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings
        names = settings.names(KEY) if settings is not None else []
        self._names = [name for name in names if name in METHODS][:KEPT]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def add(self, name: str) -> None:
        """Put a method, by its full name, on top."""
        self._names = list(dict.fromkeys([name, *self._names]))[:KEPT]
        if self._settings is not None:
            self._settings.set_value(KEY, self._names)
