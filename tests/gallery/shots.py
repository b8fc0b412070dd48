"""Everything there is to see in the window, in an order that opens few scenes twice."""

from functools import cache

from tests.gallery.dialogs import dialog_shots
from tests.gallery.inspector import inspector_shots
from tests.gallery.pages import page_shots
from tests.gallery.panels import panel_shots
from tests.gallery.staging import Shot


@cache
def all_shots() -> tuple[Shot, ...]:
    """Every picture."""
    return (*page_shots(), *inspector_shots(), *panel_shots(), *dialog_shots())
