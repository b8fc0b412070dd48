"""What is selected has the accent colour and an outline; what is under the pointer is lighter; what a run
says of an element (friction that holds or slips) has a colour of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vtkmodules.vtkRenderingCore import vtkRenderer

from app.document.element_ref import Ref
from app.viewport.visuals.base import HOVER, SELECTED, Part, Visual
from app.viewport.visuals.marks.halo import Halo

OUTLINE = 0.0045  # of the extent
STATED = 0.85  # share of a colour that a run gives
MAX_OUTLINES = 60  # parts; more have the accent colour alone


class Highlight:
    """Remembers what is selected, so that it can be shown again when visuals are made anew."""

    def __init__(self) -> None:
        self._selected: tuple[Any, ...] = ()
        self._hovers: tuple[Any, ...] = ()
        self._colors: dict[Ref, str] = {}  # by the run, below both
        self._tinted: dict[Ref, tuple[str, float]] = {}  # colour that is mixed in, and its share
        self._halo = Halo()

    def choose(self, refs: Iterable[Any], hovers: Iterable[Any]) -> bool:
        """Remember; True when anything changed."""
        chosen, pointed = tuple(refs), tuple(hovers)
        if chosen == self._selected and pointed == self._hovers:
            return False
        self._selected, self._hovers = chosen, pointed
        return True

    def color(self, colors: Mapping[Ref, str]) -> bool:
        """Elements that have colours by what a run says of them; True when anything changed."""
        if colors == self._colors:
            return False
        self._colors = dict(colors)
        return True

    def attach(self, renderer: vtkRenderer) -> None:
        """The renderer was emptied, and all visuals are new."""
        self._halo.attach(renderer)
        self._tinted = {}

    def forget(self, refs: Iterable[Ref]) -> None:
        """These visuals are new."""
        for ref in refs:
            self._tinted.pop(ref, None)

    def show(self, visuals: Mapping[Ref, Visual], accent: str, extent: float) -> list[Part]:
        """Show what was chosen; the parts that have other colours now."""
        selected = {(ref.where, ref.name) for ref in self._selected}
        hovers = {(ref.where, ref.name) for ref in self._hovers}
        wanted = {ref: (color, STATED) for ref, color in self._colors.items() if ref in visuals}
        chosen: list[Part] = []
        for ref in visuals:
            key = (ref.where, ref.name)
            if key in selected:
                wanted[ref] = (accent, SELECTED)
                chosen += visuals[ref].parts
            elif key in hovers:
                wanted[ref] = ("#FFFFFF", HOVER)
        tinted: list[Part] = []
        for ref in {*self._tinted, *wanted}:
            if self._tinted.get(ref) == wanted.get(ref) or ref not in visuals:
                continue
            tinted += visuals[ref].parts
            for part in visuals[ref].parts:
                part.tint(*wanted.get(ref, (None, 0.0)))
        self._tinted = wanted
        self._halo.show(chosen[:MAX_OUTLINES], accent, OUTLINE * extent)
        return tinted
