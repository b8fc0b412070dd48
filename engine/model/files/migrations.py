"""Old files: one function per version, each turning plain data of that version into the next."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import Problem, shorten
from engine.model.scene import FORMAT, VERSION

Raw = dict[str, Any]
Migration = Callable[[Raw], None]

MIGRATIONS: dict[int, Migration] = {}


def migration(
    *, from_version: int, into: dict[int, Migration] = MIGRATIONS
) -> Callable[[Migration], Migration]:
    """Register a step from one version to the next; it changes the data in place."""

    def register(step: Migration) -> Migration:
        if from_version in into:
            raise ValueError(f"two migrations from version {from_version}")
        into[from_version] = step
        return step

    return register


def migrate(
    raw: Raw, *, steps: Mapping[int, Migration] = MIGRATIONS, current: int = VERSION
) -> list[Problem]:
    """Bring the data to the current version in place; problems when that cannot be done."""
    if raw.get("format") != FORMAT:
        text = f"this is not a scene file: format is {shorten(raw.get('format'))!r}"
        return [Problem("format", raw.get("format"), text, f'write "format": "{FORMAT}"')]
    version = raw.get("version")
    if type(version) is not int or version < 0:
        text = f"version is {shorten(version)}" if "version" in raw else "the version is missing"
        return [Problem("version", version, text, f'write "version": {current}')]
    if version > current:
        text = f"the file has version {version}; this program reads up to version {current}"
        return [Problem("version", version, text, "update the program, or save the scene with an older one")]
    for old in range(version, current):
        if old not in steps:
            text = f"there is no way from version {old} to version {current}"
            return [Problem("version", version, text, f"write the scene in version {current}")]
        steps[old](raw)
        raw["version"] = old + 1
    return []
