"""Whether a player could have lived, by trying everything on the plain rules: what review is held against.

`python -m tests.hsctl.analysis.review.brute 300` compares 300 deaths of several players (the example bot in
C++ too, if g++ is there), and plays every safe move to its end.
"""

import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from engine.game import ARENA, Game, pack_actions
from engine.spec.bridge import from_state
from engine.spec.naive import EMPTY_BOX, legal_actions, step
from engine.state import MAX_TURNS
from engine.variants import mates_of
from hsctl.analysis.review.saving import Saving, SearchSpent, proof_of
from hsctl.match.players import read_player
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat
from replays.playback import Playback
from replays.replay import Limits
from tests.hsctl.run import ROOT

EXAMPLES = ROOT / "examples"
PYTHON_BOT = f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLES / 'bot.py'))}"
PLAYERS = ("random", "osla", "hybrid", "mcts", "simple", PYTHON_BOT)


class Brute:
    """The same question as Saving, asked of the naive engine, position by position."""

    def __init__(self, playback: Playback, seat: int, death: int) -> None:
        self.playback, self.seat, self.death = playback, seat, death
        self.known: dict[tuple[bytes, int], bool] = {}

    def safe_moves(self, turn: int) -> list[int]:
        game = self.playback.game_at(turn)
        naive, left = from_state(game.state, game.map), game.last_box_counter
        return [action for action in self.legal(naive, 10) if self.lives(*self.after(naive, left, action))]

    def last_chance(self) -> tuple[int, list[int]] | None:
        turns = range(self.death, self.playback.first_turn - 1, -1)
        return next(((turn, safe) for turn in turns if (safe := self.safe_moves(turn))), None)

    def legal(self, naive: np.record, most: int) -> list[int]:
        mask = int(legal_actions(naive, self.seat))
        return [action for action in range(most) if mask >> action & 1]

    def lives(self, naive: np.record, left: int) -> bool:
        """`left` are the rounds without a box that are left."""
        if not naive.players[self.seat].alive:
            return False
        if self.is_over(naive, left) or (naive.turn > self.death and not naive.bomb_count):
            return True
        key = key_of(naive), left
        if key not in self.known:
            most = 10 if naive.turn <= self.death else 5
            self.known[key] = any(self.lives(*self.after(naive, left, action)) for action in self.legal(naive, most))
        return self.known[key]

    def is_over(self, naive: np.record, left: int) -> bool:
        """Of a game in which the player lives."""
        start = self.playback.game_at(self.playback.first_turn)
        side = self.seat, *mates_of(start, self.seat)
        is_won = not any(me.alive for at, me in enumerate(naive.players) if at not in side)
        return is_won or naive.turn >= MAX_TURNS or (start.ends == ARENA and left <= 0)

    def after(self, naive: np.record, left: int, own: int) -> tuple[np.record, int]:
        after, actions = naive.copy(), [0] * self.playback.seats
        turn = int(naive.turn)
        if turn <= self.death:
            for at, move in enumerate(self.playback.moves_at(turn)):
                if move is not None and at != self.seat:
                    actions[at] = move.action or 0
                    after.players[at].alive &= move.action is not None
        actions[self.seat] = own
        step(after, pack_actions(actions))
        return after, left - (not (after.grid >= EMPTY_BOX).any())


def key_of(naive: np.record) -> bytes:
    """All that the position is, without the notes of the last round."""
    bombs = [bomb.tolist()[:5] for bomb in naive.bombs[: naive.bomb_count]]
    players = [(me.alive, me.x, me.y, me.bombs_left, me.range) for me in naive.players]
    return repr((naive.turn, naive.grid.tobytes(), naive.items.tobytes(), bombs, players)).encode()


def check(playback: Playback, seat: int, death: int) -> str:
    """Compare both searches, and play every safe move to its end; what was found."""
    saving = Saving(playback, seat, death)
    try:
        found = saving.last_chance()
    except SearchSpent:
        return "too many positions"
    assert found == Brute(playback, seat, death).last_chance()
    if found is None:
        return "never"
    turn, safe = found
    for action in safe:
        proof_of(playback, seat, turn, saving.line_from(turn, action), death, "test")
    return f"{death - turn} turns before"


def games(players: tuple[str, ...]) -> Iterator[Playback]:
    """Games of these players on one board after the other, two to four in each."""
    seats = [make_seat(read_player(text)) for text in (*players, *players, *players)]
    number = 0
    while True:
        count = 2 + number % 3
        chosen = [seats[(number + at) % len(seats)] for at in range(count)]
        yield Playback(play_game(chosen, Game.start(number, count), Limits(nodes=60), number)[0])
        number += 1


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        compare(count, (*PLAYERS, *cpp_bot(folder)))


def cpp_bot(folder: str) -> list[str]:
    """The example bot in C++, compiled into the folder."""
    if shutil.which("g++") is None:
        return []
    bot = f"{folder}/bot.cpp.out"
    subprocess.run(["g++", "-O2", "-std=c++17", "-o", bot, str(EXAMPLES / "bot.cpp")], check=True)
    return [bot]


def compare(count: int, players: tuple[str, ...]) -> None:
    started, seen, died = time.monotonic(), Counter[str](), Counter[str]()
    for playback in games(players):
        for seat, (turn, how) in playback.deaths().items():
            if not how.failure and seen.total() < count:
                seen[check(playback, seat, turn)] += 1
                died[playback.specs[seat].split("/")[-1]] += 1
        if seen.total() >= count:
            break
    for line, deaths in sorted(seen.items()):
        print(f"{deaths:5} {line}")
    print(f"of {', '.join(f'{name} {deaths}' for name, deaths in sorted(died.items()))}")
    print(f"{count} deaths, all as the brute force says, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
