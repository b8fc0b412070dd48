"""Tables of numbers as instruments and spreadsheets write them."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from engine import load_curves
from engine.model.files.text_table import TableError, parse_table, read_table

WANTED = [[0.0, 1.5], [0.25, -2.0], [0.5, 3e-3]]


@pytest.mark.parametrize(
    ("text", "delimiter", "decimal"),
    [
        ("t [s],x [mm]\n0,1.5\n0.25,-2\n0.5,3e-3\n", ",", "."),
        ("t [s];x [mm]\n0;1,5\n0,25;-2\n0,5;3e-3\n", ";", ","),
        ("t [s];x [mm]\n0;1.5\n0.25;-2\n0.5;3e-3\n", ";", "."),
        ("t (s)\tx (mm)\n0\t1,5\n0,25\t-2\n0,5\t3e-3\n", "\t", ","),
        ("# measured\n# on Monday\nt x\ns mm\n0    1.5\n 0.25  -2\n0.5 3E-3\n", " ", "."),
        ("t;x;\ns;mm;\n0;1,5;\n0,25;-2;\n0,5;3e-3;\n", ";", ","),
        ('"t, all of it [s]", "x [mm]"\n0, 1.5\n\n0.25, -2\n0.5, 3e-3', ",", "."),
    ],
)
def test_styles_are_found(text: str, delimiter: str, decimal: str) -> None:
    table = parse_table(text)
    assert (table.delimiter, table.decimal) == (delimiter, decimal)
    assert_allclose(table.values, WANTED, rtol=0.0)
    assert table.units == ("s", "mm")
    assert table.headings[1] == "x"


def test_numbers_alone_are_a_table() -> None:
    table = parse_table("0 1\n1 4\n2 9\n")
    assert table.headings == ("column 1", "column 2")
    assert_array_equal(table.series(1, 2)[1], [1.0, 4.0, 9.0])
    t, y = parse_table("\n".join(f"{i},{i * i}" for i in range(100))).series(1, 2, every=30)
    assert_array_equal(t, [0, 30, 60, 90, 99])
    assert_array_equal(y, t * t)


def test_the_quick_way_and_the_careful_way_agree() -> None:
    """A cell that is missing makes the reader look at every cell."""
    rows = [f"{i * 0.1:.17g};{(i - 5) ** 3:.17g}" for i in range(50)]
    quick = parse_table("t;x\n" + "\n".join(rows))
    careful = parse_table("t;x\n" + "\n".join([*rows, "9;"]))
    assert_array_equal(quick.values, careful.values[:-1])
    assert_array_equal(quick.lines, careful.lines[:-1])
    assert quick.headings == careful.headings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("# only\n\n", "it is empty"),
        ("t,x\nlow,high\n", "line 2: 'low' is no number"),
        ("t,x\n0,1\n1,oops\n2,3\n", "line 3: 'oops' in column 'x' is no number"),
        ("t,x\n\n0,1\n1\n2,3\n", "line 4: it has 1 columns, the first row of numbers 2"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(TableError, match=words):
        parse_table(text)


def test_a_function_of_time_has_no_gaps_and_no_way_back(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="line 4: there is no number in column 'x'"):
        parse_table("t,x,y\n0,1,1\n1,2,\n2,,3\n").series("t", "x")
    with pytest.raises(TableError, match=r"line 4: its time 0.5 is not later than 1 on line 3"):
        parse_table("t,x\n0,1\n1,2\n0.5,3\n").series("t", "x")
    with pytest.raises(TableError, match="at least two"):
        parse_table("t,x\n0,1\n").series("t", "x")
    with pytest.raises(TableError, match=r"no column 'z' \(known: t, x"):
        parse_table("t,x\n0,1\n").series("t", "z")
    (tmp_path / "a.csv").write_bytes(b"\0\1\2")
    with pytest.raises(TableError, match="no text"):
        read_table(tmp_path / "a.csv")


def test_files_of_other_countries_are_references(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes("Zeit [s];Weg [µm]\n0,0;1,5\n0,1;\n0,2;2,5\n".encode("utf-16"))
    curves = load_curves(file)
    assert_allclose(curves.t, [0.0, 0.1, 0.2])
    assert_array_equal(np.isnan(curves.values["Weg"]), [False, True, False])
    assert_allclose(curves.values["Weg"][[0, 2]], [1.5e-6, 2.5e-6])
    assert curves.units["Weg"] == "m"


@pytest.mark.parametrize(
    ("unit", "si", "size"),
    [
        ("mm", "m", 1e-3),
        ("ms", "s", 1e-3),
        ("deg/s", "rad/s", np.pi / 180.0),
        ("Nm", "N·m", 1.0),
        ("volts", "volts", 1.0),
        ("g", "g", 1.0),  # grammes, or falls
        ("", "", 1.0),
    ],
)
def test_columns_in_si(unit: str, si: str, size: float) -> None:
    values, told = parse_table(f"t [s],x [{unit}]\n0,1.5\n1,-2\n").in_si(1)
    assert told == si
    assert_allclose(values, [1.5 * size, -2.0 * size])
