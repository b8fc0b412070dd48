"""The encoder of films: another process that is fed pictures, and whose trouble is told."""

from __future__ import annotations

import contextlib
import errno
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType

import numpy as np

from app.exchange.film.formats import FILM_FORMATS
from app.viewport.canvas.offscreen import Picture

AHEAD = 3  # pictures that wait for the encoder while the next one is drawn
REASONS = {"no space left": errno.ENOSPC, "file too large": errno.EFBIG, "permission denied": errno.EACCES}


class Encoder:
    """Writes a film. Leaving the context without an exception means: the film is complete."""

    def __init__(self, file: Path, size: tuple[int, int], rate: float, comment: str = "") -> None:
        """`comment` stands in the file where players look for one."""
        import imageio_ffmpeg  # heavy: looks for its binary

        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", repr(rate)]
        command = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-v", "error", "-xerror", *source, "-i", "-", "-an"]
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # closed when the context is left
        codec = FILM_FORMATS[file.suffix.lower()].codec
        about = ["-metadata", f"comment={comment}"] if comment else []
        self._process = subprocess.Popen(
            [*command, *codec, *about, str(file)], stdin=subprocess.PIPE, stdout=self._said, stderr=self._said
        )
        self._waiting: queue.Queue[Picture | None] = queue.Queue(AHEAD)
        self._broken = threading.Event()
        self._thread = threading.Thread(target=self._feed, name="trammel-encoder", daemon=True)
        self._thread.start()

    def __enter__(self) -> Encoder:
        return self

    def write(self, picture: Picture) -> None:
        """Take one picture, shape (h, w, 3); raises OSError when the encoder has given up."""
        if self._broken.is_set():
            self._finish()
        self._waiting.put(np.ascontiguousarray(picture))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        try:
            self._finish(tell=kind is None)
        finally:
            self._said.close()

    def _finish(self, *, tell: bool = True) -> None:
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join()
        code = self._process.wait()
        if tell and (code or self._broken.is_set()):
            self._said.seek(0)
            raise _trouble(self._said.read().decode(errors="replace"), code)

    # on the thread

    def _feed(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        while (picture := self._waiting.get()) is not None:
            if self._broken.is_set():
                continue  # whoever writes must not wait for a full queue
            try:
                pipe.write(picture.data)
            except OSError:
                self._broken.set()
        with contextlib.suppress(OSError):
            pipe.close()


def _trouble(said: str, code: int) -> OSError:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for words, number in REASONS.items():
        if words in said.lower():
            return OSError(number, words)
    return OSError(f"The encoder gave up with code {code}: {lines[0] if lines else 'it did not say why'}")
