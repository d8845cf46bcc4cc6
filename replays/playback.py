"""A replay played again: the game at any turn, with every hash and the result compared on the way.

Turns are numbered as in the game: a replay that starts at turn 42 has turns 42, 43, ... and its last position,
which nobody answered, is the turn after the last one.

    position   first_turn ... t      t + 1 ... end_turn
    moves          |          |        |          none
                              +--------^ moves of turn t, events of turn t
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from engine.board import MOVES
from engine.errors import EngineError
from engine.events import Death, Event
from engine.game import SURVIVAL, Game, bucket_of
from engine.notation import digest, format_position, parse_position
from engine.position import Player, target_of
from engine.rules import ACTIONS, BOMB
from engine.variants import TEAM_OF, Sight, TeamGame, in_teams
from replays.annotations import Predictions, tell_wrong
from replays.events import events_of
from replays.files import read_source
from replays.record import Better, Record, seat_in_focus
from replays.replay import UNFINISHED, Move, PlayerInfo, Replay, ReplayError, Result, Start, Turn, decode, parents_of
from replays.text import name_turns


class Playback:
    """All positions of a replay. Making one steps the whole game and raises ReplayError where it doesn't fit.

    `digest` is that of the file it was read from; None: of no file, so that nobody vouches for its players.
    """

    digest: str | None = None

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        check_seats(replay)
        self._games = [game_from(replay.start)]
        for turn in replay.turns:
            self._games.append(play_turn(self._games[-1], turn))
            if replay.version == 1:
                list_items_by_row(*self._games[-2:])
        check_result(self._games[-1], replay)
        check_parents(replay)
        self._views: dict[int, list[Game]] = {}  # seat -> what the player was sent, if sight was limited

    @property
    def seats(self) -> int:
        return self.replay.start.seats

    @property
    def specs(self) -> list[str]:
        return [info.spec for info in self.replay.players]

    def info_at(self, turn: int, seat: int) -> PlayerInfo:
        """Who sat in a seat on this turn: a game that was played on may have had others before."""
        players, parent = self.replay.players, self.replay.parent
        while parent is not None and turn < parent.turn:
            players, parent = parent.players, parent.parent
        return players[seat]

    def given_at(self, turn: int, seat: int) -> str:
        """The order that a player was given on this turn in place of its own move; empty if it wasn't."""
        parent = self.replay.parent
        while parent is not None and parent.turn > turn:
            parent = parent.parent
        return parent.moves[seat] if parent is not None and parent.turn == turn and parent.moves else ""

    def seed_at(self, turn: int) -> int:
        """The seed of the decisions of this turn: each further game played on from a turn has one of its own."""
        seed, parent = self.replay.seed or 0, self.replay.parent
        while parent is not None and turn < parent.turn:
            seed, parent = seed - parent.number, parent.parent
        return seed

    @property
    def seed(self) -> int | None:
        return self.replay.seed

    @property
    def is_finished(self) -> bool:
        return self.replay.result.is_finished

    @property
    def is_live(self) -> bool:
        """Whether more turns may come."""
        return False

    @property
    def own_seat(self) -> int | None:
        """The seat of the code in the arena's editor, if it played one; else nobody's: all players are known alike."""
        own = [seat for seat, info in enumerate(self.replay.players) if info.is_own]
        return own[0] if len(own) == 1 else None

    @property
    def first_turn(self) -> int:
        return self._games[0].turn

    @property
    def end_turn(self) -> int:
        """The number of the last position, which nobody answered."""
        return self._games[-1].turn

    def game_at(self, turn: int) -> Game:
        """The game as it was sent to the players on this turn; a copy that the caller may step."""
        return self._games[self._index(turn)].copy()

    def seen_at(self, turn: int, seat: int) -> Game | None:
        """The game as a living player was sent it; None if all of it was sent."""
        radius, index = self.replay.limits.vision, self._index(turn)
        if radius is None:
            return None
        if seat not in self._games[index].living:
            raise ReplayError(f"turn {turn}: player {seat} is dead and sees nothing; name an earlier turn")
        if seat not in self._views:
            sight = Sight(self._games[0], seat, radius)
            self._views[seat] = [sight.look(game) for game in self._games if seat in game.living]
        return self._views[seat][index].copy()

    def moves_at(self, turn: int) -> list[Move | None]:
        """What each seat answered on this turn; nothing at the end."""
        index = self._index(turn)
        if turn == self.end_turn:
            return [None] * self.seats
        return self.replay.turns[index].moves

    def events_at(self, turn: int) -> list[Event]:
        """What the moves of this turn led to; nothing at the end."""
        index = self._index(turn)
        return [] if turn == self.end_turn else events_of(self._games[index], self.replay.turns[index].moves)

    def events_before(self, turn: int) -> list[Event]:
        """What led to the position of this turn; nothing at the start."""
        return self.events_at(turn - 1) if turn > self.first_turn else []

    def notes_before(self, turn: int) -> list[str]:
        """What bots predicted wrongly about this position, and what they can't draw on it."""
        predicted = [wrong.note() for wrong in self.predictions.wrong_about(turn)]
        return predicted + tell_wrong(stderr_of(self.moves_at(turn)))

    @cached_property
    def predictions(self) -> Predictions:
        """What bots said about positions to come."""
        found = Predictions()
        for turn, after in zip(self.replay.turns, self._games[1:], strict=True):
            found.follow(stderr_of(turn.moves), after)
        return found

    def better_at(self, turn: int) -> Better | None:
        """Nobody looked."""
        return None

    def title_at(self, turn: int) -> str:
        """Which turn this is, in words."""
        seed = "" if self.replay.seed is None else f", seed {self.replay.seed}"
        if turn == self.end_turn:
            end = "end" if self.is_finished else "stopped"
            return f"{end} after turn {turn - 1}{seed}: {self.replay.result.reason}"
        return f"turn {turn} of {self.end_turn - 1}{seed}"

    def deaths(self) -> dict[int, tuple[int, Death]]:
        """The turn and the death of each player that died."""
        found = {}
        for turn, (before, after) in enumerate(zip(self._games, self._games[1:], strict=False), self.first_turn):
            if before.living != after.living:
                deaths = [event for event in self.events_at(turn) if isinstance(event, Death)]
                found.update({death.player: (turn, death) for death in deaths})
        return found

    def check_open_turn(self, turn: int) -> None:
        """Raise if nobody could decide on this turn. An unfinished game was stopped on a position that is open."""
        first, last = self.first_turn, self.end_turn - self.is_finished
        if turn == self.end_turn > last:
            raise ReplayError(f"turn {turn}: the game was over; name a turn from {first} to {last}")
        if not first <= turn <= last:
            raise ReplayError(f"turn {turn}: this game has turns {first} to {last}")

    def _index(self, turn: int) -> int:
        if not self.first_turn <= turn <= self.end_turn:
            raise ReplayError(f"turn {turn}: this game has {name_turns(self.first_turn, self.end_turn)}")
        return turn - self.first_turn


