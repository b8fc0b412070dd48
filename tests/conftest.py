"""Settings for all tests. The virtual screen is started by run.py."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program has it, before NumPy is loaded

import pytest
from hypothesis import settings

from tests import tiers
from tests.leaks import nothing_left  # noqa: F401 - a fixture of all tests

# no deadline: the first example of a compiled function pays for its compilation
settings.register_profile("local", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
# the same examples on every machine, unless someone asks for new ones
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    tiers.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    tiers.register(config)
