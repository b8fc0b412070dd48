"""The command line saves what it was asked for."""

import numpy as np
import pytest

from app.cli import run_command_line


def test_chosen_channels_of_a_range_are_saved(tmp_path, capsys):
    file = tmp_path / "part.csv"
    command = ["run", "double_pendulum", "--duration", "0.1", "--out", str(file), "--resample", "0.01"]
    assert run_command_line([*command, "--channels", "energy.*,body.lower.pos.x", "--from", "0.02"]) == 0
    headings, *rows = file.read_text(encoding="utf-8").splitlines()
    assert "energy.total [J]" in headings
    assert "body.lower.pos.x [m]" in headings
    assert "violation" not in headings
    assert [float(row.split(",")[0]) for row in rows] == pytest.approx(np.arange(2, 11) * 0.01)
    assert run_command_line([*command, "--channels", "energy.totl"]) == 2
    assert "energy.total" in capsys.readouterr().err
