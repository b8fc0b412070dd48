"""Plain words for what a channel's name abbreviates, so that a search finds it by them, too."""

WORDS = {  # by a part of the name
    "acc": "acceleration",
    "alpha": "angular acceleration",
    "angle": "rotation",
    "com": "centre of mass center",
    "displacement": "stroke",
    "dissipated": "lost damping",
    "effort": "force torque moment drive",
    "gravity": "potential",
    "omega": "angular velocity speed rotation",
    "omega_body": "angular velocity in the frame of the body",
    "pos": "position place coordinate",
    "quat": "quaternion orientation",
    "reaction": "joint force",
    "speed": "velocity rate",
    "vel": "velocity speed",
    "violation": "constraint drift error",
    **dict.fromkeys(("fx", "fy", "fz"), "force component"),
    **dict.fromkeys(("tx", "ty", "tz"), "torque moment component"),
}


def words_of(channel: str) -> str:
    """What its name says in words: "body.rocker.omega.z" is an angular velocity, too."""
    return " ".join(WORDS[part] for part in channel.split(".") if part in WORDS)
