"""Text that strangers wrote (names, messages, files), made fit for a terminal.

A terminal obeys control characters: a name may move the cursor, fill the clipboard or reverse the line. Here they
become the escapes that a programmer would write, as `\\x1b`, and do nothing.
"""

import re

LINES = "\n\t"  # what text of several lines may keep
COMMANDS = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"  # unseen ones, and those that turn the direction of writing
    "\ud800-\udfff]"  # halves of a character, which can't be printed
)


def clean(text: str, keep: str = "") -> str:
    """The text with every character that could steer a terminal written out, but for those to keep."""
    return COMMANDS.sub(lambda found: found[0] if found[0] in keep else escape(found[0]), text)


def escape(character: str) -> str:
    """As Python would write it in quotes."""
    return repr(character)[1:-1] if ord(character) < 0x100 else f"\\u{ord(character):04x}"
