"""Text that others wrote, on a line of ours: bots and players write what they like."""


def clean(text: str) -> str:
    """Without what would move the cursor or change colours."""
    return "".join(character if character.isprintable() else "?" for character in text)


def shorten(text: str, width: int) -> str:
    """At most so many characters, with a mark where it was cut."""
    return text if len(text) <= width else text[: width - 1] + "…"
