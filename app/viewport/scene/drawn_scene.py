"""What is drawn of a scene at the moment: the view builds it, queries and framing read it."""

from app.document.element_ref import Ref
from app.viewport.camera.camera_view import CameraView
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.style import Style
from app.viewport.canvas.surface import Array
from app.viewport.scene.drawn_elements import DrawnElements
from app.viewport.scene.trace_lines import TraceLines
from app.viewport.visuals.marks.arrows import ArrowSet
from engine.model.scene import Scene

EMPTY = Scene()


class DrawnScene:
    """The stage with the poses that are shown, and all that stands on it."""

    def __init__(self, camera: CameraView) -> None:
        self.style = Style()
        self.stage = Stage(EMPTY, self.style)
        self.elements = DrawnElements(camera.renderer, camera.front)
        self.traces = TraceLines()
        self.arrows: ArrowSet | None = None
        self.box: Array | None = None  # where the mechanism is known to go, (low, high) [m]

    def shown(self) -> set[Ref]:
        """Elements that are not hidden."""
        return self.elements.shown(self.stage)

    def forget(self) -> None:
        """Let go of all that VTK holds."""
        self.elements.forget()
        self.traces.forget()
        self.arrows = None
