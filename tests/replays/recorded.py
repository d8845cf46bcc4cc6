"""Games for the tests: random players that mostly look before they leap, recorded as the arena would."""

import random

from engine.game import Game
from engine.notation import digest, format_action
from engine.rules import ACTIONS, BOMB
from replays.playback import is_open, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, Failure, Limits, Move, PlayerInfo, Replay, Thought, Turn

CARE = 0.98  # how often a player avoids actions that are certain death
CAUSES = ("timeout", "crash", "invalid")


def record_game(seed: int, seats: int, failures: float = 0.0, game: Game | None = None, care: float = CARE) -> Replay:
    """A whole random game; `failures` is the chance of a player to fail in a turn."""
    chance = random.Random(seed)
    game = game.copy() if game else Game.start(seed, seats)
    start = start_of(game)
    turns = []
    while not game.is_over:
        moves = [choose_move(game, seat, chance, failures, care) for seat in range(seats)]
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo("beam:paper,width=1000", True, {"width": 1000}), PlayerInfo("python bot.py", False)]
    players += [PlayerInfo("random", True) for _ in range(seats - 2)]
    return Replay(FORMAT, VERSION, "0.1.0", seed, start, players, Limits(1000.0, 100.0), turns, result_of(game))


def choose_move(game: Game, seat: int, chance: random.Random, failures: float, care: float) -> Move | None:
    if seat not in game.living:
        return None
    if chance.random() < failures:
        return Move(line="MOVE", failure=Failure(chance.choice(CAUSES), "as told"))
    action = choose_action(game, seat, chance, care)
    if seat == 1:  # as if it were an external bot
        line = format_action(game.state, seat, action, "catch me")
        return Move(action, line, "catch me", time_ms=12.5, cpu_ms=11.0, stderr="thinking ...\n")
    thought = Thought(12345, 8, 0.731, [action, 0, 0], {"opponents": 345, "own": 12000}, [action])
    return Move(action, time_ms=98.7, thought=thought)


def choose_action(game: Game, seat: int, chance: random.Random, care: float) -> int:
    """A random action that goes somewhere; with care, one after which there is a way out."""
    player = next(player for player in game.players() if player.id == seat)
    actions = [action for action in range(ACTIONS) if is_open(game, player, action % BOMB)]
    chance.shuffle(actions)
    if chance.random() < care:
        return next((action for action in actions if is_safe(game, seat, action)), actions[0])
    return actions[0]


def is_safe(game: Game, seat: int, action: int) -> bool:
    after = game.copy()
    after.step([action if at == seat else 0 for at in range(game.seats)])
    return after.can_survive(seat)


def stand_still_from(replay: Replay, turn: int) -> Replay:
    """The same game up to a turn; then everybody stands still."""
    game = Game.start(replay.seed or 0, replay.start.seats)
    turns = []
    while not game.is_over:
        still: list[Move | None] = [Move(0) if at in game.living else None for at in range(game.seats)]
        moves = replay.turns[game.turn].moves if game.turn < turn else still
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    fields = {name: getattr(replay, name) for name in replay.__struct_fields__}
    return Replay(**{**fields, "turns": turns, "result": result_of(game)})
