"""run.py: what it decides, tried without installing anything."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.paths import ROOT


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """run.py as a module that believes to live in an empty folder."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(module, "LOCKS", {name: tmp_path / f"{name}.lock" for name in ("app", "test")})
    for lock in module.LOCKS.values():
        lock.write_text("")
    return module


@pytest.fixture
def commands(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands that would have been run; all of them succeed."""
    ran: list[list[str]] = []

    def record(command: list[str], *args: object, **options: object) -> int:
        ran.append([str(word) for word in command])
        if "venv" in command:
            bootstrap.venv_python().parent.mkdir(parents=True)
            bootstrap.venv_python().touch()
        return 0

    monkeypatch.setattr(bootstrap.subprocess, "call", record)
    monkeypatch.setattr(bootstrap, "run_with_heartbeat", record)
    monkeypatch.setattr(bootstrap, "works", lambda command: True)
    return ran


def test_the_first_start_installs_and_the_second_does_nothing(
    bootstrap: ModuleType, commands: list[list[str]]
) -> None:
    assert bootstrap.ensure_installed()
    assert [command[1:3] for command in commands] == [["-m", "venv"], ["-m", "pip"], ["-m", "pip"]]
    assert commands[1][-3:] == ["--require-hashes", "--requirement", str(bootstrap.LOCKS["app"])]
    assert commands[2][-2:] == ["--editable", "."]
    commands.clear()
    assert not bootstrap.ensure_installed()
    assert commands == []


def test_a_changed_project_file_installs_again_into_the_same_environment(
    bootstrap: ModuleType, commands: list[list[str]]
) -> None:
    bootstrap.ensure_installed()
    commands.clear()
    (bootstrap.ROOT / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert bootstrap.ensure_installed()
    assert [command[1:3] for command in commands] == [["-m", "pip"], ["-m", "pip"]]


def test_other_versions_of_the_libraries_are_installed(
    bootstrap: ModuleType, commands: list[list[str]]
) -> None:
    bootstrap.ensure_installed()
    bootstrap.LOCKS["app"].write_text("numpy==2.4.7")
    assert not bootstrap.is_ready("app")


def test_the_test_extra_is_its_own_step_and_covers_the_program(
    bootstrap: ModuleType, commands: list[list[str]]
) -> None:
    assert bootstrap.ensure_installed("test")
    assert str(bootstrap.LOCKS["test"]) in commands[-2]
    assert not bootstrap.ensure_installed()


def test_a_failed_installation_is_tried_again(
    bootstrap: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "run_with_heartbeat", lambda command: 1)
    with pytest.raises(bootstrap.SetupError, match="pip could not install"):
        bootstrap.ensure_installed()
    assert not bootstrap.is_ready("app")
    assert not bootstrap.unfinished().exists()


def test_an_interrupted_installation_starts_from_a_new_environment(
    bootstrap: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(command: list[str]) -> int:
        raise KeyboardInterrupt

    bootstrap.ensure_installed()
    with monkeypatch.context() as patch:
        patch.setattr(bootstrap, "run_with_heartbeat", interrupt)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.ensure_installed("test")
    # what was ready before may be half replaced now
    assert not bootstrap.is_ready("app")
    commands.clear()
    assert bootstrap.ensure_installed()
    assert [command[1:3] for command in commands] == [["-m", "venv"], ["-m", "pip"], ["-m", "pip"]]


def test_without_the_venv_module_one_line_says_what_to_install(
    bootstrap: ModuleType,
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(bootstrap, "can_use_apt", lambda: False)
    assert bootstrap.main(["list", "scenes"]) == 1
    assert "apt-get install python3" in capsys.readouterr().err
    assert commands == []


def test_without_the_venv_module_root_on_debian_installs_it(
    bootstrap: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(bootstrap, "can_use_apt", lambda: True)
    monkeypatch.setattr(bootstrap, "apt_install", lambda packages: not installed.extend(packages))
    assert bootstrap.ensure_installed()
    assert installed == ["python3-venv"]


def test_missing_packages_are_named_by_what_does_not_load(bootstrap: ModuleType) -> None:
    def missing(absent: set[str], *, screen: bool = False, driver: bool = True) -> list[str]:
        return bootstrap.missing_packages(
            screen=screen,
            loads=lambda library: library not in absent,
            has_driver=lambda: driver,
            which=lambda program: None,
        )

    assert missing(set()) == []
    assert missing({"libxcb-icccm.so.4", "libEGL.so.1"}) == ["libegl1", "libxcb-icccm4"]
    assert missing(set(), screen=True, driver=False) == ["libgl1-mesa-dri", "xvfb"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these libraries")
class TestLibraries:
    @pytest.fixture(autouse=True)
    def _venv(self, bootstrap: ModuleType) -> None:
        bootstrap.VENV.mkdir()

    def test_an_ordinary_user_is_told_once_per_start(
        self, bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(bootstrap, "missing_packages", lambda screen: ["libegl1"])
        monkeypatch.setattr(bootstrap, "can_use_apt", lambda: False)
        bootstrap.ensure_libraries(screen=False, install=True)
        (line,) = capsys.readouterr().err.splitlines()
        assert line.endswith("sudo apt-get install libegl1")
        assert not bootstrap.is_ready("libraries")

    def test_root_installs_them_and_the_check_is_not_repeated(
        self, bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        missing = ["libegl1"]
        monkeypatch.setattr(bootstrap, "missing_packages", lambda screen: list(missing))
        monkeypatch.setattr(bootstrap, "can_use_apt", lambda: True)
        monkeypatch.setattr(bootstrap, "apt_install", lambda packages: missing.clear())
        bootstrap.ensure_libraries(screen=False, install=True)
        assert bootstrap.is_ready("libraries")
        assert capsys.readouterr().err == ""

    def test_later_starts_leave_the_package_manager_alone(
        self, bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bootstrap, "missing_packages", lambda screen: ["libegl1"])
        monkeypatch.setattr(bootstrap, "can_use_apt", lambda: True)
        monkeypatch.setattr(bootstrap, "apt_install", lambda packages: pytest.fail("apt was called"))
        bootstrap.ensure_libraries(screen=False, install=False)


def test_a_failed_check_fails_the_tests_but_pytest_still_runs_last(
    bootstrap: ModuleType,
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap, "ensure_libraries", lambda **options: None)
    monkeypatch.setattr(bootstrap, "run_check", lambda name, command: name != "mypy app")
    monkeypatch.setattr(bootstrap.shutil, "which", lambda program: None)
    assert bootstrap.main(["test", "-x"]) == 1
    assert "mypy app" in capsys.readouterr().err
    assert commands[-1][1:] == ["-m", "pytest", *bootstrap.WORKERS, "-x"]


def test_the_code_of_pytest_is_the_code_of_the_command(
    bootstrap: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "ensure_installed", lambda extra: False)
    monkeypatch.setattr(bootstrap, "ensure_libraries", lambda **options: None)
    monkeypatch.setattr(bootstrap, "run_check", lambda name, command: True)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda program: None)
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda command, **options: 5)
    assert bootstrap.main(["test"]) == 5


def test_the_quick_tests_are_checked_too_and_keep_their_bytecode(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    started: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(bootstrap, "ensure_installed", lambda extra: False)
    monkeypatch.setattr(bootstrap, "ensure_libraries", lambda **options: None)
    monkeypatch.setattr(bootstrap, "run_check", lambda name, command: not checked.append(name))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda program: None)
    monkeypatch.setattr(
        bootstrap.subprocess, "call", lambda command, cwd, env: started.append((command, env)) or 0
    )
    assert bootstrap.main(["test", "--quick"]) == 0
    assert checked == [name for name, _ in bootstrap.CHECKS]
    ((command, environment),) = started
    assert command[-1] == "--quick"
    assert "PYTHONDONTWRITEBYTECODE" not in environment


@pytest.mark.skipif(os.name == "nt", reason="Windows starts a child instead")
def test_the_program_replaces_the_bootstrap(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "ensure_installed", lambda: False)
    monkeypatch.setattr(bootstrap, "ensure_libraries", lambda **options: None)
    monkeypatch.setattr(bootstrap.os, "execv", lambda program, command: started.append(command))
    bootstrap.main(["run", "four_bar"])
    assert started[0][1:] == ["-P", "-m", "app", "run", "four_bar"]


def test_an_unwritable_folder_is_one_line(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> bool:
        raise PermissionError(13, "Permission denied", ".venv")

    monkeypatch.setattr(bootstrap, "ensure_installed", refuse)
    assert bootstrap.main([]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert ".venv" in line


def test_only_the_standard_library_is_imported() -> None:
    code = (
        "import runpy, sys; runpy.run_path(sys.argv[1]); print(sorted(n.split('.')[0] for n in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT / "run.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "numpy" not in done.stdout


def test_kernels_are_compiled_while_the_checks_run_and_not_after(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "venv_python", lambda: Path(sys.executable))
    started: list[subprocess.Popen[bytes]] = []
    begin = subprocess.Popen

    def asleep(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        assert command[1:3] == ["-m", "engine.simulation.warmup"]
        started.append(begin([sys.executable, "-c", "import time; time.sleep(60)"]))
        return started[-1]

    monkeypatch.setattr(bootstrap.subprocess, "Popen", asleep)
    with bootstrap.compiling_meanwhile():
        assert started[0].poll() is None
    assert started[0].poll() is not None
