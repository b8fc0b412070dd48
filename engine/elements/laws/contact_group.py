"""Rigid contact among many bodies: no rows and no force of its own, a table of shapes and the numbers.

Methods that step over impacts (`time_stepping`) find the contacts of each step in the table and their
impulses (`engine/solvers/contacts`); methods that follow each contact by a row of its own refuse it.
"""

from engine.compiled.columns import forces as LAW
from engine.elements.laws.base import LawKind, no_force

TABLE = LAW.X  # where the table of shapes begins in `System.data`
RESTITUTION, KINETIC, STATIC = range(3)  # columns of force_reals

KIND = LawKind("contact_group", no_force, no_force, on_body=True, first_program=1, reals=3)
