"""Entry point of `trammel` and `python -m app`."""

import sys
import warnings
from io import TextIOWrapper

from app.cli import run_command_line


def main() -> int:
    # a console that knows no Greek must not turn a report into an error
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    # the engine uses first-class functions on purpose; users need not hear of it
    warnings.filterwarnings("ignore", message=".*First-class function type feature is experimental")
    return run_command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
