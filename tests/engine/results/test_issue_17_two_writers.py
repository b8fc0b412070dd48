"""Two writers never share a file: the second is refused, and the first ends whole."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from numpy.testing import assert_array_equal

from app.cli import run_command_line
from engine import load_trajectory, simulate
from engine.results.files import file_lock
from engine.results.files.file_lock import FileInUseError, FileLock
from engine.simulation.streaming import StreamedSimulation, stream
from tests.engine.simulation.scenes import rod_pendulum

HOLD = "import sys; from pathlib import Path; from engine.results.files.file_lock import FileLock\n"
HOLD += "lock = FileLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


def test_another_process_is_named_and_its_end_frees_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"
        with pytest.raises(FileInUseError, match=f"process {other.pid}"):
            stream(rod_pendulum(), path, dt=0.001, duration=0.1)
        assert not path.exists()
        other.kill()
    assert stream(rod_pendulum(), path, dt=0.001, duration=0.1)["status"] == "finished"
    assert [item.name for item in tmp_path.iterdir()] == ["run.h5"]


def test_a_second_run_of_this_process_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    first = StreamedSimulation(rod_pendulum(), path, ["energy.total"], dt=0.001, duration=0.2)
    with pytest.raises(FileInUseError, match=str(os.getpid())):
        stream(rod_pendulum(), path, dt=0.001, duration=0.1)
    while not first.done:
        first.advance()
    first.close()
    assert_array_equal(
        load_trajectory(path).samples, simulate(rod_pendulum(), dt=0.001, duration=0.2).samples
    )
    FileLock(path).release()


def test_the_end_is_made_of_what_the_run_has_written_itself(tmp_path: Path) -> None:
    """Another program has put its own file under the name meanwhile."""
    path = tmp_path / "run.h5"
    run = StreamedSimulation(rod_pendulum(), path, ["energy.total"], dt=0.001, duration=0.2)
    run.advance(0.1)
    path.unlink()
    path.write_bytes(b"something else")
    while not run.done:
        run.advance()
    run.close()
    wanted = simulate(rod_pendulum(), dt=0.001, duration=0.2)
    assert_array_equal(load_trajectory(path).samples, wanted.samples)


def test_the_command_says_who_writes_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.h5"
    lock = FileLock(path)
    assert run_command_line(["run", "four_bar", "--duration", "0.1", "--stream", str(path)]) == 2
    lock.release()
    told = capsys.readouterr().err
    assert f"process {os.getpid()}" in told
    assert "choose another name" in told


def test_a_full_disk_is_told_with_the_file_and_leaves_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match=r"run\.h5") as caught:
        FileLock(tmp_path / "run.h5")
    monkeypatch.undo()
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


class _ByteLocks(ModuleType):
    """Windows' locks of bytes, as its documentation has them: of an open file, let go when that is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.held: dict[tuple[int, int], int] = {}  # file and byte → descriptor

    def locking(self, file: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        key = os.fstat(file).st_ino, os.lseek(file, 0, os.SEEK_CUR)
        if self.held.get(key) != file and self._is_open(self.held.get(key)):  # a number may be used again
            raise OSError(errno.EACCES, "Permission denied")
        self.held[key] = file

    def _is_open(self, file: int | None) -> bool:
        try:
            return file is not None and bool(os.fstat(file))
        except OSError:
            return False


def test_the_locks_of_windows_name_their_holder_and_stay_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a stand-in for its library: the byte that is locked lies behind the text, which others can read."""
    monkeypatch.setitem(sys.modules, "msvcrt", _ByteLocks())
    monkeypatch.setattr(file_lock, "sys", SimpleNamespace(platform="win32", argv=["trammel", "run"]))
    path = tmp_path / "run.h5"
    first = FileLock(path)
    with pytest.raises(FileInUseError, match=rf"process {os.getpid()} \(trammel run\)"):
        FileLock(path)
    FileLock(tmp_path / "other.h5").release()
    first.release()
    FileLock(path).release()
    assert (tmp_path / ".run.h5.lock").exists()
