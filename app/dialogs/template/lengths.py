"""The offer to insert the lengths of a template as named parameters."""

from __future__ import annotations

from functools import cache

from PySide6.QtWidgets import QCheckBox

from engine.model.scene import Scene
from engine.templates import TEMPLATES
from engine.templates.base import Made, Template, Values
from engine.templates.parametric import lengths_of, parametric, slopes

TITLE = "Lengths as parameters"


@cache
def possible(name: str) -> tuple[str, ...]:
    """Lengths of a template that can be parameters, as it is by default."""
    return slopes(TEMPLATES[name], {}).lengths


class LengthsBox(QCheckBox):
    """On at first; hidden where no length of the template can be a parameter."""

    def __init__(self) -> None:
        super().__init__(TITLE)
        self.setObjectName("template.parameters")
        self.setChecked(True)

    def offer(self, template: Template) -> None:
        """Say what it would do with a template."""
        names = possible(template.name)
        self.setVisible(bool(names))
        titles = {parameter.name: parameter.title for parameter in lengths_of(template)}
        listed = ", ".join(titles[name] for name in names)
        text = f"Named parameters, which sliders of the Parameters panel vary: {listed}."
        rest = [title for name, title in titles.items() if name not in names]
        if rest:
            text += f" Numbers stay: {', '.join(rest)}, which the parts follow in no simple way."
        self.setToolTip(text)

    def applied(self, template: Template, values: Values, made: Made, scene: Scene) -> Made:
        """What was made, with parameters whose names are free in a scene."""
        if not self.isChecked() or not possible(template.name):
            return made
        return parametric(template, values, {parameter.name for parameter in scene.parameters})
