"""Games of a league of teams as games between two: what a team did is what its players did together."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.variants import MATES, TEAMS
from hsctl.match.result import Fate, Foresight, GameResult, Misdrawn, SlowStart, ThinkingTime
from replays.replay import FaultCount

Found = TypeVar("Found")


def as_teams(game: GameResult) -> GameResult:
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
        faithful_turns=by_team(game.faithful_turns, min),
        foresight=by_team(game.foresight, foresight_of),
        misdrawn=by_team(game.misdrawn, misdrawn_of),
        slow_starts=by_team(game.slow_starts, slowest),
        faults=[faults_of([game.faults[seat] for seat in team]) for team in TEAMS] if game.faults else [],
        team_size=1,
    )


def by_team(found: Sequence[Found | None], join: Callable[[list[Found]], Found]) -> list[Found | None]:
    """What was found of players, joined where it was found of both mates; empty if there was nothing to find."""
    pairs = [[one for seat in team if (one := found[seat]) is not None] for team in TEAMS] if found else []
    return [join(known) if known else None for known in pairs]


def last_death(deaths: Sequence[Fate | None]) -> Fate | None:
    known = [death for death in deaths if death is not None]
    return max(known, key=lambda death: death.turn) if len(known) == len(deaths) else None


def together(thinking: Sequence[ThinkingTime]) -> ThinkingTime:
    later = [each.later for each in thinking]
    known = [each for each in later if each is not None]
    return ThinkingTime(
        sum(each.turns for each in thinking),
        round(sum(each.total_ms for each in thinking), 3),
        max(each.worst_ms for each in thinking),
        late=dict(sum((Counter(each.late) for each in thinking), Counter())),
        beyond_ms=sum(each.beyond_ms for each in thinking),
        depths=sum(each.depths for each in thinking),
        nodes=sum(each.nodes for each in thinking),
        delayed=sum(each.delayed for each in thinking),
        later=None if None in later else (sum(each[0] for each in known), round(sum(each[1] for each in known), 3)),
    )


def foresight_of(found: list[Foresight]) -> Foresight:
    first = next((each.first for each in found if each.first), "")
    return Foresight(sum(each.checked for each in found), sum(each.wrong for each in found), first)


def misdrawn_of(found: list[Misdrawn]) -> Misdrawn:
    return replace(found[0], count=sum(each.count for each in found))


def slowest(found: list[SlowStart]) -> SlowStart:
    return max(found, key=lambda slow: slow.ms)


def faults_of(found: Sequence[dict[str, FaultCount]]) -> dict[str, FaultCount]:
    """By name; the first is that of the earliest turn."""
    joined: dict[str, FaultCount] = {}
    for name in dict.fromkeys(name for faults in found for name in faults):
        same = [faults[name] for faults in found if name in faults]
        first = min(same, key=lambda fault: fault.first_turn)
        joined[name] = replace(first, count=sum(fault.count for fault in same))
    return joined
