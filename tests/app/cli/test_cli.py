"""The command line's own decisions, with a stand-in for the engine."""

import json
import os
import signal
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from app.cli import COMMANDS, run_command_line
from tests.app.session import fake_engine


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Any:
    return _stand_in(monkeypatch, fake_engine.make())


def _stand_in(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> ModuleType:
    """Put the module in the place of the engine: nothing to compile, no problems, no meshes."""
    meshes: Any = ModuleType("engine.model.meshes")
    meshes.refuse_broken_meshes = lambda scene, folder, source: None
    monkeypatch.setitem(sys.modules, "engine.model.meshes", meshes)
    prepared: Any = ModuleType("engine.system.prepared")
    prepared.prepare = lambda scene: SimpleNamespace(refuse_problems=lambda: None)
    monkeypatch.setitem(sys.modules, "engine.system.prepared", prepared)
    kernel: Any = ModuleType("engine.compiled.kernel")
    kernel.compile_listeners = []
    monkeypatch.setitem(sys.modules, "engine", module)
    monkeypatch.setitem(sys.modules, "engine.compiled.kernel", kernel)
    return module


@pytest.fixture
def scene(tmp_path: Path) -> str:
    return _file(tmp_path, "sound")


def _file(folder: Path, name: str) -> str:
    path = folder / f"{name}.json"
    path.write_text("{}")
    return str(path)


def test_commands_are_sorted_and_each_takes_json(capsys: pytest.CaptureFixture[str]) -> None:
    names = [command.name for command in COMMANDS]
    assert names == sorted(names)
    for name in names:
        with pytest.raises(SystemExit) as stop:
            run_command_line([name, "--help"])
        assert stop.value.code == 0
        assert "--json" in capsys.readouterr().out


def test_list_scenes_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["list", "scenes"]) == 0
    table = capsys.readouterr().out
    assert run_command_line(["list", "scenes", "--json"]) == 0
    scenes = json.loads(capsys.readouterr().out)["scenes"]
    assert "four_bar" in {scene["name"] for scene in scenes}
    for scene in scenes:
        assert scene["title"] in table


