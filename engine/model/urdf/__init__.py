"""Robots described in URDF as scenes to start from, with a list of what was not taken over."""

from engine.model.urdf.convert import Imported, load_urdf, read_urdf
from engine.model.urdf.xml_tree import UrdfError

__all__ = ["Imported", "UrdfError", "load_urdf", "read_urdf"]
