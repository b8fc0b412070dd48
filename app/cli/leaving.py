"""The end of the process while threads go on that nothing can stop, as a factorisation of a library."""

import atexit
import os
import sys
import threading

UNWRITTEN = 120  # what Python itself ends with when its output cannot be written


def leave(code: int) -> int:
    """The exit code; where such threads are alive the process ends at once.

    They would go on while Python is taken apart under them, and crash it: SuperLU does.
    """
    if not any(thread.daemon for thread in threading.enumerate()):
        return code
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # without a console there is none
        try:
            stream.flush()
        except (OSError, ValueError):  # nobody reads, or it is closed
            code = code or UNWRITTEN
    os._exit(code)
