"""What links look like: boxes, cylinders, spheres and meshes, with their materials."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.maths.rotations import quaternion_of
from engine.model.meshes import ENDINGS as MESHES
from engine.model.meshes import read_mesh
from engine.model.meshes.faces import MeshError
from engine.model.urdf.robot import Pose, Robot, pose_of
from engine.model.urdf.xml_tree import Node, UrdfError

UPWARD = 6  # folders that are searched for a package, from that of the file

Note = Callable[[int, str], None]


class Look:
    """Shapes of a robot; `note` is told what cannot be taken over."""

    def __init__(self, robot: Robot, folder: Path | None, note: Note) -> None:
        self._folder, self._note = folder, note
        self._colors = {
            node.attributes.get("name", ""): _color(node)
            for node in robot.node.all("material")
            if _color(node)
        }

    def shapes(self, link: Node, place: Pose) -> list[dict[str, Any]]:
        """Of one link, in the frame of the body that carries it."""
        found = []
        for visual in link.all("visual"):
            geometry = visual.first("geometry")
            if geometry is None or not geometry.children:
                raise UrdfError(f"line {visual.line}: <visual> has no <geometry>")
            shape = self._shape(geometry.children[0])
            if shape is not None:
                found.append({**shape, **placed(place.then(pose_of(visual))), **self._material(visual)})
        return found

    def _shape(self, node: Node) -> dict[str, Any] | None:
        if node.tag == "box":
            return {"kind": "box", "size": list(_positive(node, "size", 3))}
        if node.tag == "cylinder":
            (radius,), (length,) = _positive(node, "radius", 1), _positive(node, "length", 1)
            return {"kind": "cylinder", "radius": radius, "length": length}
        if node.tag == "sphere":
            return {"kind": "sphere", "radius": _positive(node, "radius", 1)[0]}
        if node.tag == "capsule":
            (radius,), (length,) = _positive(node, "radius", 1), _positive(node, "length", 1)
            return {"kind": "capsule", "radius": radius, "length": length}
        if node.tag == "mesh":
            return self._mesh(node)
        self._note(node.line, f"shape <{node.tag}> is not known")
        return None

    def _mesh(self, node: Node) -> dict[str, Any] | None:
        name = node.need("filename")
        file = self._found(name)
        if file is None:
            self._note(node.line, f"mesh {name} was not found")
            return None
        if file.suffix.lower() not in MESHES:
            known = " ".join(MESHES)
            self._note(node.line, f"mesh {name} has a format that cannot be read (known: {known})")
            return None
        try:
            read_mesh(file)
        except (OSError, MeshError) as error:
            self._note(node.line, str(error))  # the shape stays: the file can be mended later
        scale = node.vector("scale", (1.0, 1.0, 1.0))
        size = scale[0]
        if max(scale) != min(scale) or size <= 0.0:
            self._note(node.line, f"mesh {name} is scaled unevenly or mirrored: it gets one scale")
            size = math.prod(abs(factor) or 1.0 for factor in scale) ** (1.0 / 3.0)
        return {"kind": "mesh", "file": str(file), "scale": size}

    def _found(self, name: str) -> Path | None:
        """A mesh file: by its path, or below a package near the robot's own folder."""
        inner = name.removeprefix("file://")
        if inner.startswith(("package://", "model://")):
            inner = inner.split("://", 1)[1]
        elif Path(inner).is_absolute():
            return Path(inner) if Path(inner).is_file() else None
        if self._folder is None:
            return None
        at = self._folder.resolve()
        for folder in (at, *at.parents[:UPWARD]):
            for path in (folder / inner, folder / Path(*Path(inner).parts[1:])):
                if path.is_file():
                    return path
        return None

    def _material(self, visual: Node) -> dict[str, Any]:
        material = visual.first("material")
        if material is None:
            return {}
        return _color(material) or self._colors.get(material.attributes.get("name", ""), {})


def placed(pose: Pose) -> dict[str, Any]:
    """Position and orientation as a scene writes them."""
    return {"position": [float(x) for x in pose.p], "orientation": [float(x) for x in quaternion_of(pose.R)]}


def _positive(node: Node, name: str, count: int) -> tuple[float, ...]:
    node.need(name)
    values = node.vector(name, (0.0,) * count)
    if min(values) <= 0.0:
        raise UrdfError(f"line {node.line}: the {name} of <{node.tag}> must be positive")
    return values


def _color(material: Node) -> dict[str, Any]:
    node = material.first("color")
    if node is None:
        return {}
    red, green, blue, alpha = (min(max(x, 0.0), 1.0) for x in node.vector("rgba", (0.5, 0.5, 0.5, 1.0)))
    return {
        "color": "#" + "".join(f"{round(255 * x):02x}" for x in (red, green, blue)),
        "opacity": alpha,
    }
