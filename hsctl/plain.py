"""Terminals and pipes that can't show all characters get the nearest that they can, never a traceback."""

import codecs
import io
from typing import TextIO

HANDLER = "hsctl-plain"
PAIRS = {
    "●■▲◆": "ox^*",  # players
    "█·▒†": "#.~+",
    "─━│┃┌┐└┘├┤┬┴┼╭╮╰╯╴╶╷╵╸╺": "--||+++++++++++++--||--",
    "→←↑↓⇧▶": "><^v^>",
    "⁰¹²³⁴⁵⁶⁷⁸⁹": "0123456789",
    "▁▂▃▄▅▆▇▌": "_.,:-=+|",
    "–—±…“”‘’×✓✗µ": "--~.\"\"''xvxu",
}
PLAIN = {symbol: twin for symbols, twins in PAIRS.items() for symbol, twin in zip(symbols, twins, strict=True)}


def replace_by_plain(error: UnicodeError) -> tuple[str, int]:
    """Replacements for characters that can't be encoded: as many others, so that boards and tables stay in shape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(one, "?") for one in error.object[error.start : error.end]), error.end


def speak_plainly(*streams: TextIO) -> None:
    """Let these streams write anything, whatever their encoding."""
    codecs.register_error(HANDLER, replace_by_plain)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and not shows_all(stream):
            stream.reconfigure(errors=HANDLER)


def shows_all(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")