def read(path: Path) -> Replay:
    """The replay in a file, not played again."""
    data = read_source(path, "a replay file")
    try:
        return decode(data)
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from None


def load(path: Path) -> Playback:
    """Read a replay and play it again; errors name the file."""
    replay = read(path)
    try:
        return Playback(replay)
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from None


def start_of(game: Game) -> Start:
    """A position that a game can go on from, with all that its text doesn't tell."""
    if game.is_over:
        raise ReplayError(f"turn {game.turn}: the game is over ({game.reason}); start from an earlier turn")
    return Start(
        position=format_position(game),
        seats=game.seats,
        turn=game.turn,
        boxes=game.boxes if any(game.boxes) else [],
        death_rounds=game.death_rounds.copy() if len(game.living) < game.seats else [],
        idle_rounds=game.idle_rounds,
        last_box_counter=game.last_box_counter,
        teams=list(TEAM_OF) if isinstance(game, TeamGame) else [],
        ends="survival" if game.ends == SURVIVAL else "arena",
    )


def result_of(game: Game) -> Result:
    """The result of a game, or the ranks so far."""
    return Result(game.reason or UNFINISHED, game.ranks(), game.boxes, game.death_rounds.copy(), digest(game))


def game_from(start: Start) -> Game:
    """The game that goes on from there."""
    try:
        game = parse_position(start.position, start.turn, start.boxes, start.seats)
    except EngineError as error:
        raise ReplayError(f"start: {error}") from None
    dead = [at for at in range(game.seats) if at not in game.living]
    recorded = [at for at, died in enumerate(start.death_rounds) if died is not None]
    if start.death_rounds:
        if len(start.death_rounds) != game.seats or recorded != dead:
            raise ReplayError(f"start: death rounds {start.death_rounds}, but the dead are {dead}")
        game.death_rounds = start.death_rounds.copy()
    game.idle_rounds = start.idle_rounds
    game.last_box_counter = start.last_box_counter
    game.ends = start.ends
    return teamed(game, start.teams)


