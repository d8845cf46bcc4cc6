"""A person in a seat: asked like any other player, answers by keys and has no limit but the clock of the keyboard."""

import time

from engine.game import Game
from hsctl.arena.seats import Act
from hsctl.human.hands import Hands
from replays.replay import Limits, Move, PlayerInfo
from search.agent import Budget


class PersonSeat:
    def __init__(self, text: str, hands: Hands) -> None:
        self.info = PlayerInfo(text, False)
        self.hands = hands
        self.seat = 0

    def warm_up(self) -> None:
        pass

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.seat = seat

    def recall(self, game: Game, budget: Budget | None) -> str | None:
        return None  # people remember by themselves

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        started = time.perf_counter()
        move = Move(self.hands.take(self.seat))
        ms = (time.perf_counter() - started) * 1000
        if limits.nodes is None:
            move.time_ms = round(ms, 3)
        return Act(move, ms)

    def end(self) -> None:
        pass
