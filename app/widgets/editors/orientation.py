"""An orientation: Euler angles, a quaternion, or a turn about an axis; stored as the scene stores it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.platform.appearance import label
from app.platform.units import UnitError
from app.widgets.editors.base import SEVERAL, Change, Context, Editor
from app.widgets.editors.choice import ChoiceEditor
from app.widgets.editors.editor_kind import EditorKind, choices
from app.widgets.editors.number import NumberEditor
from app.widgets.editors.parts.numbers import number_now
from app.widgets.editors.vector import VectorEditor
from engine.compiled.layout import Array
from engine.elements.base import AxisAngle
from engine.maths.expressions import ExpressionError
from engine.maths.rotations import quaternion_of
from engine.model.mass import rotation

EULER, QUATERNION, AXIS = "Euler angles", "quaternion", "axis and angle"
FORMS = (EULER, QUATERNION, AXIS)
ROTATION_TOLERANCE = 1e-12  # difference of rotation matrices below which typed angles are kept as they are
DIGITS = 15  # of a stored component: rounding noise of the conversion is not stored


class OrientationEditor(Editor):
    """Euler angles turn about the world's x, then y, then z axis."""

    wide = True

    def __init__(self, context: Context, name: str) -> None:
        super().__init__()
        self._context = context
        self._values: list[Any] = []
        self._angles: tuple[Any, ...] = (0.0, 0.0, 0.0)
        self._form = ""  # as shown; follows what is stored until the user chooses
        self._choice = ChoiceEditor(f"{name}.form", [(form, form) for form in FORMS])
        self._choice.setToolTip("How the orientation is written here; Euler: about x, then y, then z")
        self._euler = VectorEditor(context, "rad", f"{name}.euler", range(3))
        self._quaternion = VectorEditor(context, "", name, range(4))
        self._axis = VectorEditor(context, "", f"{name}.axis", range(3))
        self._angle = NumberEditor(context, "rad", f"{name}.angle")
        self._pages = QStackedWidget()
        self._pages.setObjectName(f"{name}.pages")
        degrees = context.units.shown("rad")
        for title, editors in (
            (f"about x, y, z [{degrees}]", [self._euler]),
            ("w, x, y, z", [self._quaternion]),
            (f"axis x, y, z; below it the angle [{degrees}]", [self._axis, self._angle]),
        ):
            self._pages.addWidget(_page(title, editors, f"{name}.hint{self._pages.count()}"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._choice)
        column.addWidget(self._pages)
        self._choice.committed.connect(self._choose)
        self._quaternion.committed.connect(self._quaternion_typed)
        self._euler.committed.connect(self._euler_typed)
        self._axis.committed.connect(lambda change: self._axis_typed(change, None))
        self._angle.committed.connect(lambda angle: self._axis_typed(None, angle))
        for editor in (self._euler, self._quaternion, self._axis, self._angle):
            editor.complained.connect(self.complained)

    def busy(self) -> bool:
        return any(editor.busy() for editor in (self._euler, self._quaternion, self._axis, self._angle))

    def complain(self, reason: str) -> None:
        for editor in (self._euler, self._quaternion, self._axis, self._angle):
            if editor.isVisibleTo(self) or not reason:
                editor.complain(reason)

    def show_values(self, values: Sequence[Any]) -> None:
        self._values = list(values)
        mixed = any(value != values[0] for value in values[1:])
        form = self._form or _natural_form(values[0])
        self._choice.show_value(form)
        self._choice.box.setPlaceholderText(SEVERAL if mixed else "")
        self._pages.setCurrentIndex(FORMS.index(form))
        now = [self._rotation(value) for value in values]
        self._euler.show_values([self._euler_of(R) for R in now])
        self._quaternion.show_values(
            [
                value if isinstance(value, tuple) else _rounded(quaternion_of(R))
                for value, R in zip(values, now, strict=True)
            ]
        )
        turns = [
            value if isinstance(value, AxisAngle) else _axis_angle(R)
            for value, R in zip(values, now, strict=True)
        ]
        self._axis.show_values([turn.axis for turn in turns])
        self._angle.show_values([turn.angle for turn in turns])

    def show_value(self, value: Any, *, mixed: bool = False) -> None:
        self.show_values([value])

    def _choose(self, form: str) -> None:
        self._form = form
        self.show_values(self._values)

    # what was typed

    def _euler_typed(self, change: Change) -> None:
        self._angles = change.make(self._euler_of(self._rotation(self._values[0])))
        single = len(self._values) == 1

        def make(old: Any) -> Any:
            R = self._rotation(old)
            angles = self._angles if single else change.make(self._euler_of(R))
            return self._stored(old, euler_rotation([number_now(item, self._context) for item in angles]))

        self.committed.emit(Change(make))

    def _quaternion_typed(self, change: Change) -> None:
        def make(old: Any) -> Any:
            given = old if isinstance(old, tuple) else _rounded(quaternion_of(self._rotation(old)))
            new = change.make(given)
            if isinstance(old, tuple):
                return new
            return self._stored(old, self._turned(new))

        self._commit(make)

    def _axis_typed(self, change: Change | None, angle: Any) -> None:
        def make(old: Any) -> Any:
            turn = old if isinstance(old, AxisAngle) else _axis_angle(self._rotation(old))
            axis = turn.axis if change is None else change.make(turn.axis)
            new = AxisAngle(axis=axis, angle=turn.angle if angle is None else angle)
            if isinstance(old, AxisAngle):
                return new
            numbers = tuple(number_now(item, self._context) for item in axis)
            if not any(numbers):
                raise UnitError("an axis needs a direction, for instance 0, 0, 1")
            return self._stored(
                old, rotation(AxisAngle(axis=numbers, angle=number_now(new.angle, self._context)))
            )

        self._commit(make)

    def _commit(self, make: Callable[[Any], Any]) -> None:
        try:
            for value in self._values:
                made = make(value)
                numbers = made.axis if isinstance(made, AxisAngle) else made
                if not any(number_now(item, self._context) for item in numbers):
                    raise UnitError("this is no rotation: at least one component must not be zero")
        except (UnitError, ExpressionError, ValueError) as error:
            self.complain(str(error))
            return
        self.committed.emit(Change(make))

    # conversions

    def _stored(self, old: Any, R: Array) -> Any:
        return _axis_angle(R) if isinstance(old, AxisAngle) else _rounded(quaternion_of(R))

    def _rotation(self, value: Any) -> Array:
        try:
            if isinstance(value, AxisAngle):
                axis = tuple(number_now(item, self._context) for item in value.axis)
                return rotation(AxisAngle(axis=axis, angle=number_now(value.angle, self._context)))
            return self._turned(value)
        except (ExpressionError, ValueError, TypeError):
            return np.eye(3)

    def _turned(self, quaternion: Sequence[Any]) -> Array:
        w, x, y, z = (number_now(item, self._context) for item in quaternion)
        return rotation((w, x, y, z))

    def _euler_of(self, R: Array) -> tuple[Any, ...]:
        """The angles of a rotation; those that were typed, as long as they mean the same."""
        try:
            typed = euler_rotation([number_now(item, self._context) for item in self._angles])
        except (ExpressionError, TypeError):
            typed = np.full((3, 3), np.nan)
        if np.abs(typed - R).max() < ROTATION_TOLERANCE:
            return tuple(self._angles)
        return euler_angles(R)


def euler_rotation(angles: Sequence[float]) -> Array:
    """R = Rz(c) Ry(b) Rx(a): turned about the fixed axes x, y, z one after the other."""
    (ca, cb, cc), (sa, sb, sc) = np.cos(angles), np.sin(angles)
    return np.array(
        [
            [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
            [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
            [-sb, cb * sa, cb * ca],
        ]
    )


def euler_angles(R: Array) -> tuple[float, float, float]:
    """The inverse; where the second angle is a right one, the third is zero."""
    b = math.asin(max(-1.0, min(1.0, -float(R[2, 0]))))
    if math.hypot(R[2, 1], R[2, 2]) > 1e-9:
        a, c = math.atan2(R[2, 1], R[2, 2]), math.atan2(R[1, 0], R[0, 0])
    else:
        a, c = math.atan2(math.copysign(1.0, b) * R[0, 1], R[1, 1]), 0.0
    return _clean(a), _clean(b), _clean(c)


def _clean(angle: float) -> float:
    return 0.0 if abs(angle) < 1e-15 else angle


def _rounded(numbers: Array) -> tuple[float, ...]:
    return tuple(round(float(x), DIGITS) + 0.0 for x in numbers)


def _axis_angle(R: Array) -> AxisAngle:
    w, *p = quaternion_of(R)
    size = math.sqrt(sum(x * x for x in p))
    if size < 1e-15:
        return AxisAngle(axis=(0.0, 0.0, 1.0), angle=0.0)
    return AxisAngle(axis=_rounded(np.array(p) / size), angle=2.0 * math.atan2(size, float(w)))


def _natural_form(value: Any) -> str:
    """Expressions are shown where they stand; a plain rotation is easiest to read as angles."""
    if isinstance(value, AxisAngle):
        return AXIS
    return QUATERNION if any(isinstance(item, str) for item in value) else EULER


def _page(title: str, editors: Sequence[QWidget], name: str) -> QWidget:
    page = QWidget()
    page.setObjectName(f"{name}.page")
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    for widget in (label(title, "muted", name), *editors):
        column.addWidget(widget)
    return page


KIND = EditorKind(
    "orientation",
    lambda ask: ask.field.role == "number" and AxisAngle in choices(ask.field.type),
    lambda ask: OrientationEditor(ask.context, ask.name),
)
