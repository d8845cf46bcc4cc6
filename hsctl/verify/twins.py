"""The two engines compared over many random rounds, in portions, so that progress can be shown."""

from collections.abc import Callable

from engine.spec.twin import Summary, verify

PORTION = 50_000  # rounds
SEED_BITS = 20  # a portion's number; its seed has that of the run above it
MOST = ("most_bombs", "most_bombs_of_one", "largest_range", "longest_game")
MASK = (1 << 64) - 1


def compare(steps: int, seed: int, on_portion: Callable[[int], None]) -> dict[int, Summary]:
    """What random games of 2, 3 and 4 players met, a third of the rounds each.

    Raises engine.spec.twin.Difference at the first round on which the engines disagree. `on_portion` is told how many
    more rounds are done.
    """
    met: dict[int, Summary] = {}
    for number, (players, count) in enumerate(portions_of(steps)):
        summary = verify(count, seed << SEED_BITS | number, players)
        met[players] = add(met[players], summary) if players in met else summary
        on_portion(count)
    return met


def portions_of(steps: int) -> list[tuple[int, int]]:
    """Players and rounds of each portion, taking turns; all rounds add up to `steps`."""
    portions = []
    left = {players: steps // 3 + (players - 2 < steps % 3) for players in (2, 3, 4)}
    while any(left.values()):
        for players in left:
            count = min(left[players], PORTION)
            left[players] -= count
            if count:
                portions.append((players, count))
    return portions


def add(one: Summary, other: Summary) -> Summary:
    """Two runs as one: counts add up, maxima are the greater of the two."""
    values = {
        name: max(a, b) if name in MOST else a + b for name, a, b in zip(Summary._fields, one, other, strict=True)
    }
    return Summary(**{**values, "digest": values["digest"] & MASK})
