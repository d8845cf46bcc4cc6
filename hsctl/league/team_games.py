"""Games of a league of teams as games between two: what a team did is what its players did together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.around.teams import MATES, TEAMS
from hsctl.arena.finished import Fate, FinishedGame, Thinking


def as_teams(game: FinishedGame) -> FinishedGame:
    """The game with teams for players; team t has the players 2 t and 2 t + 1. A team dies with its last player."""
    ranks = [game.ranks[team[0]] for team in TEAMS]
    return replace(
        game,
        seating=tuple(game.seating[team[0]] // MATES for team in TEAMS),
        ranks=[1 + sum(better < rank for better in ranks) for rank in ranks],
        boxes=[sum(game.boxes[seat] for seat in team) for team in TEAMS],
        bombs=[sum(game.bombs[seat] for seat in team) for team in TEAMS],
        deaths=[last_death([game.deaths[seat] for seat in team]) for team in TEAMS],
        thinking=[together([game.thinking[seat] for seat in team]) for team in TEAMS],
        team_size=1,
    )


def last_death(deaths: Sequence[Fate | None]) -> Fate | None:
    known = [death for death in deaths if death is not None]
    return max(known, key=lambda death: death.turn) if len(known) == len(deaths) else None


def together(thinking: Sequence[Thinking]) -> Thinking:
    return Thinking(
        sum(each.turns for each in thinking),
        round(sum(each.total_ms for each in thinking), 3),
        max(each.worst_ms for each in thinking),
        late=dict(sum((Counter(each.late) for each in thinking), Counter())),
        beyond_ms=sum(each.beyond_ms for each in thinking),
        depths=sum(each.depths for each in thinking),
    )
