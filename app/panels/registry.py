"""The panels, in the order of the Window menu."""

from app.panels import events, history, messages, plots, polygons, runs, test_centre, tree
from app.panels.analyses import analyses
from app.panels.base import PanelKind
from app.panels.doctor import doctor
from app.panels.inspector import inspector
from app.panels.matrix import matrix_panel
from app.panels.optimise import optimise_panel
from app.panels.palette import palette
from app.panels.parameters import parameters
from app.panels.race import race_panel
from app.panels.study import study_panel

PANELS: tuple[PanelKind, ...] = (
    tree.PANEL,
    inspector.PANEL,
    plots.PANEL,
    messages.PANEL,
    runs.PANEL,
    analyses.PANEL,
    parameters.PANEL,
    history.PANEL,
    doctor.PANEL,
    palette.PANEL,
    polygons.PANEL,
    race_panel.PANEL,
    study_panel.PANEL,
    test_centre.PANEL,
    optimise_panel.PANEL,
    matrix_panel.PANEL,
    events.PANEL,
)
