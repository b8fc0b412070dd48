"""What a coordinate function of a gap or slip is for, which decides what it is beyond the end of a face."""

from typing import Final

SEEN: Final = 0  # a law looks at it, or acts along it: nothing is there
HELD: Final = 1  # a row holds it: it goes on, so that no step sees a jump
ALONG_HELD: Final = 2  # a law acts where a row holds: the same
