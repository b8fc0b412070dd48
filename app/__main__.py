"""Entry point of `trammel` and `python -m app`."""

import gc
import os
import sys
import warnings
from io import TextIOWrapper

# before NumPy is loaded: its matrices here have some hundred lines at most, for which threads wait for each
# other, and for the window and the engine, longer than they work
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    from app.cli import run_command_line
    from app.cli.leaving import leave
except KeyboardInterrupt:  # in the first instants, while modules are loaded
    sys.exit(130)


def main() -> int:
    # a console that knows no Greek must not turn a report into an error
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    # the engine uses first-class functions on purpose; users need not hear of it
    warnings.filterwarnings("ignore", message=".*First-class function type feature is experimental")
    # numbers beyond all bounds are told with their element, not with a line of the program
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    try:
        code = run_command_line(sys.argv[1:])
    except KeyboardInterrupt:  # before the command has begun
        sys.stderr.write("stopped\n")
        code = 130
    finally:
        gc.freeze()  # the end of the process frees all at once: looking for cycles then takes 0.3 s
    return leave(code)


if __name__ == "__main__":
    sys.exit(main())
