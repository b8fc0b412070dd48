"""How a run went, as lines for people: `--json` has the same facts for programs."""

from collections.abc import Mapping
from typing import Any

from app.cli.output import write_facts, write_line

SHOWN = 20  # events; files and --json have all
_UNITS = {
    "dt": "s",
    "duration": "s",
    "wall_time": "s",
    "time_linear": "s",
    "energy_initial": "J",
    "energy_error_max": "J",
    "violation_position_max": "m, rad",
    "violation_velocity_max": "m/s, rad/s",
}
_BELOW = ("events", "happened", "message", "trust")  # facts with lines of their own


def write_run(facts: Mapping[str, Any], message: str, trust: Mapping[str, Any] | None = None) -> None:
    """Facts one per line, then what happened on the way, what to know about the run, and the verdict."""
    write_facts(
        {
            with_unit(name, _UNITS.get(name, "")): _plain(fact)
            for name, fact in facts.items()
            if name not in _BELOW
        }
    )
    happened = [f"{row['t']:.9g} s: {row['element']} {row['what']}" for row in facts.get("happened", ())]
    lines = facts.get("events", happened)
    if lines:
        write_line(f"{len(lines)} events" if len(lines) > 1 else "1 event")
    for line in lines[:SHOWN]:
        write_line(f"  {line}")
    if len(lines) > SHOWN:
        write_line(f"  and {len(lines) - SHOWN} more; --json has all")
    if message:
        write_line(message)
    if trust is not None:
        write_line(f"trust: {trust['words']}")
        for finding in trust["findings"]:
            write_line(f"  {finding['level']:5} {finding['question']}: {finding['text']}")


def with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _plain(value: Any) -> Any:
    return (", ".join(map(str, value)) or "none") if isinstance(value, list | tuple) else value