def test_run_passes_the_options_on(engine: Any, scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--method", "rk4", "--dt", "1e-3", "--duration", "2", "--probe", "energy.total", "--json"]
    settings = [
        "--set",
        "bodies.crank.mass=2",
        "--set",
        "parameters.L1=2*a",
        "--set",
        "bodies.a.position=[1, 2]",
    ]
    assert run_command_line(["run", scene, *arguments, *settings]) == 0
    options = engine.calls.options
    assert (options["method"], options["dt"], options["duration"]) == ("rk4", 1e-3, 2.0)
    assert engine.calls.settings == [
        ("bodies.crank.mass", 2),
        ("parameters.L1", "2*a"),
        ("bodies.a.position", [1, 2]),
    ]
    printed = json.loads(capsys.readouterr().out)
    assert printed["probes"] == {"energy.total": 2.0}
    assert printed["energy_error_max"] is None  # NaN is no JSON


def test_run_shows_facts_probes_and_files(
    engine: Any, scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.csv"
    assert run_command_line(["run", scene, "--probe", "energy.total", "--out", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "energy.total [J]" in printed
    assert f"saved {file}" in printed
    assert file.is_file()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "mass"], "PATH=VALUE"),
        (["--out", "x.xyz"], ".csv"),
        (["--out", "no/such/folder/x.csv"], "no folder"),
        (["--probe", "energy.totl"], "energy.total"),
        (["--dt", "-1"], "positive"),
        (["--dt", "nan"], "positive"),
        (["--duration", "soon"], "positive"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_bad_arguments_are_refused_with_a_cure(
    arguments: list[str], told: str, scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _code(["run", scene, *arguments]) == 2
    printed = capsys.readouterr()
    assert told in printed.err
    assert "Traceback" not in printed.err


@pytest.mark.usefixtures("engine")
def test_a_broken_scene_names_file_element_and_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _file(tmp_path, "broken")
    assert run_command_line(["run", path, "--json"]) == 2
    printed = capsys.readouterr()
    for word in (path, "bodies[0].mass", "give a positive mass"):
        assert word in printed.err
    (problem,) = json.loads(printed.out)["problems"]
    assert problem["path"] == "bodies[0].mass"


@pytest.mark.usefixtures("engine")
def test_our_own_mistake_shows_no_traceback_unless_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _file(tmp_path, "mistaken")
    assert run_command_line(["run", path]) == 1
    assert "Traceback" not in capsys.readouterr().err
    monkeypatch.setenv("TRAMMEL_DEBUG", "1")
    assert run_command_line(["run", path]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "told", "code"),
    [(PermissionError(13, "Permission denied", "x.csv"), "x.csv", 2), (MemoryError(), "sample_every", 1)],
)
def test_trouble_of_the_machine_is_told(
    engine: Any, scene: str, capsys: pytest.CaptureFixture[str], error: Exception, told: str, code: int
) -> None:
    def fail(*args: Any, **options: Any) -> Any:
        raise error

    engine.simulate = fail
    assert run_command_line(["run", scene]) == code
    assert told in capsys.readouterr().err


def test_a_run_that_fails_exits_with_1_but_saves(
    scene: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stand_in(monkeypatch, fake_engine.make(fake_engine.Status.DIVERGED))
    file = tmp_path / "out.csv"
    assert run_command_line(["run", scene, "--out", str(file)]) == 1
    assert file.is_file()


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_keeps_what_was_recorded(engine: Any, scene: str, tmp_path: Path) -> None:
    simulate = engine.simulate

    def interrupted(*args: Any, **options: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return simulate(*args, **options)

    engine.simulate = interrupted
    file = tmp_path / "out.csv"
    before = signal.getsignal(signal.SIGINT)  # ignored where the tests run in the background of a shell
    assert run_command_line(["run", scene, "--out", str(file)]) == 130
    assert file.is_file()
    assert signal.getsignal(signal.SIGINT) is before


def test_no_command_means_open(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    window: Any = ModuleType("app.window.main_window")
    opened: list[str] = []
    window.show_window = lambda path, **_: opened.append(path.stem) or 0
    monkeypatch.setitem(sys.modules, "app.window.main_window", window)
    monkeypatch.setattr("app.cli.commands.open.has_display", lambda: True)
    assert run_command_line([]) == 0
    assert run_command_line(["bricard"]) == 0
    assert opened == ["four_bar", "bricard"]


def test_a_mistyped_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["lst"]) == 2
    assert "no scene or command 'lst'" in capsys.readouterr().err


def test_list_methods_shows_pieces_and_on_request_all(capsys: pytest.CaptureFixture[str]) -> None:
    from engine.solvers.catalogue import METHODS, find_method

    assert run_command_line(["list", "methods"]) == 0
    told = capsys.readouterr().out
    for heading in ("FORMULATIONS", "SCHEMES", "STABILISATIONS", "DIRECT METHODS"):
        assert heading in told
    assert len(told.splitlines()) < 100
    assert "every scheme but d3, d4" in told
    assert run_command_line(["list", "methods", "--all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(METHODS) + 1
    assert run_command_line(["list", "methods", "--json"]) == 0
    methods = {row["name"]: row for row in json.loads(capsys.readouterr().out)["methods"]}
    assert set(methods) == set(METHODS.names)
    assert methods["lagrange/rk4/projection"]["short_name"] == "rk4"
    assert methods["lagrange/rk4/projection"]["pieces"]["scheme"] == "rk4"
    assert methods["central_differences"]["pieces"] == {}
    assert all(find_method(row["short_name"]).order == row["order"] for row in methods.values())
    assert run_command_line(["list", "joints", "--all"]) == 2


def test_list_channels_needs_a_scene(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["list", "channels"]) == 2
    assert "trammel list channels four_bar" in capsys.readouterr().err


def _code(arguments: list[str]) -> int | str | None:
    """Exit code, also where argparse leaves by itself."""
    try:
        return run_command_line(arguments)
    except SystemExit as stop:
        return stop.code
