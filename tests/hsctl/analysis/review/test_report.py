"""A review as JSON."""

import json

from hsctl.analysis.review.report import Link, death_record, encode
from tests.hsctl.analysis.review.test_deaths import FAR_RIVAL, death_in, played

CHAINED = f"""
    .......
    0X0X.X0
    0 0 1 0 1 3
    {FAR_RIVAL}
    1 0 6 0 3 3
    1 1 4 0 8 4
    """  # the own bomb's time comes on turn 2; it lights player 1's, which reaches player 0


def test_a_chain_is_told_from_the_bomb_that_started_it() -> None:
    playback = played(CHAINED, [], [])
    record = death_record(playback, death_in(playback))
    (bomb,) = record.bombs
    assert (bomb.lit_by, bomb.chain) == (0, [Link(0, -6, 6, 0)])
    assert record.why.endswith("bombs: player 1 of turn -1 at 4,0 (set off by its own of turn -6 at 6,0)")


def test_a_long_chain_is_told_with_the_bombs_in_between() -> None:
    """From 7,0 over 6,0 to 4,0."""
    playback = played(CHAINED.replace("1 0 6 0 3 3", "1 0 7 0 3 2\n1 1 6 0 5 3"), [], [])
    record = death_record(playback, death_in(playback))
    assert record.bombs[0].chain == [Link(0, -6, 7, 0), Link(1, -4, 6, 0)]
    assert record.why.endswith(" at 4,0 (set off by its own of turn -6 at 7,0 through 6,0)")


def test_json_holds_plain_characters_only() -> None:
    text = encode({"name": "\x9b31m\u2028"})
    assert text.isascii() and json.loads(text) == {"name": "\x9b31m\u2028"}
