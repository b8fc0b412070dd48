"""Help without a network: the guide, the shortcut sheet, a page per method and the references, as Markdown.

Guide, method pages and references are files of `docs/`, which the wheel carries along; indices, keys and
options come from the program itself, so that they cannot be out of date.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from app.dialogs.help.citations import PAGE as REFERENCES
from app.dialogs.help.citations import with_links
from app.platform.resources import data_folder
from engine.maths.units import UNITS

HEADINGS = ("Equations", "Order and stability", "Cost", "When to use it", "What it gets wrong")
NEWS = "whats-new"
LAW_LINK = re.compile(r"^- \[([^\]:]+)[^\]]*\]\((\w+)\.md\)$", re.MULTILINE)
FILE_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!\S+\.md)\S+\)")  # to anything that is no page
CONTACT, LAWS = "contact", "laws"  # page of contact and friction, folder of the pages of single laws
METHODS = "methods"  # folder of the method pages, and key of their index


@dataclass(frozen=True)
class Topic:
    """One page, below the page `parent` in the contents."""

    key: str
    title: str
    text: Callable[[], str]
    parent: str = ""


@dataclass(frozen=True)
class Shortcut:
    """One line of the shortcut sheet."""

    menu: str
    keys: str
    text: str
    tooltip: str


def topics(shortcuts: Sequence[Shortcut] = ()) -> tuple[Topic, ...]:
    """All pages, each after the one it lies below."""
    made = [
        Topic("guide", "Guide", guide_page),
        Topic(NEWS, "What is new", partial(page, f"{NEWS}.md")),
        Topic("building", "Building by hand", partial(page, "building.md")),
        Topic("editing", "Editing a mechanism", partial(page, "editing.md")),
        Topic("exporting", "Taking results away, importing", partial(page, "exporting.md")),
        Topic("channels", "Channels", partial(page, "channels.md")),
        Topic("analyses", "Analyses", partial(page, "analyses.md")),
        Topic("forms", "Named forms of the equations", partial(page, "forms.md")),
        Topic("studies", "Studies", study_page),
        Topic("python", "Trammel in Python", python_page),
        Topic("race", "Races of methods", partial(page, "race.md")),
        Topic(CONTACT, "Contact and friction", partial(page, f"{CONTACT}.md")),
        *law_topics(),
        Topic("templates", "Templates", template_page),
        Topic("shortcuts", "Keyboard shortcuts", partial(shortcut_page, tuple(shortcuts))),
        Topic(METHODS, "Methods", method_index),
    ]
    for sort, kinds in method_kinds().items():
        made.append(Topic(sort, sort, partial(method_table, sort, kinds), METHODS))
        for kind in kinds:
            text = partial(method_page, sort, kind)
            made.append(Topic(f"{METHODS}/{kind.name}", kind.title, text, sort))
    made.append(Topic(REFERENCES, "References", partial(page, f"{REFERENCES}.md")))
    return tuple(made)


def law_topics() -> list[Topic]:
    """A page per law of contact and friction and per way to integrate it, in the order of their index."""
    folder = data_folder("docs") / LAWS
    names = LAW_LINK.findall((folder / "README.md").read_text(encoding="utf-8"))
    return [Topic(f"{LAWS}/{name}", title, partial(_law_page, name), CONTACT) for title, name in names]


def _law_page(name: str) -> str:
    return with_links(page(f"{LAWS}/{name}.md"))


def page(name: str) -> str:
    """A file of `docs/` as it is."""
    return (data_folder("docs") / name).read_text(encoding="utf-8")


def study_page() -> str:
    """The page on studies; files that it links to are named, not opened."""
    return FILE_LINK.sub(r"\1", page("studies.md"))


def python_page() -> str:
    """The page on Python; here code and what it prints look alike, so a word stands between them."""
    return page("python.md").replace("```\n\n```text", "```\n\n*prints*\n\n```text")


def guide_page() -> str:
    """How Trammel works, and the units that its fields take."""
    rows = "".join(f"| {si or 'none'} | {', '.join(sizes)} |\n" for si, sizes in UNITS.items())
    return f"{page('guide.md')}\n## Units that fields take\n\n| SI | also |\n|---|---|\n{rows}"


def template_page() -> str:
    """All templates with pictures and parameters."""
    from engine.templates import TEMPLATES

    parts = [
        "# Templates\n\n**Insert › Template…** makes these mechanisms from their dimensions. Numbers below "
        "are the defaults; the dialog shows and takes your own units. What is put in is an "
        "ordinary part of the scene: every length, joint and motion can be edited afterwards.\n"
    ]
    pictures = data_folder("assets") / "thumbnails" / "templates"
    for template in TEMPLATES:
        rows = "".join(
            f"| {_cell(p.title)} | {_default(p)} | {_cell(p.help)} |\n" for p in template.parameters
        )
        file = pictures / f"{template.name}.png"
        picture = f'\u00a0<img src="{file.as_uri()}"/>\n\n' if file.is_file() else ""
        more = " ".join(text for text in (template.source, template.notes) if text)
        parts.append(
            f"## {template.title}\n\n{_cell(template.summary)} {_cell(more)}\n\n{picture}"
            f"| Parameter | Default | Meaning |\n|---|---|---|\n{rows}"
        )
    return with_links("\n".join(parts))


def _default(parameter: Any) -> str:
    """The value that a parameter has at first."""
    if parameter.choices:
        return str(parameter.choices[int(parameter.default)])
    if parameter.unit == "rad":
        return f"{math.degrees(parameter.default):.4g}°"
    return f"{parameter.default:.4g} {parameter.unit}".rstrip()


def shortcut_page(shortcuts: Sequence[Shortcut]) -> str:
    """All actions that have keys, by menu."""
    parts = ["# Keyboard shortcuts\n"]
    for menu in dict.fromkeys(shortcut.menu for shortcut in shortcuts):
        rows = "".join(
            f"| **{_cell(s.keys)}** | {_cell(s.text)} | {_cell(s.tooltip)} |\n"
            for s in shortcuts
            if s.menu == menu
        )
        parts.append(f"## {menu}\n\n| Keys | Command | What it does |\n|---|---|---|\n{rows}")
    return "\n".join(parts)


def method_kinds() -> dict[str, tuple[Any, ...]]:
    """Everything registered that a method is made of, by sort."""
    from engine.solvers.direct import DIRECT
    from engine.solvers.formulations import FORMULATIONS
    from engine.solvers.integrators import SCHEMES
    from engine.solvers.stabilisation import STABILISATIONS

    registries: dict[str, Any] = {
        "Formulations": FORMULATIONS,
        "Schemes": SCHEMES,
        "Stabilisations": STABILISATIONS,
        "Direct methods": DIRECT,
    }
    return {sort: tuple(registry) for sort, registry in registries.items() if len(registry)}


def method_index() -> str:
    """What a method is made of, and tables of all there is."""
    return (
        "# Methods\n\nA method is written *formulation/scheme/stabilisation*, such as "
        "`lagrange/rk4/projection`, or is a direct method with one name. Choose it in the transport bar; a "
        "change acts from the present instant on.\n\n"
        + "\n".join(method_table(sort, kinds) for sort, kinds in method_kinds().items())
    )


def method_table(sort: str, kinds: tuple[Any, ...]) -> str:
    """The kinds of one sort in short."""
    rows = "".join(
        f"| [{kind.name}]({METHODS}/{kind.name}.md) | {_cell(kind.title)} | {_cell(kind.summary)} |\n"
        for kind in kinds
    )
    return f"## {sort}\n\n| Name | Title | In short |\n|---|---|---|\n{rows}"


def method_page(sort: str, kind: Any) -> str:
    """The page of a registered kind, with its facts put in front of the first heading."""
    path = data_folder("docs") / METHODS / f"{kind.name}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else f"# {kind.title}\n\n{kind.summary}\n"
    head, mark, rest = with_links(text).partition(f"## {HEADINGS[0]}")
    return f"{head}{_facts(sort, kind)}\n{mark}{rest}"


def _facts(sort: str, kind: Any) -> str:
    said = [f"{sort.removesuffix('s')} `{kind.name}`"]
    if getattr(kind, "order", 0):
        said.append(f"order {kind.order}")
    if getattr(kind, "adaptive", False):
        said.append("chooses its steps")
    text = f"{', '.join(said)}.\n"
    if getattr(kind, "presets", None):
        text += (
            "\nPresets, with other defaults: " + ", ".join(f"`{kind.name}/{p}`" for p in kind.presets) + ".\n"
        )
    if kind.options:
        rows = "".join(f"| `{o.name}` | {_cell(o.title)} | {o.default:g} {o.unit} |\n" for o in kind.options)
        text += f"\n| Option | Meaning | Default |\n|---|---|---|\n{rows}"
    return text


def _cell(text: str) -> str:
    """A text for a cell of a table."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("[", "\\[").replace("*", "\\*")
