"""Transport and analyses."""

from PySide6.QtCore import Qt

from app.panels.transport.transport_bar import SPEEDS
from app.window.parts import WindowParts

DOCTOR_HEIGHT = 260  # px that its lists need


class RunActions(WindowParts):
    """Actions of the Simulation menu."""

    def toggle_play(self) -> None:
        self.session.transport.toggle()

    def step_forward(self) -> None:
        self.session.transport.step(1)

    def step_back(self) -> None:
        self.session.transport.step(-1)

    def reset_run(self) -> None:
        self.session.lifecycle.reset()

    def go_live(self) -> None:
        self.session.transport.go_live()

    def toggle_loop(self) -> None:
        self.session.transport.loop = not self.session.transport.loop
        self.transport.refresh()

    def faster(self) -> None:
        transport = self.session.transport
        transport.set_speed(next((s for s in SPEEDS if s > transport.speed), float("inf")))

    def slower(self) -> None:
        transport = self.session.transport
        transport.set_speed(next((s for s in reversed(SPEEDS) if s < transport.speed), SPEEDS[0]))

    def real_time(self) -> None:
        self.session.transport.set_speed(1.0)

    def run_analysis(self) -> None:
        self._show_dock("analyses")
        self.analyses.run()

    def examine(self, question: str) -> None:
        """Ask the doctor."""
        self._show_dock("doctor")
        dock = self.docks["doctor"]
        if not dock.isFloating() and dock.height() < DOCTOR_HEIGHT:
            self.resizeDocks([dock], [DOCTOR_HEIGHT], Qt.Orientation.Vertical)
        self.doctor.examine(question)
