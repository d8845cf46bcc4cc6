"""Two against two: seats 0 and 1, in opposite corners, against seats 2 and 3.

A round is played as ever, friendly fire included; only ends and ranks are others:

    end     a team is out when both of its players are; when one is out, the game is over
    ranks   the team with more survivors wins, then the one with more boxes; both of its players share its rank.
            By survival (`Game.ends`) the team whose last player lived longer wins
"""

from engine.errors import EngineError
from engine.game import NONE_LEFT, SURVIVAL, SURVIVOR_VALUE, Game

TEAMS = ((0, 1), (2, 3))  # seats
TEAM_OF = (0, 0, 1, 1)  # [seat]
SEATS = len(TEAM_OF)
MATES = 2  # players of a team
ONE_TEAM_LEFT = "one team left"


class TeamGame(Game):
    """A game of two teams."""

    @property
    def teams_left(self) -> int:
        """How many teams have a living player."""
        return len({TEAM_OF[at] for at in self.living})

    def _end_reason(self) -> str | None:
        if self.teams_left == len(TEAMS):
            return super()._end_reason()
        return ONE_TEAM_LEFT if self.teams_left else NONE_LEFT

    def values(self) -> list[int]:
        """Survivors of a player's team first, then its boxes; by survival, how long its last player lived."""
        if self.ends == SURVIVAL:
            lasting = self._lasting()
            return [max(lasting[mate] for mate in TEAMS[team]) for team in TEAM_OF]
        own = [
            boxes + (SURVIVOR_VALUE if died is None else 0)
            for boxes, died in zip(self.boxes, self.death_rounds, strict=True)
        ]
        return [sum(own[mate] for mate in TEAMS[team]) for team in TEAM_OF]


def in_teams(game: Game) -> TeamGame:
    """The same position as a game of two teams; the other is used no more."""
    if game.seats != SEATS:
        raise EngineError(f"a game of teams has {SEATS} seats, not {game.seats}")
    teamed = TeamGame(game.map, game.state, game.seats)
    teamed.__dict__.update(game.__dict__)
    return teamed


def mates_of(game: Game, seat: int) -> tuple[int, ...]:
    """Who is on a player's side."""
    return tuple(at for at in TEAMS[TEAM_OF[seat]] if at != seat) if isinstance(game, TeamGame) else ()
