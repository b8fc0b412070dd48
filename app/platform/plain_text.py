"""Text of scenes and files in widgets, as it stands: markup is not obeyed, names are not spelt anew."""

from html import escape


def as_plain(text: str) -> str:
    """The text as it stands, for message boxes and tool tips, which draw what looks like HTML as HTML."""
    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>") if "<" in text else text


def capitalised(text: str) -> str:
    """With a capital at its front if that is a word; names of files and methods stay as they are."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    return text[:1].upper() + text[1:] if word.rstrip(",;:").isalpha() else text


_BREAKS = str.maketrans({" ": "\N{NO-BREAK SPACE}", "/": "\N{WORD JOINER}/\N{WORD JOINER}"})


def unbroken(text: str) -> str:
    """A unit that no line ends within."""
    return text.translate(_BREAKS)
