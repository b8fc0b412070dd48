"""What the wheel holds: one package `trammel`, with `app` and `engine` inside it.

In the checkout the two stand side by side at the top. Installed like that they would take two common names
in the user's environment, so the wheel gets copies whose import statements begin with `trammel.`. Nothing
else in them is changed: code that needs the name of a module asks the module.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("app", "engine")
PUBLIC = "distribution/public"  # what users import, and what leads an editable install to the checkout
DATA = ("scenes", "assets", "docs")  # read at run time; in the wheel below trammel/app/_data

_FROM = re.compile(r"^(\s*from )((?:app|engine)(?:\.[\w.]+)? import )", re.MULTILINE)
_IMPORT = re.compile(r"^(\s*import )(app|engine)\b(?!\.)(?! as )", re.MULTILINE)


def moved(source: str) -> str:
    """A module's text with its imports of the program's packages led through `trammel`."""
    return _IMPORT.sub(r"\1trammel.\2 as \2", _FROM.sub(r"\1trammel.\2", source))


def copy_package(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".py":
            copy.write_text(moved(path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(path, copy)


class PackageHook(BuildHookInterface):
    """Fills the wheel; an editable install only gets the package that users import."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable":
            build_data["force_include_editable"][str(root / PUBLIC)] = "trammel"
            return
        self._folder = Path(tempfile.mkdtemp(prefix="trammel-wheel-"))
        copy_package(root / PUBLIC, self._folder / "trammel")
        for package in PACKAGES:
            copy_package(root / package, self._folder / "trammel" / package)
        build_data["force_include"][str(self._folder / "trammel")] = "trammel"
        for folder in DATA:
            build_data["force_include"][str(root / folder)] = f"trammel/app/_data/{folder}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            shutil.rmtree(self._folder, ignore_errors=True)
