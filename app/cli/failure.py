"""Turn an exception into a message fit for people and an exit code."""

import os
import sys
import traceback
from typing import Any

from app.cli.output import write_error, write_json
from app.platform.user_error import InputError
from engine.errors import SceneError

BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 130  # what shells expect after Ctrl-C

DEBUG_VARIABLE = "TRAMMEL_DEBUG"


def exit_code_for(error: BaseException, *, as_json: bool, scene: str | None = None) -> int:
    """Tell the error and give the exit code; `scene` is what the user called the scene."""
    if isinstance(error, BrokenPipeError):
        return _reader_has_gone()
    if isinstance(error, KeyboardInterrupt):
        write_error("stopped")
        return INTERRUPTED
    if scene and getattr(error, "source", None) == "":
        error.source = scene  # type: ignore[attr-defined]  # an error found after loading knows no file
    code = BAD_INPUT if _is_bad_input(error) else FAILED
    text = _text(error)
    write_error(f"trammel: {text}")
    if as_json:
        try:
            write_json({"status": "error", "message": text, "problems": _problems(error)})
            sys.stdout.flush()
        except OSError:  # the disk that standard output goes to is full, or its reader has gone
            _write_no_more()
    return code


def end_of(*, stopped: bool) -> int:
    """Of a command that has shown what was complete: 0, or after Ctrl-C a word and its code."""
    if stopped:
        write_error("stopped; what was complete by then is shown")
    return INTERRUPTED if stopped else 0


def _is_bad_input(error: BaseException) -> bool:
    return isinstance(error, InputError | OSError | SceneError)


def _problems(error: BaseException) -> list[dict[str, Any]]:
    return [
        {
            "path": problem.path,
            "value": str(problem.value),
            "message": problem.message,
            "cure": problem.cure,
            "edits": [edit.to_dict() for edit in problem.edits],
        }
        for problem in getattr(error, "problems", [])
    ]


def _text(error: BaseException) -> str:
    if isinstance(error, OSError):
        remedy = getattr(error, "remedy", "check the path, your rights and the disk")
        return f"{error.filename or 'file'}: {error.strerror or error}; {remedy}"
    if isinstance(error, MemoryError):
        return (
            "the memory is used up; simulate a shorter time or record fewer samples (simulation.sample_every)"
        )
    return str(error) if _is_bad_input(error) else _internal(error)


def _internal(error: BaseException) -> str:
    if os.environ.get(DEBUG_VARIABLE):
        return "".join(traceback.format_exception(error))
    mistake = f"a mistake in Trammel itself: {type(error).__name__}: {error}"
    return f"{mistake}\nPlease report it; {DEBUG_VARIABLE}=1 shows where it happened."


def _reader_has_gone() -> int:
    """`trammel list scenes | head`: leave quietly, and keep the interpreter from flushing into nothing."""
    _write_no_more()
    return FAILED


def _write_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
