"""Actions of the Insert menu: tools of the viewport, and elements.

The palette shows the same actions; a tool has the id of its action without "insert.".
"""

from app.tools.connect.kinds import MotorTool
from app.window.actions.base import Action
from engine.elements.base import Kind
from engine.elements.drivers import MOTIONS
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointKind
from engine.elements.measures import MEASURES


def _tool(
    id: str, text: str, icon: str, tooltip: str, *, menu: str = "Insert", needs: str = "", **more: str | bool
) -> Action:
    """An action that takes a tool in hand; what the selection decides is done at once."""
    return Action(
        f"insert.{id}",
        text,
        menu,
        icon,
        tooltip,
        "use_tool",
        str(more.get("shortcut", "")),
        argument=id,
        needs=needs,
        checkable=True,
        separator=bool(more.get("separator", False)),
        toolbar=bool(more.get("toolbar", False)),
    )


def _joint_needs(kind: JointKind) -> str:
    if not kind.uses_anchors:
        return "drivable joints"
    return "any body" if kind.planar_rows is not None else "bodies in space"


def _needs(kind: Kind) -> str:
    return "drivable joint" if "joint" in kind.spec.__struct_fields__ else "any body"


ACTIONS: tuple[Action, ...] = (
    _tool(
        "select",
        "Select",
        "pointer",
        "Put the tool away: clicks in the viewport select again",
        shortcut="Shift+Q",
        toolbar=True,
    ),
    Action(
        "insert.template",
        "Template…",
        "Insert",
        "template",
        "Insert a mechanism by its dimensions: linkages, legs, drives, platforms, chains",
        "insert_template",
        "Ctrl+T",
        toolbar=True,
        separator=True,
    ),
    _tool(
        "move",
        "Move",
        "move",
        "Handles on what is selected: drag arrows, squares and rings, or type numbers",
        shortcut="Shift+V",
        toolbar=True,
    ),
    _tool(
        "bar",
        "Bar",
        "shape-rod",
        "Draw bars by clicking their ends; ends on pins and other bars are joined",
        shortcut="Ctrl+B",
        separator=True,
    ),
    _tool("plate", "Plate", "shape-outline", "Draw a plate by clicking its corners", shortcut="Shift+P"),
    _tool("box", "Box", "shape-box", "Draw a box by two corners"),
    _tool("cylinder", "Cylinder", "shape-cylinder", "Draw a cylinder by its centre and its rim"),
    _tool("wheel", "Wheel", "wheel", "Draw a wheel by its centre and its rim"),
    _tool("sphere", "Sphere", "shape-sphere", "Draw a ball by its centre and its rim"),
    _tool("point_mass", "Point mass", "com", "Put a small ball of a given mass somewhere"),
    Action(
        "insert.mesh",
        "Mesh…",
        "Insert",
        "shape-mesh",
        "Add a body whose surface comes from a file: STL, OBJ, PLY or GLTF",
        "insert_mesh",
    ),
    _tool(
        "motor",
        "Motor",
        "force-motor",
        "Let a joint turn at constant speed, or a slider go to and fro",
        needs="drivable joint",
        shortcut="Shift+M",
        separator=True,
    ),
    _tool("trace", "Trace", "trace", "Draw the path of a point", needs="any body", shortcut="Shift+T"),
    Action(
        "insert.ground",
        "Ground",
        "Insert",
        "ground",
        "Make the selected bodies part of the ground, or free them again",
        "ground_selected",
        "Ctrl+Shift+D",
        needs="selected bodies",
    ),
    *(
        _tool(
            f"joint.{kind.name}",
            kind.title,
            kind.icon,
            f"{kind.summary} (joint)",
            menu="Insert/Joint",
            needs=_joint_needs(kind),
            shortcut="Shift+J" if kind.name == "revolute" else "",
        )
        for kind in sorted(JOINTS, key=lambda kind: (not kind.uses_anchors, kind.title))
    ),
    *(
        _tool(
            f"force.{kind.name}",
            kind.title,
            kind.icon,
            f"{kind.summary} (force)",
            menu="Insert/Force",
            needs=_needs(kind),
        )
        for kind in FORCES
    ),
    *(
        _tool(
            f"motion.{kind.name}",
            kind.title,
            kind.icon,
            f"{kind.summary} (motion)",
            menu="Insert/Motion",
            needs=_needs(kind),
        )
        for kind in MOTIONS
        if kind.name != MotorTool.kind
    ),
    *(
        _tool(
            f"measure.{kind.name}",
            kind.title,
            kind.icon,
            f"{kind.summary}, measured while the scene runs",
            menu="Insert/Measure",
            needs="any body",
        )
        for kind in MEASURES
        if kind.between is not None
    ),
    Action(
        "insert.planar",
        "Draw in the plane",
        "Insert",
        "plane",
        "Make the scene planar: bodies move in x and y, and turn about z",
        "set_space",
        argument="planar",
        checkable=True,
        separator=True,
    ),
    Action(
        "insert.spatial",
        "Draw in space",
        "Insert",
        "view-iso",
        "Make the scene spatial: bodies move and turn in all directions",
        "set_space",
        argument="spatial",
        checkable=True,
    ),
)
