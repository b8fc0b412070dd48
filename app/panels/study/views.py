"""The views of a study, in the order of their tabs."""

from app.panels.study import histogram, parallel, rows_list, scatter
from app.panels.study import response_surface as surface
from app.panels.study.base import ViewKind

VIEWS: tuple[ViewKind, ...] = (
    rows_list.VIEW,
    scatter.VIEW,
    surface.VIEW,
    parallel.VIEW,
    histogram.VIEW,
)
