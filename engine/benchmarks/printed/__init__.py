"""Tables of the source works, as printed, each with what computes its figures here."""

from engine.benchmarks.printed import anton, celej, flores, upv_newmark, urkullu
from engine.benchmarks.printed.base import PrintedTable
from engine.registry import Registry

TABLES: Registry[PrintedTable] = Registry(
    "printed table",
    upv_newmark.STEP_LIMITS,
    upv_newmark.NULL_SPACE_NEWMARK,
    upv_newmark.ORIENTATION_SETS,
    upv_newmark.DRIVEN_PENDULUM,
    upv_newmark.EXPLICIT_FAMILIES,
    celej.SQUEEZER,
    flores.BAUMGARTE,
    urkullu.PENDULUM,
    urkullu.DOUBLE_FOUR_BAR,
    urkullu.BRICARD,
    urkullu.SLIDER_CRANK,
    urkullu.ANDREWS,
    urkullu.GOVERNOR,
    urkullu.BICYCLE,
    anton.SOLVES,
)
