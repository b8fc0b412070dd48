"""The progress bar."""

import io

from app.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_the_bar_and_gets_its_line_back() -> None:
    terminal = Terminal()
    with ProgressBar(terminal) as progress:
        progress(0.5, "t = 1.250 s")
    drawn = terminal.getvalue().split("\r\x1b[K")
    assert drawn[1] == "preparing …"
    assert drawn[2].count("#") == drawn[2].count(".") - 1  # one more dot in the time
    assert "50%  t = 1.250 s" in drawn[2]
    assert drawn[-1] == ""


def test_frequent_calls_are_not_all_drawn() -> None:
    terminal = Terminal()
    with ProgressBar(terminal) as progress:
        for i in range(1000):
            progress(i / 1000, "t = 0.000 s")
    assert terminal.getvalue().count("[#") + terminal.getvalue().count("[.") < 10


def test_a_pipe_gets_nothing() -> None:
    pipe = io.StringIO()
    with ProgressBar(pipe) as progress:
        progress(0.5, "t = 1.000 s")
    assert pipe.getvalue() == ""
