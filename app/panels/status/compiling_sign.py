"""The sign in the status bar that methods are being compiled ahead."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStatusBar, QToolButton

from app.session.idle_compiler import IdleCompiler

TIP = (
    "Methods that were not used yet are compiled in the background, once on this machine; "
    "those that are ready start at once.\nA click ends this until the next start; Preferences switch it off."
)


class CompilingSign(QToolButton):
    """Shown while pieces are left; a click stops it."""

    def __init__(self, compiler: IdleCompiler, bar: QStatusBar) -> None:
        super().__init__()
        self._compiler = compiler
        self.setObjectName("status.compiling")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setToolTip(TIP)
        self.setStyleSheet("QToolButton { padding: 0px; border: none; }")  # no taller than the words there
        self.setMaximumHeight(self.fontMetrics().height() + 2)
        self.clicked.connect(compiler.stop)
        bar.addPermanentWidget(self)
        compiler.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        compiler = self._compiler
        self.setVisible(compiler.active and compiler.done < compiler.total)
        self.setText(f"preparing methods {compiler.done}/{compiler.total}")
