"""Errors that are the user's to cure; the command line shows them without a traceback."""


class InputError(Exception):
    """Something given on the command line cannot be used."""

    def __init__(self, message: str, *, cure: str) -> None:
        super().__init__(f"{message}; {cure}")
        self.message = message
        self.cure = cure
