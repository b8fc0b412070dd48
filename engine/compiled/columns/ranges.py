"""Columns of `System.ranges`: entries [begin, used) take part in the motion, the rest is only looked at.

Of those that take part, [begin, acting) are what forces depend on, and angles whose turns are counted.
"""

from typing import Final

BEGIN: Final = 0
USED: Final = 1
END: Final = 2
ACTING: Final = 3
COLUMNS: Final = 4
