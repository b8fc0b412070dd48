"""What the program does where there is no display: run the scene and leave files to look at."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.cli.arguments.mesh_files import check_meshes
from app.cli.interrupt import cancel_on_interrupt
from app.cli.progress import ProgressBar
from engine import load_scene, simulate


@dataclass
class Results:
    files: list[Path] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def leave_results(path: Path, folder: Path) -> Results:
    """Simulate the scene and write its trajectory, a plot and a picture of the last pose into `folder`."""
    scene = load_scene(path)
    check_meshes(scene, path)
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        trajectory = simulate(scene, progress=progress, cancel=cancel)
    folder.mkdir(parents=True, exist_ok=True)
    results = Results()

    def plot(file: Path) -> None:
        from app.cli.pictures.energy_plot import save_plot

        save_plot(trajectory, scene.title or path.stem, file)

    def picture(file: Path) -> None:
        from app.viewport.pictures.picture import save_picture

        save_picture(scene, trajectory, file)

    _attempt(results, trajectory.save, folder / f"{path.stem}.csv")
    _attempt(results, plot, folder / f"{path.stem}_plot.png")
    _attempt(results, picture, folder / f"{path.stem}_picture.png")
    if trajectory.status.failed:
        results.failures.append(trajectory.message)
    return results


def _attempt(results: Results, write: Callable[[Path], None], file: Path) -> None:
    """One file that cannot be made (say, a graphics library is missing) must not cost the others."""
    try:
        write(file)
    except (ImportError, OSError, RuntimeError) as error:
        results.failures.append(f"{file} was left out: {error}")
    else:
        results.files.append(file)