def teamed(game: Game, teams: list[int]) -> Game:
    """The game with its teams, if it has any."""
    if not teams:
        return game
    if teams != list(TEAM_OF) or game.seats != len(TEAM_OF):
        raise ReplayError(
            f"start: teams {teams} of {game.seats} seats; only {list(TEAM_OF)} of {len(TEAM_OF)} can be played"
        )
    return in_teams(game)


def check_seats(replay: Replay) -> None:
    seats = replay.start.seats
    if len(replay.players) != seats:
        raise ReplayError(f"{len(replay.players)} players, but the start has {seats} seats")


def check_parents(replay: Replay) -> None:
    """The games that it was played on from: as many players, and the youngest last."""
    seats, last = replay.start.seats, replay.start.turn + len(replay.turns)
    for parent in parents_of(replay):
        if not replay.start.turn <= parent.turn <= last:
            raise ReplayError(
                f"parent: played on from turn {parent.turn}, which is not in {replay.start.turn} to {last}"
            )
        if len(parent.players) != seats or len(parent.moves) not in (0, seats):
            raise ReplayError(f"parent: {len(parent.players)} players and {len(parent.moves)} moves for {seats} seats")
        last = parent.turn


def play_turn(game: Game, turn: Turn) -> Game:
    """The game after a recorded turn; raises where that is impossible."""
    if game.is_over:
        raise ReplayError(f"turn {game.turn}: moves after the end of the game ({game.reason})")
    check_hash(f"turn {game.turn}", turn.hash, game)
    if len(turn.moves) != game.seats:
        raise ReplayError(f"turn {game.turn}: {len(turn.moves)} moves for {game.seats} seats")
    after = game.copy()
    players = {player.id: player for player in game.players()}
    for seat, move in enumerate(turn.moves):
        check_move(game, seat, players.get(seat), move)
    play_moves(after, turn.moves)
    return after


def play_moves(game: Game, moves: Sequence[Move | None]) -> None:
    """Play one round in place: who fails is out before it, who is dead does nothing."""
    for seat, move in enumerate(moves):
        if move is not None and move.action is None:
            game.eliminate(seat)
    game.step([0 if move is None or move.action is None else move.action for move in moves])


def stderr_of(moves: Sequence[Move | None]) -> list[str]:
    """What each seat wrote on a turn."""
    return ["" if move is None else move.stderr for move in moves]


def list_items_by_row(before: Game, after: Game) -> None:
    """Items freed together, as replays of version 1 list them: by the arena's bucket, then row by row."""
    lay = [cell for cell in after.item_order if cell in before.item_order]
    freed = [cell for cell in after.item_order if cell not in before.item_order]
    after.item_order = lay + sorted(freed, key=lambda cell: (bucket_of(cell), cell[1], cell[0]))


