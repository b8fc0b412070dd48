"""What users install: a wheel made from the source archive, tried away from the checkout."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from app.dialogs.help.help_pages import topics
from distribution.build_hook import moved
from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ENTRY = re.compile(r"^([a-z][^\\\n]*) \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", re.MULTILINE)
NO_SITE = ("-S", "-P")  # neither the checkout, to which the environment leads, nor the folder one stands in


def test_imports_are_led_through_the_package() -> None:
    given = "import app\nimport engine.errors\nfrom engine.maths import x\n    from app import y\nimport ap\n"
    # a dotted import would bind the name of the top, which is another one then: there is none in the program
    expected = (
        "import trammel.app as app\nimport engine.errors\nfrom trammel.engine.maths import x\n"
        "    from trammel.app import y\nimport ap\n"
    )
    assert moved(given) == expected
    dotted = [
        f"{path.relative_to(ROOT)}: {line}"
        for package in ("app", "engine")
        for path in (ROOT / package).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.lstrip().startswith(("import app.", "import engine."))
    ]
    assert not dotted


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of packages: source archive from the checkout, wheel from the archive, unpacked."""
    folder = tmp_path_factory.mktemp("distribution")
    _run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder), at=ROOT)
    (archive,) = folder.glob("trammel-*.tar.gz")
    _run("tar", "-xzf", str(archive), at=folder)
    (unpacked,) = (path for path in folder.glob("trammel-*") if path.is_dir())
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), at=unpacked)
    (wheel,) = folder.glob("trammel-*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
    return site


def test_the_wheel_carries_the_pages_of_the_help(installed: Path) -> None:
    keys = [topic.key for topic in topics() if (ROOT / "docs" / f"{topic.key}.md").is_file()]
    assert {"guide", "editing", "references", "methods/rk4"} <= set(keys)
    transfer = installed / "trammel" / "app" / "_data" / "docs"
    assert [key for key in keys if not (transfer / f"{key}.md").is_file()] == []


def test_the_wheel_takes_one_name(installed: Path) -> None:
    tops = {path.name for path in installed.iterdir()}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"trammel"}
    (entry,) = installed.glob("*.dist-info/entry_points.txt")
    assert "trammel = trammel.__main__:main" in entry.read_text()


def test_every_module_of_the_wheel_is_found_without_the_checkout(installed: Path) -> None:
    """All imports lead inside, and no module of the name `app` or `engine` is loaded."""
    text = """
import importlib, pkgutil, sys
import trammel
for found in pkgutil.walk_packages(trammel.__path__, "trammel."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
taken = sorted(name for name in sys.modules if name.split(".")[0] in ("app", "engine"))
assert not taken, taken
from trammel import Scene, load_scene, simulate, to_python
from trammel.app.platform.resources import find_scene
scene = load_scene(find_scene("four_bar"))
print(len(scene.bodies), to_python(scene).splitlines()[2])
"""
    assert _python(installed, "-c", text).endswith("3 from trammel import Scene, simulate\n")


def test_the_command_runs_from_the_wheel(installed: Path) -> None:
    assert "four_bar" in _python(installed, "-m", "trammel", "list", "scenes")


def test_the_window_opens_from_the_wheel(installed: Path) -> None:
    script = installed.parent / "script.jsonl"
    script.write_text('{"dump": "actions"}\n', encoding="utf-8")
    told = json.loads(_python(installed, "-m", "trammel", "drive", "--offscreen", str(script)))
    assert told["ok"]
    assert any(action["id"] == "run.toggle" for action in told["actions"])


@pytest.mark.soak
def test_a_mechanism_moves_from_the_wheel(installed: Path) -> None:
    """With a kernel cache of its own: all of the engine is compiled under its new name."""
    told = _python(installed, "-m", "trammel", "run", "four_bar", "--json", cache=installed.parent / "cache")
    assert '"status": "finished"' in told


def _python(installed: Path, *words: str, cache: Path | None = None) -> str:
    packages = os.pathsep.join(
        [str(installed), *{sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}]
    )
    environment = {**os.environ, "PYTHONPATH": packages, "QT_QPA_PLATFORM": "offscreen"}
    if cache is not None:
        environment["TRAMMEL_CACHE_DIR"] = str(cache)
    return _run(sys.executable, *NO_SITE, *words, at=installed.parent, environment=environment)


def _run(*words: str, at: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(words, cwd=at, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        ("requirements-test.lock", [*PROJECT["dependencies"], *EXTRAS["test"]]),
    ],
)
def test_locked_versions_are_what_the_project_asks_for(name: str, wanted: list[str]) -> None:
    """What pip would choose here is pinned within its range, by hash, and without an address."""
    text = (ROOT / "distribution" / name).read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.findall(
        r"^([a-z][^\\\n]*) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert len(entries) == text.count("==") - text.count("'=="), "a line without hashes"
    pinned = [Requirement(line) for line, _ in entries]
    chosen = {
        pin.name: next(iter(pin.specifier)).version
        for pin in pinned
        if not pin.marker or pin.marker.evaluate()
    }
    for line in wanted:
        asked = Requirement(line)
        if not asked.marker or asked.marker.evaluate():
            assert asked.specifier.contains(chosen[asked.name.lower()]), line


def test_extras_have_upper_bounds() -> None:
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    assert not [line for line in lines if "<" not in str(Requirement(line).specifier)]
