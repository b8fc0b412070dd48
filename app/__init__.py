"""The Trammel program: command line and desktop window."""

__version__ = "0.1.0"
