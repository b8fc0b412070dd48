"""XML as a tree that knows its lines, and numbers in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from engine.errors import FileError


class UrdfError(FileError):
    """A file that is no robot; the message names the line."""


@dataclass
class Node:
    """One element of the file."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Node]:
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Node | None:
        return next(self.all(tag), None)

    def need(self, name: str) -> str:
        """An attribute that must be there."""
        if not self.attributes.get(name, "").strip():
            raise UrdfError(f"line {self.line}: <{self.tag}> has no {name}")
        return self.attributes[name].strip()

    def number(self, name: str, otherwise: float | None = None) -> float:
        """An attribute that is a number; without `otherwise` it must be there."""
        if otherwise is not None and name not in self.attributes:
            return otherwise
        return self._numbers(name, 1)[0]

    def vector(self, name: str, otherwise: tuple[float, ...]) -> tuple[float, ...]:
        """An attribute of as many numbers as `otherwise` has."""
        return self._numbers(name, len(otherwise)) if name in self.attributes else otherwise

    def _numbers(self, name: str, count: int) -> tuple[float, ...]:
        text = self.need(name)
        try:
            found = tuple(float(word) for word in text.split())
        except ValueError:
            found = ()
        if len(found) != count or not all(map(math.isfinite, found)):
            wanted = "a number" if count == 1 else f"{count} numbers"
            raise UrdfError(f"line {self.line}: {name}={text!r} of <{self.tag}> is not {wanted}")
        return found


def parse(text: str | bytes) -> Node:
    """The root of a file; raises UrdfError."""
    parser = expat.ParserCreate()
    top = Node("", {}, 0)
    open_nodes = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.startswith("xacro:"):
            raise UrdfError(
                f"line {parser.CurrentLineNumber}: <{tag}> is a macro; write the robot out first:"
                " `xacro robot.urdf.xacro > robot.urdf`"
            )
        node = Node(tag, attributes, parser.CurrentLineNumber)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def refuse(*_: object) -> None:
        raise UrdfError(f"line {parser.CurrentLineNumber}: entities of its own are not allowed in a robot")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_nodes.pop()
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise UrdfError(f"line {error.lineno}: this is not XML ({expat.ErrorString(error.code)})") from None
    (root,) = top.children
    if root.tag != "robot":
        raise UrdfError(f"line {root.line}: a robot begins with <robot>, not with <{root.tag}>")
    return root
