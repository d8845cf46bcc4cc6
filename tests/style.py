"""Phrases that nobody would say to a colleague, each with what to write instead.

`find_tics` works on any text: docs use it in tests/test_docs.py, and help, errors and tables can use it as well. To add
a phrase, add a line to TICS.
"""

import re
from typing import NamedTuple

TICS = {
    r"\bbesides?\b(?! that)": "say where: next to, with, in addition to",
    r"\b(it is|is|are|was|were) (said|told)\b": "name the actor: hsctl reports, warns, shows",
    r"\b(tells|has) (what|who|whom|how|which|whether|where|why)\b|\bsays? of\b": "name the thing: lists, shows",
    r"\b(there|here|below|above|it|they|that|which) (stands?|stood)\b(?! still)": "there is, shows, lists",
    r"\b(stands?|stood) (there|here|below|above|what|between|behind)\b": "there is, shows, lists",
    r"\b(answer|come|came|play|act|go|do|did)(s|ed|es)? otherwise\b": "differently",
    r"\bwho (isn't|is) named\b|\bof who\b|\bwho (lost|died|wins?)\b(?! by| on)": "the player that ...",
    r"\bone's own\b": "your own, its own",
    r", expected\b": "what is wrong, then what to do",
    r"\brivals?\b": "opponent",
    r"\b(stolen|faithful)\b": "delayed by the machine; follows the recording",
    r"\b(house|sheet|chapter)\b": "package, report, section",
    r"\bthe own\b": "its own, the player's",
    r"\bsome are none\b|\bwhat there is\b|\bwhat not\b": "say it positively",
    r"\bas far as it (goes|went)\b": "the recorded part",
}
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\]\([^)]*\)")


class Tic(NamedTuple):
    """A phrase to avoid, where it is, and what to write."""

    line: int
    phrase: str
    write: str


def find_tics(text: str) -> list[Tic]:
    """Every phrase of TICS in a text. What is written as `code`, and where links lead, doesn't count."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        prose = LINK.sub("]", CODE.sub("`code`", line))
        for pattern, write in TICS.items():
            found += [Tic(number, match[0], write) for match in re.finditer(pattern, prose, re.IGNORECASE)]
    return found
