"""Set up Trammel next to this file, then behave as the command `trammel`.

    python3 run.py              open the program (headless without a display)
    python3 run.py ARGS…        the same as `trammel ARGS…`
    python3 run.py test ARGS…   check the code and run all tests; ARGS go to pytest
    python3 run.py test --quick the same with the quick tests only, in less than a minute

Needs nothing but Python 3.11 and its standard library. A second start finds the stamps in `.venv` and goes
straight on.
"""

from __future__ import annotations

import ctypes
import glob
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LOCKS = {"app": ROOT / "distribution/requirements.lock", "test": ROOT / "distribution/requirements-test.lock"}
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
OLDEST_PYTHON = (3, 11)
HEARTBEAT = 15.0  # s; a line this often while pip is silent
PIP_INSTALL = ("-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check", "--no-input")
SCREEN = "1600x1000x24"  # of the virtual screen

# shared object that must load → Debian package that holds it
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libEGL_mesa.so.0": "libegl-mesa0",
    "libGLX_mesa.so.0": "libglx-mesa0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "fontconfig",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
# Mesa's software driver is opened by path, so it is looked for and not loaded; newer Mesa has one libgallium
SOFTWARE_DRIVER = ("dri/swrast_dri.so", "libgallium-*.so")
LIBRARY_FOLDERS = ("/usr/lib/*", "/usr/lib64", "/usr/lib", "/usr/local/lib")

CHECKS = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("mypy engine", ("-m", "mypy", "engine")),
    ("mypy app", ("-m", "mypy", "app")),
    ("import-linter", ("-c", "from importlinter.cli import lint_imports_command as c; c()")),
)
# one process per core, but no more than pays: each loads the compiled kernels anew
WORKERS = ("-n", "auto", "--maxprocesses", "4", "--dist", "worksteal")


class SetupError(Exception):
    """Something the user must do first; the text says what."""


def say(line: str) -> None:
    """Progress goes to stderr, so that the output of `--json` stays clean."""
    sys.stderr.write(f"trammel: {line}\n")
    sys.stderr.flush()


# the private environment ------------------------------------------------------------------------------------


def venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")


def setup_key() -> str:
    """Changes with everything an installed environment depends on."""
    files = (ROOT / "pyproject.toml", *LOCKS.values())
    parts = (*(file.read_bytes() for file in files), sys.version.encode(), str(ROOT).encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def stamp(name: str) -> Path:
    return VENV / f".ready-{name}"


def unfinished() -> Path:
    """Lies in `.venv` while pip works, and stays behind when the user or the machine stops it."""
    return VENV / ".unfinished"


def is_ready(name: str) -> bool:
    try:
        return stamp(name).read_text() == setup_key() and not unfinished().exists()
    except OSError:
        return False


def mark_ready(name: str) -> None:
    stamp(name).write_text(setup_key())


def ensure_installed(extra: str = "") -> bool:
    """Install the project, with an extra if one is named; False when that was done before."""
    name = extra or "app"
    if is_ready(name):
        return False
    ensure_venv()
    say(f"installing {'the tools for tests' if extra else 'the libraries'} into .venv (once, some minutes) …")
    unfinished().touch()
    # the libraries are exactly those that were tested; the project itself is built with what they bring
    libraries = ("--require-hashes", "--requirement", str(LOCKS[name]))
    project = ("--no-deps", "--no-build-isolation", "--editable", ".")
    pip = (str(venv_python()), *PIP_INSTALL)
    code = run_with_heartbeat([*pip, *libraries]) or run_with_heartbeat([*pip, *project])
    unfinished().unlink()
    if code:
        raise SetupError(
            "pip could not install the libraries (its message is above); check the network and start again"
        )
    if extra:
        mark_ready("app")
    mark_ready(name)
    return True


def ensure_venv() -> None:
    """A working `.venv`: made anew when there is none, when it is broken, or when an install was cut off."""
    if (
        venv_python().exists()
        and not unfinished().exists()
        and works([str(venv_python()), "-c", "import pip"])
    ):
        return
    ensure_venv_module()
    say("making .venv …")
    shutil.rmtree(VENV, ignore_errors=True)
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)]):
        raise SetupError(f"{sys.executable} could not make .venv (its message is above)")


