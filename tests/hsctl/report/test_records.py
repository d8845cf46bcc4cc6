"""Standings as JSON: the names that scripts rely on, and numbers that are numbers."""

import json

from hsctl.match.result import Fate
from hsctl.report.records import format_record, league_record, series_record
from tests.hsctl.games import made_game, standings_of

GAME = {
    "seed": 7,
    "seats": ["mcts", "beam"],
    "ranks": [2, 1],
    "boxes": [3, 3],
    "death_turns": [None, None],
    "faithful_turns": None,
    "predictions": None,
    "misdrawn": None,
    "slow_starts": None,
    "first_turn": 0,
    "turns": 40,
    "reason": "200 turns",
    "retries": 0,
    "replay": None,
}
DELAYS = ("valid", "delayed_turns", "retries")
OF_A_SERIES = (
    "name games wins draws losses boxes deaths timeouts deaths_by_cause errors bombs mean_rank mean_boxes time_ms "
    "nodes_per_ms faults timeouts_by_culprit late_turns cpu_beyond_turns intervals"
)
OF_A_LEAGUE = (
    "name games wins draws losses mean_rank places boxes mean_boxes boxes_interval bombs bombs_per_turn deaths "
    "deaths_by_cause errors turns time_ms nodes_per_ms faults timeouts_by_culprit late_turns cpu_beyond_turns"
)


def test_a_series_has_the_promised_names() -> None:
    record = json.loads(format_record(series_record(standings_of(made_game([2, 1], (1, 0)), made_game([1, 1])))))
    assert list(record) == ["clock", *DELAYS, "players", "games"] and record["games"][0] == GAME
    assert [" ".join(player) for player in record["players"]] == [OF_A_SERIES] * 3
    assert [player["wins"] for player in record["players"]] == [1, 0, 0]
    beam, _, rhea = record["players"]
    assert (beam["boxes"], beam["time_ms"], rhea["time_ms"]) == (6, {"median": 2.0, "worst": 9.0}, None)
    assert (rhea["intervals"]["wins"], rhea["intervals"]["rank"]) == ([0.0, 1.0], None)


def test_a_league_has_the_promised_names() -> None:
    record = json.loads(format_record(league_record(standings_of(made_game([2, 1], (1, 0)), made_game([1, 1])))))
    assert (
        list(record) == ["clock", *DELAYS, "players", "table", "ratings", "effort", "games"]
        and record["games"][0] == GAME
    )
    assert [" ".join(player) for player in record["players"]] == [OF_A_LEAGUE] * 3
    assert list(record["table"]["beam"]["mcts"]) == ["wins", "draws", "losses", "win_rate", "interval"]
    assert list(record["ratings"]["beam"]) == ["elo", "low", "high", "games", "note", "group"]
    assert list(record["effort"]) == ["games", "played_now", "playing_s", "thinking_s", "overhead"]


def test_nothing_is_still_json() -> None:
    for record_of in (series_record, league_record):
        record = json.loads(format_record(record_of(standings_of())))
        assert record["games"] == [] and record["players"][0]["games"] == 0


def test_there_is_a_line_for_each_player_and_game() -> None:
    text = format_record(series_record(standings_of(made_game(), made_game(), names=["beam", "Käfer"])))
    lines = text.splitlines()
    assert (
        lines[:2] == ['{"clock": null,', '"valid": true,']
        and lines[4] == '"players": ['
        and lines[7:9] == ["],", '"games": [']
        and lines[-1] == "]}"
    )
    assert "K\\u00e4fer" in text and len(lines) == 12


def test_the_table_counts_who_was_ranked_above_whom() -> None:
    games = (made_game((1, 2), seed=1), made_game((1, 1), (1, 0), seed=1), made_game((1, 2, 3), (2, 0, 1), seed=2))
    table = league_record(standings_of(*games))["table"]
    counts = {row: {name: tuple(cell.values())[:3] for name, cell in cells.items()} for row, cells in table.items()}
    assert counts == {
        "beam": {"mcts": (2, 1, 0), "rhea": (0, 0, 1)},
        "mcts": {"beam": (0, 1, 2), "rhea": (0, 0, 1)},
        "rhea": {"beam": (1, 0, 0), "mcts": (1, 0, 0)},
    }


def test_places_are_counted_by_number_of_players() -> None:
    standings = standings_of(made_game((1, 2)), made_game((2, 1, 3)), made_game((3, 2, 1)))
    places = league_record(standings)["players"][0]["places"]
    assert {size: [place["games"] for place in shares] for size, shares in places.items()} == {2: [1, 0], 3: [0, 1, 1]}


def test_deaths_bombs_and_thinking_are_those_of_the_player_not_of_the_seat() -> None:
    deaths = [Fate(12, "error", "timeout", "no answer within 100 ms"), None]
    standings = standings_of(made_game((2, 1), (1, 0), deaths=deaths), made_game((1, 2)))
    beam, mcts, rhea = league_record(standings)["players"]
    assert (beam["deaths"], mcts["deaths_by_cause"]["error"], mcts["errors"]) == (0, 1, {"timeout": 1})
    assert (mcts["bombs_per_turn"], mcts["time_ms"]) == (0.2, {"mean": 2.0, "worst": 9.0})
    assert (rhea["games"], rhea["bombs_per_turn"], rhea["time_ms"], rhea["mean_boxes"]) == (0, None, None, None)


def test_ratings_are_numbers_or_too_few_games_never_nan() -> None:
    games = [made_game((1, 2), seating, seed) for seed in range(4) for seating in ((0, 1), (1, 0))]
    for standings in (standings_of(), standings_of(games[0]), standings_of(*games)):
        text = format_record(league_record(standings))
        assert "NaN" not in text
        assert json.loads(text)["ratings"]["rhea"]["elo"] is None
