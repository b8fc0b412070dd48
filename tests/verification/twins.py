"""Spatial twins of planar scenes."""

import json

from engine import Scene, dumps, loads


def in_space(scene: Scene) -> Scene:
    """The spatial twin of a planar scene of bars and hinges: vectors get a third number, turns an axis."""
    raw = json.loads(dumps(scene))
    raw["space"], raw["gravity"] = "spatial", [*scene.gravity, 0.0][:3]
    for body in raw["bodies"]:
        for field in ("position", "velocity", "com"):
            if body.get(field):
                body[field] = [*body[field], 0.0][:3]
        for point in body.get("points", []):
            point["position"] = [*point["position"], 0.0][:3]
        if "angle" in body:
            body["orientation"] = {"axis": [0, 0, 1], "angle": body.pop("angle")}
        if body.get("inertia"):
            turning = body["inertia"][0]  # those about x and y play no part
            body["inertia"] = [f"0.6*({turning})", f"0.7*({turning})", turning]
        body.pop("shapes", None)
    for element in (*raw["joints"], *raw.get("forces", [])):
        for side in ("a", "b"):
            anchor = element.get(side, {})
            for field in ("point", "axis", "reference"):
                if isinstance(anchor.get(field), list):
                    anchor[field] = [*anchor[field], 0.0][:3]
        if element["kind"] == "prismatic":  # planar ones slide along x unless they say otherwise
            element["a"].setdefault("axis", [1.0, 0.0, 0.0])
    for name in ("traces", "measures", "view"):
        raw.pop(name, None)
    return loads(json.dumps(raw))
