"""Bits of a word: what the processor counts is what plain Python counts."""

import numpy as np

from engine.board import (
    count_bits,
    highest_bit,
    lowest_bit,
    plain_count_bits,
    plain_highest_bit,
    plain_lowest_bit,
)
from engine.jit import entry


@entry
def bits_of(word):
    return lowest_bit(word), highest_bit(word), count_bits(word)


def test_bits_are_counted_at_every_place() -> None:
    spans = [((1 << high + 1) - 1) & ~((1 << low) - 1) for low in range(64) for high in range(low, 64)]
    sparse = [1 << low | 1 << high for low in range(64) for high in range(low, 64)]
    for word in map(np.uint64, spans + sparse):
        wanted = plain_lowest_bit(word), plain_highest_bit(word), plain_count_bits(word)
        found = bits_of(word)
        assert found == wanted
