"""Formats of reports: one line each. Nothing is loaded before a report is written."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.progress import Progress
from engine.registry import Registry

if TYPE_CHECKING:
    from app.exchange.report.report import Report


@dataclass(frozen=True)
class ReportFormat:
    """`name` is the usual ending, `title` what a dialog says."""

    name: str
    title: str
    write: "Callable[[Report, Progress], bytes]"
    endings: tuple[str, ...]


def _html(report: "Report", progress: Progress) -> bytes:
    from app.exchange.report.html_page import html

    return html(report, progress)


def _pdf(report: "Report", progress: Progress) -> bytes:
    from app.exchange.report.pdf_pages import pdf

    return pdf(report, progress)


REPORT_FORMATS: Registry[ReportFormat] = Registry(
    "report format",
    ReportFormat(".html", "Web page that needs nothing else (.html)", _html, (".html", ".htm")),
    ReportFormat(".pdf", "Paper, A4 (.pdf)", _pdf, (".pdf",)),
)
REPORT_ENDINGS = tuple(ending for kind in REPORT_FORMATS for ending in kind.endings)
