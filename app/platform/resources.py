"""Where scenes, assets and help pages are: beside the packages in a checkout, inside `app` in a wheel."""

from difflib import get_close_matches
from pathlib import Path

from app.platform.user_error import InputError

_PACKAGE = Path(__file__).resolve().parents[1]
_FONT = "fonts/DejaVuSans.ttf"


def data_folder(name: str, *, package: Path = _PACKAGE) -> Path:
    """Folder `scenes`, `assets` or `docs`; the wheel's copy wins, since a checkout never has one."""
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise InputError(
        f"the folder {name!r} that belongs to Trammel is missing", remedy="install Trammel again"
    )


def scene_paths() -> dict[str, Path]:
    """Shipped scenes by name, sorted."""
    return {path.stem: path for path in sorted(data_folder("scenes").glob("*.json"))}


def find_scene(text: str) -> Path:
    """Path of the scene the user means: a file, or the name of a shipped scene."""
    path = Path(text)
    if path.is_file():
        return path
    shipped = scene_paths()
    if text in shipped:
        return shipped[text]
    if path.is_dir():
        raise InputError(f"{text} is a folder", remedy="name a scene file in it")
    if path.suffix or len(path.parts) > 1:
        raise InputError(f"no scene file {text}", remedy="check the path, or see `trammel list scenes`")
    near = get_close_matches(text, shipped, n=3)
    remedy = (
        f"did you mean {' or '.join(near)}?" if near else "see `trammel list scenes` and `trammel --help`"
    )
    raise InputError(f"no scene or command {text!r}", remedy=remedy)


def scene_argument(path: Path) -> str:
    """What the user types to mean this scene."""
    return path.stem if scene_paths().get(path.stem) == path else str(path)


def font_path() -> Path:
    """The shipped font, so that labels show on a system that has none."""
    return data_folder("assets") / _FONT
