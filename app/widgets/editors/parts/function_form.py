"""Forms over the text of a function of time: the speed of a motor, or the way of a profile, with units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout

from app.platform.units import PLAIN
from app.widgets.editors.base import Context, Editor
from app.widgets.editors.choice import ChoiceEditor
from app.widgets.editors.parts.beside import beside
from app.widgets.editors.parts.text_line import LineEdit
from engine.maths.expressions import ExpressionError, parse
from engine.maths.function_forms import ConstantSpeed, Profile, read_form
from engine.maths.units import SIZES

SPEED, PROFILE = "constant speed", "profile"
RATES = {"rad": "rad/s", "m": "m/s"}  # units of coordinates, and of their speeds
SHAPES = {"step": "smooth acceleration", "trapezoid": "trapezoid of speed", "ramp": "straight line"}
FIRST_SPEED = {"rad/s": "60 rpm", "m/s": "100 mm/s"}  # when there is none to begin with
Form = ConstantSpeed | Profile


def offers_forms(unit: str, of: Sequence[str]) -> bool:
    """Whether a function is a coordinate or a speed over time."""
    return tuple(of) == ("t",) and (unit in RATES or unit in RATES.values())


def form_of(value: Any, unit: str) -> Form | None:
    """The form that a stored function has; of a prescribed speed, one without the time is constant."""
    if value is None or not isinstance(value, str | float | int):
        return None
    try:
        form = read_form(value) if isinstance(value, str) else None
        if unit in RATES:
            return form
        if isinstance(form, ConstantSpeed):
            return None
        if form is None and (not isinstance(value, str) or "t" not in parse(value).names):
            return ConstantSpeed(str(value))
    except ExpressionError:  # told by the line
        return None
    return form


def speed_form(unit: str, context: Context, first: float, last: float) -> str:
    """Text of a constant speed that leads from the first to the last value in the time of the scene."""
    rate = RATES.get(unit)
    if rate is None:
        return measured(context, first, unit) if first else FIRST_SPEED[unit]
    speed = (last - first) / context.duration
    written = measured(context, speed, rate) if speed else FIRST_SPEED[rate]
    return ConstantSpeed(written, measured(context, first, unit) if first else "").text


def profile_form(unit: str, context: Context, first: float, last: float) -> str:
    """Text of a profile: a coordinate goes on to where it was to be, a speed is reached from rest."""
    if unit in RATES:
        way = (measured(context, first, unit), f"{context.duration:g} s", measured(context, last, unit))
        return Profile("step", "0 s", *way).text
    return Profile("step", "0 s", measured(context, 0.0, unit), "1 s", measured(context, last, unit)).text


def measured(context: Context, value: float, unit: str) -> str:
    """A number as it stands in an expression: with its display unit, unless that is the SI unit."""
    shown = context.units.shown(unit)
    carries = shown != unit and SIZES.get(shown) == context.units.factor(unit)
    return f"{context.units.text(value, unit)} {shown}" if carries else f"{value:.10g}"


@dataclass(frozen=True)
class _Piece:
    """One line of a form: the part of it that it edits."""

    title: str
    unit: str
    part: str
    optional: bool = False


def _pieces(form: Form, unit: str) -> tuple[_Piece, ...]:
    if isinstance(form, ConstantSpeed):
        if unit not in RATES:  # the line of the function is the speed
            return ()
        return _Piece("Speed", RATES[unit], "speed"), _Piece("At t = 0", unit, "start", optional=True)
    ends = (_Piece("From", unit, "first"), _Piece("at", "s", "begins"), _Piece("to", unit, "last"))
    ramp = (_Piece("Faster, slower for", "s", "ramp"),) if form.shape == "trapezoid" else ()
    return (*ends, _Piece("at", "s", "ends"), *ramp)


class FormFields(Editor):
    """The parts of a form, each with its unit; `committed` tells the text of the whole function."""

    def __init__(self, context: Context, unit: str, name: str) -> None:
        super().__init__()
        self._context, self._unit, self._name = context, unit, name
        self._form: Form | None = None
        self._pieces: tuple[_Piece, ...] = ()
        self._lines: dict[str, LineEdit] = {}
        self._titles: dict[str, QLabel] = {}
        shapes = [(title, key) for key, title in SHAPES.items() if unit in RATES or key != "trapezoid"]
        self._shape = ChoiceEditor(f"{name}.shape", shapes)
        self._shape.committed.connect(self._reshape)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self._shape)
        self._rows: list[Any] = []

    def busy(self) -> bool:
        return any(line.hasFocus() and line.dirty for line in self._lines.values())

    def show_form(self, form: Form | None) -> None:
        """The parts of this form; nothing for none."""
        self._form = form
        pieces = () if form is None else _pieces(form, self._unit)
        if pieces != self._pieces:
            self._build(pieces)
        self.setVisible(bool(pieces))
        self._shape.setVisible(isinstance(form, Profile))
        if isinstance(form, Profile):
            self._shape.show_value(form.shape)
        for piece in pieces:
            text = self._shown(getattr(form, piece.part), piece.unit)
            self._lines[piece.part].show_text(text)
            self._titles[piece.part].setText(self._heading(piece, text))

    def _heading(self, piece: _Piece, text: str) -> str:
        """The title, with the unit in which a number without one counts."""
        plain = PLAIN.match(text)
        carries = bool(plain and plain[2])
        return piece.title if carries else f"{piece.title} [{self._context.units.shown(piece.unit)}]"

    def _build(self, pieces: tuple[_Piece, ...]) -> None:
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._pieces, self._rows, self._lines, self._titles = pieces, [], {}, {}
        for piece in pieces:
            name = f"{self._name}.{piece.part}"
            line = LineEdit(self._reader(piece))
            line.setObjectName(name)
            line.setPlaceholderText("0" if piece.optional else "")
            line.finished.connect(lambda text, piece=piece: self._finish(piece, text))
            line.complained.connect(self.complained)
            row = beside(piece.title, line, f"{name}.title")
            self._lines[piece.part] = line
            self._titles[piece.part] = row.findChildren(QLabel)[0]
            self._rows.append(row)
            self._column.addWidget(row)

    def _shown(self, text: str, unit: str) -> str:
        """Bare numbers of the text are SI, those of the line count in the display unit."""
        plain = PLAIN.match(text)
        return self._context.units.text(float(plain[1]), unit) if plain and not plain[2] else text

    def _reader(self, piece: _Piece) -> Callable[[str], str]:
        def read(text: str) -> str:
            if piece.optional and not text.strip():
                return ""
            value = self._context.units.parse_function(text, piece.unit, self._context.names)
            return value if isinstance(value, str) else measured(self._context, value, piece.unit)

        return read

    def _finish(self, piece: _Piece, text: str) -> None:
        assert self._form is not None
        changed: dict[str, Any] = {piece.part: text}
        self.committed.emit(replace(self._form, **changed).text)

    def _reshape(self, shape: str) -> None:
        assert isinstance(self._form, Profile)
        ramp = self._ramp(self._form) if shape == "trapezoid" else ""
        self.committed.emit(replace(self._form, shape=shape, ramp=ramp).text)

    def _ramp(self, form: Profile) -> str:
        """A quarter of the way for getting faster, and one for getting slower."""
        text = f"({form.ends} - ({form.begins}))/4"
        try:
            return f"{parse(text).value(self._context.names):g} s"
        except ExpressionError:
            return text
