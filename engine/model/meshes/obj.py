"""Wavefront OBJ: lines `v x y z` and `f corner corner corner …`; all else is passed over."""

from pathlib import Path

from engine.model.meshes.faces import MeshError, Polygons, at_line, numbers, polygons, shown


def read(data: bytes, path: Path) -> Polygons:
    """The faces; corners such as `7/1/3` count from 1, or backwards from the newest point."""
    points: list[list[float]] = []
    sizes: list[int] = []
    corners: list[int] = []
    point_lines: list[int] = []
    face_lines: list[int] = []
    carried = b""
    for line, text in enumerate(data.splitlines(), start=1):
        if text.endswith(b"\\"):  # the line goes on in the next one
            carried += text[:-1] + b" "
            continue
        words = (carried + text if carried else text).split()
        carried = b""
        if not words:
            continue
        if words[0] == b"v":
            points.append(numbers(words[1:], 3, line))
            point_lines.append(line)
        elif words[0] == b"f":
            corners += [_corner(word, len(points), line) for word in words[1:]]
            sizes.append(len(words) - 1)
            face_lines.append(line)
    return polygons(points, sizes, corners, at_line(point_lines), at_line(face_lines))


def _corner(word: bytes, known: int, line: int) -> int:
    try:
        number = int(word.split(b"/", 1)[0])
    except ValueError:
        raise MeshError(f"line {line}: {shown(word)} is no corner of a face, such as 7 or 7/1/3") from None
    if number == 0 or abs(number) > 2**40:
        raise MeshError(
            f"line {line}: the corner {shown(word)} of a face does not exist; corners count from 1"
        )
    return number - 1 if number > 0 else known + number if known + number >= 0 else -1
