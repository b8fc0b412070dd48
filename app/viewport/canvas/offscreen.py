"""A window that VTK draws into without a screen."""

import os
import sys

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the renderer
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkLight, vtkRenderer, vtkRenderWindow

Picture = NDArray[np.uint8]

# direction from which the light comes (right, up, towards the viewer), strength
LIGHTS = (((-0.45, 0.75, 1.0), 0.86), ((0.9, -0.25, 0.7), 0.30))


def make_window(width: int, height: int) -> vtkRenderWindow:
    if sys.platform.startswith("linux"):
        # without it VTK asks for an X server first, and complains
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(0)  # three times faster in software
    window.SetSize(width, height)
    window.SetAlphaBitPlanes(False)
    return window


def make_renderer() -> vtkRenderer:
    renderer = vtkRenderer()
    renderer.SetUseFXAA(False)
    renderer.SetUseOIT(False)  # few see-through things, and the pass costs a whole frame buffer
    renderer.SetAutomaticLightCreation(False)
    for direction, strength in LIGHTS:
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(*direction)
        light.SetFocalPoint(0.0, 0.0, 0.0)
        light.SetIntensity(strength)
        renderer.AddLight(light)
    renderer.SetDitherGradient(False)
    return renderer


def make_front(window: vtkRenderWindow) -> vtkRenderer:
    """A layer that lies over the picture, without depth in common with it."""
    front = vtkRenderer()
    window.SetNumberOfLayers(2)
    front.SetLayer(1)
    front.InteractiveOff()
    window.AddRenderer(front)
    return front


def read_picture(window: vtkRenderWindow, buffer: vtkUnsignedCharArray) -> Picture:
    """The picture, top row first, shape (h, w, 4); the fourth number is always 255."""
    width, height = window.GetSize()
    window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, buffer, 0)
    picture: Picture = vtk_to_numpy(buffer).reshape(height, width, 4)[::-1].copy()
    picture[..., 3] = 255
    return picture
