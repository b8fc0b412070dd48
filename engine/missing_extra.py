"""A library that is not installed with Trammel itself."""


class MissingExtra(ImportError):
    """Something needs an extra; the text says which, and how it is installed."""

    def __init__(self, what: str, library: str, extra: str) -> None:
        self.message = f"{what} need {library}, which is not installed"
        self.remedy = f'install it by pip install "trammel[{extra}]"'
        super().__init__(f"{self.message}; {self.remedy}", name=library)
