"""Columns of `System.ranges`: entries [begin, used) take part in the motion, the rest is only looked at."""

from typing import Final

BEGIN: Final = 0
USED: Final = 1
END: Final = 2
COLUMNS: Final = 3
