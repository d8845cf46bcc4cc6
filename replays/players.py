"""Who is meant by `--player`: a seat, a name or a part of one, in every command alike."""

from collections.abc import Sequence

from replays.replay import ReplayError
from replays.text import clean, shorten

LONGEST_NAME = 40


def fitting_seats(text: str, specs: Sequence[str]) -> list[int]:
    """The seats of the players that a text may mean: its seat, or those of that name, or of a name with it in it."""
    if text.isdecimal() and text.isascii() and int(text[:9]) < len(specs):
        return [int(text)]
    wanted = text.casefold()
    names = [spec.casefold() for spec in specs]
    exact = [seat for seat, name in enumerate(names) if name == wanted]
    return exact or [seat for seat, name in enumerate(names) if wanted and wanted in name]


def seat_of(text: str, specs: Sequence[str]) -> int:
    """The one seat that a text means."""
    found = fitting_seats(text, specs)
    if len(found) == 1:
        return found[0]
    if found:
        raise ReplayError(f"player {text!r}: fits {list_seats(found, specs)}, expected one of these seats")
    everybody = list_seats(range(len(specs)), specs)
    raise ReplayError(f"player {text!r}: expected a seat, a name or a part of it: {everybody}")


def list_seats(seats: Sequence[int], specs: Sequence[str]) -> str:
    return ", ".join(f"{seat} ({shorten(clean(specs[seat]), LONGEST_NAME)})" for seat in seats)
