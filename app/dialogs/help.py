"""Help without a network: guide, shortcuts and methods; the pages are made from the program itself."""

from html import escape

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QTextBrowser, QVBoxLayout, QWidget

from app.actions import ACTIONS, MENUS
from app.units import UNITS

PAGES = ("guide", "shortcuts", "methods")

_GUIDE = """
<h2>Guide</h2>
<h3>Look at a scene</h3>
<p><b>File › Shipped scenes</b> shows examples as pictures; click one. <b>Space</b> plays and pauses.
Drag on the timeline to look back; the engine goes on, and <b>Live</b> returns to it. <b>Home</b> goes
back to the start and keeps the finished run as grey curves, until you delete it in the <b>Runs</b>
panel.</p>
<h3>Change something</h3>
<p>Select an element in the tree or in the viewport; the inspector shows its fields. Numbers take units
and either decimal mark: <code>25 mm</code>, <code>90 deg</code>, <code>60 rpm</code>, <code>1,5</code>.
They also take expressions of the scene's parameters, such as <code>L1/2 + 5 mm</code>; expressions count
in SI. Functions may use <code>t</code>, for instance <code>2*sin(3*t)</code>. Text that cannot be used
stays, in red, with the reason below. Every finished edit is one step for <b>Undo</b>. Number edits act
at once while the simulation runs; editing a pose or a start value begins a new run.</p>
<h3>Read the plots</h3>
<p>Energy and constraint violation are there from the start. Add channels with the search, or drag an
element from the tree onto a plot. Click in a plot to move the playhead there. <b>Range statistics</b>
gives minimum, maximum, mean and RMS over a range, <b>Spectrum</b> the frequencies in it, <b>Phase
plot</b> one channel over another.</p>
<p>An energy error that grows, or a violation that is not small against the size of the mechanism, means:
take a smaller step or another method.</p>
<h3>Choose a method</h3>
<p>Method and step are in the transport bar; a change acts from the present instant on. A method is
written as formulation / scheme / stabilisation. See the page <i>Methods</i>.</p>
<h3>When something is wrong</h3>
<p>Problems stand in <b>Messages</b>, and the elements they belong to are marked red in the tree.
Double-click a message to select its element. A failed step pauses the run and leaves the last good state
on the screen.</p>
"""


def shortcut_page() -> str:
    """All actions with their keys, by menu."""
    parts = ["<h2>Keyboard shortcuts</h2>"]
    for menu in MENUS:
        rows = "".join(
            f"<tr><td><b>{escape(a.shortcut)}</b>&nbsp;&nbsp;</td><td>{escape(a.text)}&nbsp;&nbsp;</td>"
            f"<td>{escape(a.tooltip)}</td></tr>"
            for a in ACTIONS
            if a.menu.split("/")[0] == menu and a.shortcut
        )
        parts.append(f"<h3>{menu}</h3><table cellpadding=2>{rows}</table>")
    return "".join(parts)


def method_page() -> str:
    """All methods the engine has."""
    from engine.runtime.methods import METHODS

    parts = ["<h2>Methods</h2><p>Written as formulation / scheme / stabilisation, or a direct method.</p>"]
    for method in METHODS:
        options = "".join(f"<li><code>{o.name}</code>: {o.default:g}</li>" for o in method.options)
        facts = f"order {method.order}" + (", chooses its steps" if method.adaptive else "")
        parts.append(
            f"<h4>{escape(method.name)}</h4><p>{escape(method.title)}. {escape(method.summary)} ({facts})</p>"
            + (f"<ul>{options}</ul>" if options else "")
        )
    return "".join(parts)


def guide_page() -> str:
    units = "".join(
        f"<tr><td>{si}&nbsp;&nbsp;</td><td>{', '.join(sizes)}</td></tr>" for si, sizes in UNITS.items()
    )
    return f"{_GUIDE}<h3>Units that numbers take</h3><table cellpadding=2>{units}</table>"


class HelpDialog(QDialog):
    """The pages as tabs; `page` is the one to begin with."""

    def __init__(self, parent: QWidget, page: str = "guide") -> None:
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle("Help")
        self.resize(720, 600)
        tabs = QTabWidget()
        tabs.setObjectName("help.tabs")
        for name, title, text in (
            ("guide", "Guide", guide_page()),
            ("shortcuts", "Keyboard shortcuts", shortcut_page()),
            ("methods", "Methods", method_page()),
        ):
            browser = QTextBrowser()
            browser.setObjectName(f"help.{name}")
            browser.setHtml(text)
            tabs.addTab(browser, title)
        tabs.setCurrentIndex(PAGES.index(page))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(tabs, 1)
        column.addWidget(buttons)
