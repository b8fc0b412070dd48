"""Text of scenes and files in widgets that would take it for markup."""

from html import escape


def as_plain(text: str) -> str:
    """The text as it stands, for message boxes and tool tips, which draw what looks like HTML as HTML."""
    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>") if "<" in text else text
