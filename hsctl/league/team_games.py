"""Games of a league of teams as games between two: what a team did is what its players did together."""

from dataclasses import replace

from engine.teams import MATES, TEAMS
from hsctl.league.ledger import Fate, Outcome, Thinking
from hsctl.league.lineups import Block
from hsctl.league.runner import LeagueGame


def as_teams(game: LeagueGame) -> LeagueGame:
    """The game with teams for players; team t has the players 2 t and 2 t + 1."""
    seating = tuple(game.seating[team[0]] // MATES for team in TEAMS)
    lineup = tuple(dict.fromkeys(player // MATES for player in game.block.lineup))
    row = game.row._replace(outcome=team_outcome(game.row.outcome))
    return replace(game, block=Block(game.block.seed, lineup), seating=seating, row=row)


def team_outcome(outcome: Outcome) -> Outcome:
    """How a game went, in order of teams. A team dies with its last player."""
    ranks = [outcome.ranks[team[0]] for team in TEAMS]
    return Outcome(
        [1 + sum(other < rank for other in ranks) for rank in ranks],
        [sum(outcome.boxes[seat] for seat in team) for team in TEAMS],
        [sum(outcome.bombs[seat] for seat in team) for team in TEAMS],
        [last_death([outcome.deaths[seat] for seat in team]) for team in TEAMS],
        [together([outcome.thinking[seat] for seat in team]) for team in TEAMS],
        outcome.turns,
        outcome.reason,
        outcome.seconds,
    )


def last_death(deaths: list[Fate | None]) -> Fate | None:
    known = [death for death in deaths if death is not None]
    return max(known, key=lambda death: death.turn) if len(known) == len(deaths) else None


def together(thinking: list[Thinking]) -> Thinking:
    return Thinking(
        sum(each.turns for each in thinking),
        round(sum(each.total_ms for each in thinking), 3),
        max(each.worst_ms for each in thinking),
    )
