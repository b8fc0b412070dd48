"""Members of the groups of a scene."""

from engine.model.scene import Scene


def bodies_in(scene: Scene, group: str) -> tuple[str, ...]:
    """Names of the bodies of a group, also by groups within it; all bodies of the scene without a group."""
    if not group:
        return tuple(body.name for body in scene.bodies)
    members = {item.name: item.members for item in scene.groups}
    found: dict[str, None] = {}
    waiting, seen = [group], {group}
    while waiting:
        for member in members.get(waiting.pop(0), ()):
            where, _, name = member.partition(".")
            if where == "bodies":
                found[name] = None
            elif where == "groups" and name not in seen:
                seen.add(name)
                waiting.append(name)
    return tuple(found)
