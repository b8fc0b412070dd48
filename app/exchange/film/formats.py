"""Formats of films: one line each, with what the encoder is told."""

from dataclasses import dataclass

from engine.registry import Registry

QUALITY = 18  # constant rate factor of H.264: no loss that an eye sees
PRESET = "veryfast"  # flat colours gain nothing from a longer search
H264 = f"-c:v libx264 -pix_fmt yuv420p -preset {PRESET} -crf {QUALITY} -movflags +faststart"
OWN_PALETTE = "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer"


@dataclass(frozen=True)
class FilmFormat:
    """`name` is the ending, `title` what a dialog says."""

    name: str
    title: str
    codec: tuple[str, ...]


FILM_FORMATS: Registry[FilmFormat] = Registry(
    "film format",
    FilmFormat(".mp4", "Film (.mp4)", (*H264.split(), "-f", "mp4")),
    FilmFormat(".gif", "Film for web pages (.gif)", ("-vf", OWN_PALETTE, "-loop", "0", "-f", "gif")),
)
