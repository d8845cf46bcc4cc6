"""Which games the win probability learns from, and which it is judged on: by board and by player.

Boards are numbered by their seed. Of ten rounds of boards, three are for judging. There, every second line-up has a
player that no training game has. Half of the line-ups are close: searches of one family with the same nodes. The
others are drawn from everybody, with nodes of their own.
"""

from collections.abc import Iterator
from random import Random

from hsctl.league.games import Block

FIRST_SEED = 500_000
SIZES = (2, 2, 3, 2, 4)  # players by board
JUDGED = 3  # of ten rounds of SIZES
BUDGETS = (300, 1000, 3000, 10_000)
CLOSE_BUDGETS = BUDGETS[1:]
CLOSE = ("beam", "beam:scaled", "beam:eighth", "beam:third", "beam:racer", "beam:turtle", "beam:hunter")
CLOSE_UNSEEN = ("beam:reference", "beam:paper", "chokudai")
OTHERS = ("rhea", "bias", "hybrid", "seeker", "simple", "osla")
UNSEEN = ("beam:reference", "beam:paper", "beam:gold", "chokudai", "mcts", "negamax", "pommer")
WITHOUT_NODES = ("simple", "osla", "pommer")  # rules and one step: nodes change nothing


def with_nodes(player: str, nodes: int) -> str:
    """The player with these nodes a turn."""
    if player in WITHOUT_NODES:
        return player
    return f"{player}{',' if ':' in player else ':'}nodes={nodes}"


def all_players() -> list[str]:
    """Everybody with each budget, in a fixed order."""
    texts = (with_nodes(player, nodes) for player in (*CLOSE, *OTHERS, *UNSEEN) for nodes in BUDGETS)
    return list(dict.fromkeys(texts))


PLAYERS = all_players()
NUMBERS = {text: number for number, text in enumerate(PLAYERS)}


def is_judged(seed: int) -> bool:
    """Whether a board is for judging, not for training."""
    return (seed - FIRST_SEED) // len(SIZES) % 10 < JUDGED


def is_unseen(text: str) -> bool:
    """Whether no training game has this player."""
    return any(text == name or text.startswith((f"{name}:nodes=", f"{name},nodes=")) for name in UNSEEN)


def lineup_of(seed: int) -> list[str]:
    """Who plays on a board."""
    random = Random(seed)
    size = SIZES[(seed - FIRST_SEED) % len(SIZES)]
    is_close, has_unseen = random.random() < 0.5, is_judged(seed) and random.random() < 0.5
    seen, unseen = (CLOSE, CLOSE_UNSEEN) if is_close else ((*CLOSE, *OTHERS), UNSEEN)
    players = random.sample(seen, size)
    if has_unseen:
        players[0] = random.choice(unseen)
    nodes = random.choice(CLOSE_BUDGETS)
    return [with_nodes(player, nodes if is_close else random.choice(BUDGETS)) for player in players]


def blocks(boards: int) -> Iterator[Block]:
    """The games on so many boards: every line-up from all seats."""
    for seed in range(FIRST_SEED, FIRST_SEED + boards):
        yield Block(seed, tuple(NUMBERS[text] for text in lineup_of(seed)))
