"""The picture of a view as an image of Qt."""

from __future__ import annotations

from PySide6.QtGui import QImage

from app.viewport.scene.scene_view import SceneView


class ViewImage:
    """Drawn anew only when the view has changed."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._image: QImage | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing was drawn yet."""
        return self._image is None

    def draw(self, ratio: float) -> QImage:
        """The image, with so many device pixels per pixel of a widget; good until the next one is drawn."""
        if self._view.dirty or self._image is None:
            picture = self._view.render()
            h, w = picture.shape[:2]
            # the picture owns the memory: the view keeps it until the next one
            self._image = QImage(picture.data, w, h, 4 * w, QImage.Format.Format_RGBX8888)
            self._image.setDevicePixelRatio(ratio)
        return self._image

    def forget(self) -> None:
        """Let go of the picture's memory."""
        self._image = None