def check_move(game: Game, seat: int, player: Player | None, move: Move | None) -> None:
    """A living player acts or fails, a dead one does neither; a move goes where it can."""
    at = f"turn {game.turn}, player {seat}"
    if player is None:
        if move is not None:
            raise ReplayError(f"{at}: a dead player moves")
        return
    if move is None:
        raise ReplayError(f"{at}: no move of a living player")
    if (move.action is None) == (move.failure is None):
        found = "neither action nor failure" if move.action is None else "an action and a failure"
        raise ReplayError(f"{at}: {found}; a move has one of the two")
    if move.action is not None:
        check_action(game, at, player, move.action)
    if move.thought is not None:
        for planned in (*move.thought.plan, *move.thought.carried):
            if not 0 <= planned < ACTIONS:
                raise ReplayError(f"{at}: planned action {planned} is not in 0 to {ACTIONS - 1}")


def check_action(game: Game, at: str, player: Player, action: int) -> None:
    """A bomb that can't be dropped is not an error: the arena ignores it too."""
    if not 0 <= action < ACTIONS:
        raise ReplayError(f"{at}: action {action} is not in 0 to {ACTIONS - 1}")
    if action % BOMB and target_of(game.state, player, action) == player.cell:
        can = [f"{move} {name}" for move, name in enumerate(MOVES) if is_open(game, player, move)]
        raise ReplayError(
            f"{at}: action {action} moves {MOVES[action % BOMB]} from {player.x} {player.y} where it is blocked; "
            f"open are {', '.join(can)} (+{BOMB} with a bomb)"
        )


def is_open(game: Game, player: Player, move: int) -> bool:
    return move == 0 or target_of(game.state, player, move) != player.cell


def check_hash(at: str, recorded: str, game: Game) -> None:
    found = digest(game)
    if recorded != found:
        raise ReplayError(
            f"{at}: hash {recorded}, but the rules lead to {found}: the position differs from the recorded one"
        )


def check_result(game: Game, replay: Replay) -> None:
    """The end: that it is one, unless the game was stopped; and that ranks, boxes and deaths are the recorded ones."""
    if not game.is_over and replay.result.is_finished:
        raise ReplayError(f"turn {game.turn}: the file ends before the game does")
    result = replay.result
    check_hash("result", result.hash, game)
    fields: list[tuple[str, object, object]] = [
        ("reason", result.reason, game.reason or UNFINISHED),
        ("ranks", result.ranks, game.ranks()),
        ("boxes", result.boxes, game.boxes),
        ("death rounds", result.death_rounds, game.death_rounds),
    ]
    for name, recorded, found in fields:
        if recorded != found:
            raise ReplayError(f"result: {name} {recorded}, but the rules give {found}")


# A game that is still being played


class Live(Playback):
    """`replay` is the game so far, another value after each turn: who reads it in another thread has a whole one."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay)
        self.is_stopped = False

    @property
    def is_live(self) -> bool:
        return not (self.is_finished or self.is_stopped)

    def grow(self, turn: Turn) -> None:
        """Add a turn that was played."""
        after = play_turn(self._games[-1], turn)
        self.predictions.follow(stderr_of(turn.moves), after)
        self._games.append(after)
        self._views.clear()
        self.replay = replace(self.replay, turns=[*self.replay.turns, turn], result=result_of(after))

    def title_at(self, turn: int) -> str:
        if not self.is_live:
            return super().title_at(turn)
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"turn {turn}{seed}" if turn == self.end_turn else f"turn {turn} of {self.end_turn} so far{seed}"


def focus_of(record: Record) -> int:
    """The seat that a viewer of a record starts with."""
    if isinstance(record, Playback):
        return seat_in_focus(record.replay.players, record.own_seat)
    return record.own_seat or 0
