"""What the table of commands needs to know of each."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    name: str
    summary: str
    # adds the command's own arguments; --json comes by itself
    configure: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]  # returns the exit code
    for_developers: bool = False  # works, but does not stand in the list of commands
