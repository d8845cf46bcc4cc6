"""Planted mistakes: games of beam in which one move was replaced by a bad one, and how high review lists that turn.

There are two kinds, in turn: a move that closes the own way out of the known bombs, and one that gives three boxes
away: the best line after it, by a search several times as wide as that of a review, destroys three boxes fewer than the
best line after beam's own move, and is worth three boxes less, the others doing the same in both.

`python -m tests.hsctl.analysis.review.planted 100` plays 100 such games, and as many without a planted
mistake; a further word, `planted` or `clean`, does one of both, `--first 1000` begins with that board.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from engine.game import Game
from engine.notation import digest
from engine.survival import is_survivable
from hsctl.analysis.review.deaths import deaths_of
from hsctl.analysis.review.document import Review
from hsctl.analysis.review.mistakes import LOST, ReferenceBeam, beam_of, regrets_of
from hsctl.analysis.review.run import review_of
from hsctl.analysis.review.saving import legal
from replays.playback import Playback, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, Limits, Move, PlayerInfo, Replay, Turn
from search import make_agent
from search.agent import Agent, Budget
from search.beam.agent import BeamAgent
from search.common.planning import Line, Plans

PLAYING = 20_000  # nodes of a decision
EARLIEST, LATEST = 5, 60  # turns from which on an occasion for a mistake is looked for
TRIED = 20  # turns that are looked at
BOX = ReferenceBeam("beam:reference", 1).box  # points
BOXES = 3  # that are given away
WIDTH = 500  # of the search that counts them

BadMove = Callable[[Game, list[int], list[Agent]], int | None]


def play(seed: int, seats: int, bad_move: BadMove | None, agents: list[Agent]) -> tuple[Playback, int | None]:
    """A game of beam; the turn of the planted move of player 0, if there was an occasion."""
    chance, game = random.Random(seed), Game.start(seed, seats)
    start, turns, planted = start_of(game), [], None
    wanted = chance.randint(EARLIEST, LATEST)
    for at, agent in enumerate(agents[:seats]):
        agent.start_game(game.map, at, seed)
    while not game.is_over:
        living = game.living
        actions = decide_all(game, agents, lambda: PLAYING)
        if bad_move and planted is None and wanted <= game.turn < wanted + TRIED and 0 in living and len(living) > 1:
            bad = bad_move(game, actions, agents)
            if bad is not None:
                planted, actions[0] = game.turn, bad
        moves = [Move(actions[at]) if at in living else None for at in range(seats)]
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo(f"beam {at}", False) for at in range(seats)]
    replay = Replay(FORMAT, VERSION, "test", seed, start, players, Limits(nodes=PLAYING), turns, result_of(game))
    return Playback(replay), planted


def decide_all(game: Game, agents: list[Agent], nodes: Callable[[], int]) -> list[int]:
    living = game.living
    return [
        agents[at].decide(game.state, at, Budget(nodes=nodes())).action if at in living else 0
        for at in range(game.seats)
    ]


# Bad moves


def close_way_out(game: Game, actions: list[int], agents: list[Agent]) -> int | None:
    """An action that closes the own way out of the known bombs."""
    return next((action for action in others_than(game, actions) if not can_survive(game, action, actions)), None)


def give_boxes_away(game: Game, actions: list[int], agents: list[Agent]) -> int | None:
    """The action with the fewest boxes to come, of those that can be survived, if it costs enough of them."""
    assert isinstance(agents[0], BeamAgent)
    plans, beam = agents[0].thinking.plans, counting_beam()
    beam.start_game(game.map, 0, 0)
    tried = (action for action in legal(game.state, 0, 10) if can_survive(game, action, actions))
    found = {action: beam.look_ahead(game.state, 0, plans, 1 << action) for action in tried}
    values = {action: line.value for action, line in found.items() if line.value is not None and line.value > LOST}
    if actions[0] not in values:
        return None
    worst = min(values, key=lambda action: values[action])
    given_away = boxes_of(game, found[actions[0]], plans) - boxes_of(game, found[worst], plans)
    worth = (values[actions[0]] - values[worst]) / BOX
    return worst if min(given_away, worth) >= BOXES else None


@lru_cache(None)
def counting_beam() -> BeamAgent:
    return beam_of("beam", WIDTH)


def boxes_of(game: Game, line: Line, plans: Plans) -> int:
    """The boxes that player 0 destroys by a line, while the others follow these plans."""
    after = game.copy()
    for turn, own in enumerate(line.actions):
        planned = [plan[turn] if turn < len(plan) else 0 for plan in (plans.get(at, []) for at in range(game.seats))]
        after.step([own, *planned[1:]])
    return after.boxes[0] - game.boxes[0]


def others_than(game: Game, actions: list[int]) -> list[int]:
    return [action for action in legal(game.state, 0, 10) if action != actions[0]]


def can_survive(game: Game, action: int, actions: list[int]) -> bool:
    after = game.copy()
    after.step([action, *actions[1:]])
    return 0 in after.living and bool(is_survivable(after.state, after.map, 0))


KINDS: dict[str, BadMove] = {"way out closed": close_way_out, "three boxes given away": give_boxes_away}


# Reviews


def look(playback: Playback, reference: ReferenceBeam) -> Review:
    regrets = regrets_of(playback, 0, reference, lambda _: None)
    return review_of(playback, 0, "game", deaths_of(playback, 0), regrets)


def count_planted(count: int, first: int, agents: list[Agent], reference: ReferenceBeam) -> None:
    """How high the planted turns are listed."""
    places, number = {kind: Counter[str]() for kind in KINDS}, first
    while (done := sum(each.total() for each in places.values())) < count:
        kind = list(KINDS)[done % 2]
        playback, planted = play(number, 2 + number % 3, KINDS[kind], agents)
        number += 1
        if planted is not None:
            turns = [mistake.turn for mistake in look(playback, reference).mistakes]
            place = f"place {turns.index(planted) + 1}" if planted in turns else "not listed"
            places[kind][place] += 1
            print(f"seed {number - 1}, {kind}, turn {planted}: {place}", flush=True)
    for kind, found in places.items():
        print(f"{kind}: {dict(sorted(found.items()))}")


def count_clean(count: int, first: int, agents: list[Agent], reference: ReferenceBeam) -> None:
    """How often something is found in games without a planted mistake that the player survives."""
    found, seed = Counter[str](), first
    while found.total() < count:
        playback, _ = play(seed, 2 + seed % 3, None, agents)
        if 0 in playback.game_at(playback.end_turn).living:
            mistakes = look(playback, reference).mistakes
            found["above the noise" if mistakes else "nothing found"] += 1
            print(f"seed {seed}: {[(each.kind, each.turn, each.cost) for each in mistakes]}", flush=True)
        seed += 1
    print(f"without a mistake: {dict(found)}")


def main() -> None:
    parts = {"planted": count_planted, "clean": count_clean}
    parser = argparse.ArgumentParser(prog="python -m tests.hsctl.analysis.review.planted")
    parser.add_argument("games", type=int)
    parser.add_argument("part", nargs="?", choices=parts, help="default: both")
    parser.add_argument("--first", type=int, default=0, help="seed of the first board")
    asked = parser.parse_args()
    agents, reference = [make_agent("beam") for _ in range(4)], ReferenceBeam("beam:reference")
    started = time.process_time()
    for part in [asked.part] if asked.part else parts:
        parts[part](asked.games, asked.first, agents, reference)
    print(f"{time.process_time() - started:.0f} s of CPU")


if __name__ == "__main__":
    main()
