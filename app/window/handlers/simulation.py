"""Transport and analyses."""

from PySide6.QtCore import Qt

from app.panels.transport.transport_bar import SPEEDS
from app.window.parts import WindowParts

DOCTOR_HEIGHT = 260  # px that its lists need


class RunActions(WindowParts):
    """Actions of the Simulation menu."""

    def toggle_play(self) -> None:
        self.session.toggle()

    def step_forward(self) -> None:
        self.session.step(1)

    def step_back(self) -> None:
        self.session.step(-1)

    def reset_run(self) -> None:
        self.session.reset()

    def go_live(self) -> None:
        self.session.go_live()

    def toggle_loop(self) -> None:
        self.session.loop = not self.session.loop
        self.transport.refresh()

    def faster(self) -> None:
        self.session.set_speed(next((s for s in SPEEDS if s > self.session.speed), float("inf")))

    def slower(self) -> None:
        self.session.set_speed(next((s for s in reversed(SPEEDS) if s < self.session.speed), SPEEDS[0]))

    def real_time(self) -> None:
        self.session.set_speed(1.0)

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