def ensure_venv_module() -> None:
    """Debian ships Python without venv and ensurepip."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return
    versioned = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if can_use_apt():
        for package in ("python3-venv", versioned):
            if apt_install([package]) and works([sys.executable, "-c", "import ensurepip, venv"]):
                return
    raise SetupError(
        f"this Python cannot make environments; on Debian or Ubuntu: sudo apt-get install {versioned}"
    )


def works(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def run_with_heartbeat(command: Sequence[str]) -> int:
    started = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT)
    while True:
        try:
            return process.wait(timeout=HEARTBEAT)
        except subprocess.TimeoutExpired:
            say(f"… still installing ({time.monotonic() - started:.0f} s)")
        except BaseException:
            process.terminate()
            process.wait()
            raise


# system libraries -------------------------------------------------------------------------------------------


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_software_driver() -> bool:
    return any(glob.glob(f"{folder}/{file}") for folder in LIBRARY_FOLDERS for file in SOFTWARE_DRIVER)


def missing_packages(
    *,
    screen: bool,
    loads: Callable[[str], bool] = loads,
    has_driver: Callable[[], bool] = has_software_driver,
    which: Callable[[str], str | None] = shutil.which,
) -> list[str]:
    """Debian packages without which Qt or VTK (and, on demand, the virtual screen) will not start."""
    missing = [package for library, package in LIBRARIES.items() if not loads(library)]
    if not has_driver():
        missing.append("libgl1-mesa-dri")
    if screen and not which("Xvfb"):
        missing.append("xvfb")
    return missing


def ensure_libraries(*, screen: bool, install: bool) -> None:
    """Check what Qt and VTK load; install it where that is ours to do, else name it in one line and go on."""
    name = "screen" if screen else "libraries"
    if not sys.platform.startswith("linux") or is_ready(name):
        return
    missing = missing_packages(screen=screen)
    if missing and install and can_use_apt():
        apt_install(missing)
        missing = missing_packages(screen=screen)
    if missing:
        say(f"system libraries are missing; on Debian or Ubuntu: sudo apt-get install {' '.join(missing)}")
    else:
        mark_ready(name)


def can_use_apt() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: Sequence[str]) -> bool:
    say(f"installing system packages: {' '.join(packages)} …")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-qq", "--yes", "--no-install-recommends", *packages]
    # a stale package list may still do, so only the installation decides
    run_hushed(["apt-get", "update", "-qq"], environment)
    return run_hushed(install, environment)


def run_hushed(command: Sequence[str], environment: dict[str, str]) -> bool:
    """Run a talkative command; its words are shown only when it fails."""
    done = subprocess.run(
        command,
        env=environment,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        say(f"{' '.join(command)} failed:\n{done.stdout.strip()}")
    return done.returncode == 0


# what to start ----------------------------------------------------------------------------------------------


def start_program(arguments: Sequence[str]) -> int:
    fresh = ensure_installed()
    ensure_libraries(screen=False, install=fresh)
    # -P: a folder named `app` where the user stands must not hide ours
    command = [str(venv_python()), "-P", "-m", "app", *arguments]
    if WINDOWS:
        return subprocess.call(command)
    os.execv(command[0], command)


def start_tests(arguments: Sequence[str]) -> int:
    fresh = ensure_installed("test")
    ensure_libraries(screen=True, install=fresh)
    with compiling_meanwhile():
        failed = [name for name, command in CHECKS if not run_check(name, command)]
    say(f"FAILED before pytest: {', '.join(failed)}" if failed else "all checks passed; now pytest")
    command = [str(venv_python()), "-m", "pytest", *WORKERS, *arguments]
    with virtual_screen() as environment:
        # some hundred processes load our sources: without bytecode each would compile them anew
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        code = subprocess.call(command, cwd=ROOT, env=environment)
    return code or int(bool(failed))


@contextmanager
def compiling_meanwhile() -> Iterator[None]:
    """The checks keep one processor busy: another compiles kernels that tests want, as far as it gets."""
    command = [str(venv_python()), "-m", "engine.simulation.warmup", "--idle"]
    try:
        compiler = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
    except OSError:  # the tests compile what they need themselves
        yield
        return
    try:
        yield
    finally:
        compiler.terminate()
        compiler.wait()


def run_check(name: str, command: Sequence[str]) -> bool:
    say(f"{name} …")
    done = subprocess.run(
        [str(venv_python()), *command],
        cwd=ROOT,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    if done.returncode:
        say(f"{name} failed:\n{done.stdout.strip()}")
    return done.returncode == 0


@contextmanager
def virtual_screen() -> Iterator[dict[str, str]]:
    """The environment for tests that open windows: an X screen of our own where there is X."""
    if not sys.platform.startswith("linux"):
        yield dict(os.environ)
        return
    if not shutil.which("Xvfb"):
        say("no Xvfb: windows are tested with Qt's offscreen platform")
        yield {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        return
    server, display = start_xvfb()
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1"}
    environment.pop("WAYLAND_DISPLAY", None)
    try:
        yield environment
    finally:
        server.terminate()
        server.wait()


def start_xvfb() -> tuple[subprocess.Popen[bytes], str]:
    """Start a server that picks a free display number itself and tells it through a pipe."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        raise SetupError("Xvfb did not start; try it by hand: Xvfb :99")
    return server, f":{number}"


def main(arguments: Sequence[str]) -> int:
    if sys.version_info < OLDEST_PYTHON:
        say("Python 3.11 or newer is needed; this is " + sys.version.split()[0])
        return 1
    try:
        if arguments and arguments[0] == "test":
            return start_tests(arguments[1:])
        return start_program(arguments)
    except SetupError as error:
        say(str(error))
        return 1
    except OSError as error:
        say(f"the set-up failed: {error}; is this folder writable, is the disk full?")
        return 1
    except KeyboardInterrupt:
        say("stopped; start again to go on")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
