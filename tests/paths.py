"""Where the checkout and its shipped scenes are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCENES = ROOT / "scenes"
