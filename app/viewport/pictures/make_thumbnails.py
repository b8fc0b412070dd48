"""Makes the pictures of shipped scenes and of templates.

`python -m app.viewport.pictures.make_thumbnails [NAME…]`, where `templates` means all of those.
"""

import sys
from pathlib import Path

from app.platform.resources import data_folder, scene_paths
from app.viewport.canvas.style import Style
from app.viewport.pictures.picture import SAVED, draw, save
from engine import TEMPLATES, load_scene, simulate

SIZE = (320, 200)
TEMPLATE_SIZE = (224, 140)
SHARE = 0.35  # of the duration: by then a motion can be told
# s, where another instant says more
TIMES = {
    "andrews": 0.012,
    "bicycle": 1.2,
    "bicycle_capsize": 1.0,
    "bicycle_weave": 1.2,
    "bricard": 0.9,
    "cardan_shaft": 0.4,
    "double_four_bar": 0.5,
    "double_pendulum": 1.7,
    "flyball_governor": 0.6,
    "four_bar": 1.15,
    "pantograph": 4.0,
    "parallelogram": 0.55,
    "pendulum": 0.95,
    "slider_crank": 0.45,
    "spatial_four_bar": 1.15,
    "spatial_slider_crank": 0.7,
    "spinning_top": 1.9,
    "stewart_platform": 2.0,
    "stiff_double_pendulum": 0.12,
    "stiff_pendulum": 15.0,
}


def make(name: str, path: Path, folder: Path) -> Path:
    """Simulate to a telling instant and save the picture."""
    scene = load_scene(path)
    trajectory = simulate(scene, duration=TIMES.get(name, SHARE * float(scene.simulation.duration)))
    file = folder / f"{name}.png"
    view = SAVED if "camera" in scene.view else ""
    picture = draw(scene, size=SIZE, style=Style(), view=view, trajectory=trajectory, folder=path.parent)
    save(picture, file)
    return file


def make_template(name: str, folder: Path) -> Path:
    """A template with its defaults, after it has moved a while."""
    template = TEMPLATES[name]
    scene = template.make().scene
    trajectory = simulate(scene, duration=template.picture_time)
    file = folder / f"{name}.png"
    save(draw(scene, size=TEMPLATE_SIZE, style=Style(), trajectory=trajectory), file)
    return file


def main(names: list[str]) -> int:
    folder = data_folder("assets") / "thumbnails"
    folder.mkdir(exist_ok=True)
    shipped = scene_paths()
    (folder / "templates").mkdir(exist_ok=True)
    wanted = names or [*shipped, "templates"]
    for template in TEMPLATES.names if "templates" in wanted else ():
        sys.stdout.write(f"{make_template(template, folder / 'templates')}\n")
    for name in [name for name in wanted if name != "templates"]:
        sys.stdout.write(f"{make(name, shipped[name], folder)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
