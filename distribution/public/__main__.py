"""`python -m trammel`: the same as the command `trammel`."""

import sys

from app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
