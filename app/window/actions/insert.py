"""Actions of the Insert menu: tools of the viewport, and elements.

The palette shows the same actions; a tool has the id of its action without "insert.".
"""

from app.tools.connect.kind_tools import MotorTool
from app.window.actions import needs
from app.window.actions.base import Action
from app.window.actions.needs import Need
from engine.elements.base import Kind
from engine.elements.drivers import MOTIONS
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointKind
from engine.elements.measures import MEASURES


def _tool(
    id: str,
    text: str,
    icon: str,
    tooltip: str,
    *,
    menu: str = "Insert",
    shortcut: str = "",
    needs: Need | None = None,
    toolbar: bool = False,
    separator: bool = False,
) -> Action:
    """An action that takes a tool in hand; what the selection decides is done at once."""
    return Action(
        f"insert.{id}",
        text,
        menu,
        icon,
        tooltip,
        lambda do: do.insert.use_tool(id),
        shortcut,
        needs=needs,
        checked=lambda do: do.insert.in_hand(id),
        toolbar=toolbar,
        separator=separator,
        is_tool=True,
    )


def _joint_needs(kind: JointKind) -> Need:
    if not kind.uses_anchors:
        return needs.DRIVABLE_JOINTS
    return needs.ANY_BODY if kind.planar_rows is not None else needs.BODIES_IN_SPACE


def _needs(kind: Kind) -> Need:
    return needs.DRIVABLE_JOINT if "joint" in kind.spec.__struct_fields__ else needs.ANY_BODY


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
        lambda do: do.templates.insert(),
        "Ctrl+T",
        toolbar=True,
        separator=True,
        also="wizard linkage library example",
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
        lambda do: do.insert.insert_mesh(),
    ),
    _tool(
        "motor",
        "Motor",
        "force-motor",
        "Let a joint turn at constant speed, or a slider go to and fro",
        needs=needs.DRIVABLE_JOINT,
        shortcut="Shift+M",
        separator=True,
    ),
    _tool("trace", "Trace", "trace", "Draw the path of a point", needs=needs.ANY_BODY, shortcut="Shift+T"),
    Action(
        "insert.ground",
        "Ground",
        "Insert",
        "ground",
        "Make the selected bodies part of the ground, or free them again",
        lambda do: do.insert.ground(),
        "Ctrl+Shift+D",
        needs=needs.SELECTED_BODIES,
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
            needs=needs.ANY_BODY,
        )
        for kind in MEASURES
        if kind.between is not None
    ),
    Action(
        "insert.transmission",
        "Transmission angle",
        "Insert/Measure",
        "measure-angle",
        "Measure the transmission angle of a four-bar, the selected one or the first: coupler against output",
        lambda do: do.arrange.measure_transmission(),
        needs=needs.ANY_BODY,
    ),
    Action(
        "insert.planar",
        "Draw in the plane",
        "Insert",
        "plane",
        "Make the scene planar: bodies move in x and y, and turn about z",
        lambda do: do.insert.set_space("planar"),
        checked=lambda do: do.insert.is_space("planar"),
        separator=True,
    ),
    Action(
        "insert.spatial",
        "Draw in space",
        "Insert",
        "view-iso",
        "Make the scene spatial: bodies move and turn in all directions",
        lambda do: do.insert.set_space("spatial"),
        checked=lambda do: do.insert.is_space("spatial"),
    ),
)
