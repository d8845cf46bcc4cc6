"""What `hsctl play` tells of a bot that draws what can't be read."""

from hsctl.league.standings import Standings
from hsctl.match.result import GameResult, Misdrawn, ThinkingTime
from hsctl.match.runner import add_drawing
from hsctl.report.records import game_record
from hsctl.report.standings import remark_lines


def finished(misdrawn: Misdrawn | None, seed: int) -> GameResult:
    thinking = [ThinkingTime(9, 1.0, 1.0), ThinkingTime(9, 1.0, 1.0)]
    return GameResult(
        seed, (1, 0), [1, 2], [3, 2], [1, 1], [None, None], thinking, 9, "end", 1.0, misdrawn=[misdrawn, None]
    )


def test_wrong_lines_are_counted_over_turns_with_the_first() -> None:
    found = add_drawing(None, "@cell 3 4\n", 3)
    assert found is None
    found = add_drawing(found, "@value x\n@cell\n", 4)
    found = add_drawing(found, "@value y\n", 5)
    words = "turn 4: cannot read '@value x': expected `@value` and a number"
    assert found == Misdrawn(3, words)


def test_a_series_tells_them_once_and_json_has_them() -> None:
    standings = Standings(["a", "./bot"])
    first, second = finished(Misdrawn(2, "turn 4: such"), 7), finished(Misdrawn(1, "turn 1: other"), 8)
    for game in (first, second, finished(None, 9)):
        standings.add(game)
    assert remark_lines(standings) == ["./bot: 3 lines of drawings not shown; the first: turn 4: such (seed 7)"]
    assert game_record(first, standings.names)["misdrawn"] == [{"count": 2, "first": "turn 4: such"}, None]
