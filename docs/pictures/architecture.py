"""Draws the rooms of the program from the import contracts: `python docs/pictures/architecture.py`.

The layers come from `pyproject.toml` and the words from the packages themselves, so the picture cannot say
anything else than what the test command checks.
"""

from __future__ import annotations

import ast
import html
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = Path(__file__).with_suffix(".svg")

WIDTH = 940  # px
ROW, GAP, PAD = 30, 4, 14  # px: height of a layer, space between layers, margin
NAME = 170  # px: where the words behind a name begin
COLORS = {"app": "#E8F1FA", "engine": "#E9F5EC"}
LINES = {"app": "#0072B2", "engine": "#009E73"}
CHARACTERS = 104  # of a summary that fit beside a name


def layers(container: str) -> list[list[str]]:
    """Layers of a package as the contracts give them, uppermost first; rooms of one layer side by side."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for contract in tomllib.loads(text)["tool"]["importlinter"]["contracts"]:
        if contract.get("containers") == [container]:
            return [[room.strip() for room in layer.split("|")] for layer in contract["layers"]]
    raise LookupError(f"no contract orders the rooms of {container}")


def free_for_all(container: str) -> list[str]:
    """Rooms that no layer names: all others may import them."""
    named = {room for layer in layers(container) for room in layer}
    inside = (ROOT / container).iterdir()
    found = {path.stem for path in inside if path.suffix == ".py" or (path / "__init__.py").is_file()}
    return sorted(found - named - {"__init__", "__main__"})


def summary(container: str, room: str) -> str:
    """First line of the docstring of a package or module."""
    path = ROOT / container / room
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    doc = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return doc.splitlines()[0] if doc else ""


def drawn() -> str:
    """The picture as SVG text."""
    parts: list[str] = []
    y = PAD
    for container in ("app", "engine"):
        y += 18
        parts.append(_text(PAD, y, f"{container}/   each room may import the ones below it", bold=True))
        y += 10
        for layer in [*layers(container), free_for_all(container)]:
            if not layer:
                continue
            wide = (WIDTH - 2 * PAD - GAP * (len(layer) - 1)) / len(layer)
            for i, room in enumerate(layer):
                x = PAD + i * (wide + GAP)
                parts.append(
                    f'<rect x="{x:.0f}" y="{y}" width="{wide:.0f}" height="{ROW}" rx="5" '
                    f'fill="{COLORS[container]}" stroke="{LINES[container]}"/>'
                )
                parts.append(_text(x + 10, y + 20, room, bold=True))
                if len(layer) == 1:
                    parts.append(_text(x + NAME, y + 20, _short(summary(container, room))))
            y += ROW + GAP
        y += PAD
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}"'
    style = ' font-family="DejaVu Sans, sans-serif" font-size="12">'
    return "\n".join(
        [head + style, f'<rect width="{WIDTH}" height="{y}" fill="#FFFFFF"/>', *parts, "</svg>", ""]
    )


def _short(text: str) -> str:
    return text if len(text) <= CHARACTERS else text[: CHARACTERS - 1].rsplit(" ", 1)[0] + " …"


def _text(x: float, y: float, text: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.0f}" y="{y}" fill="#20272E"{weight}>{html.escape(text)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
