"""Teams and limited sight in the arena: rotations, records, ledger, explanations, and every agent playing both."""

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from engine.game import Game
from engine.notation import format_header, format_position
from engine.variants import ONE_TEAM_LEFT, TEAM_OF, in_teams
from hsctl.analysis.explain.document import Explanation
from hsctl.league.games import TEAM_SEATINGS, Block, League, read_league, team_blocks
from hsctl.league.standings import as_teams
from hsctl.match.identity import Identity
from hsctl.match.players import PlayerError, read_player, read_team
from hsctl.match.result import Fate, Foresight, GameResult, Misdrawn, SlowStart, ThinkingTime
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat
from replays.export.text import format_input
from replays.playback import Playback, load
from replays.replay import FaultCount, Limits, Replay, ReplayError, decode, encode
from search import AGENTS
from tests.hsctl.games import made_game, standings_of
from tests.hsctl.run import ROOT, refusal, run_here

FOURS = [[*AGENTS, "random", "random", "random"][at : at + 4] for at in range(0, len(AGENTS), 4)]
EXAMPLE = shlex.join([sys.executable, str(ROOT / "examples" / "bot.py")])


def play_teams(texts: list[str], limits: Limits, seed: int = 1) -> Replay:
    game = in_teams(Game.start(seed, 4))
    return play_game([make_seat(read_player(text)) for text in texts], game, limits, seed)[0]


# Playing


@pytest.mark.parametrize("texts", FOURS, ids=" ".join)
def test_every_agent_plays_in_a_team_with_limited_sight(texts):
    replay = play_teams(texts, Limits(nodes=20, vision=4))
    assert not any(move and move.failure for turn in replay.turns for move in turn.moves)
    again = decode(encode(replay))
    assert (again.start.teams, again.limits.vision) == (list(TEAM_OF), 4)
    Playback(again)  # raises if it doesn't play again as recorded


def test_an_external_bot_is_sent_what_it_sees():
    replay = play_teams([EXAMPLE, "still", "still", "random"], Limits(nodes=5, vision=2))
    assert not any(move and move.failure for turn in replay.turns for move in turn.moves)
    playback = Playback(replay)
    text = format_input(playback, [0], 0)
    assert text.startswith(format_header(0)) and "\n0 1 12 10 " not in text
    assert "\n0 1 12 10 " in format_position(playback.game_at(0))


def test_what_is_not_asked_for_is_not_in_the_record():
    game = Game.start(1, 2)
    replay = play_game([make_seat(read_player("random")) for _ in range(2)], game, Limits(nodes=1), 1)[0]
    assert b"teams" not in encode(replay) and b"vision" not in encode(replay)


def test_a_record_with_other_teams_is_refused():
    replay = play_teams(["random"] * 4, Limits(nodes=1))
    replay.start.teams = [0, 1, 0, 1]
    with pytest.raises(ReplayError, match=r"teams \[0, 1, 0, 1\] of 4 seats"):
        Playback(replay)


def test_a_player_who_is_dead_sees_nothing():
    playback = Playback(play_teams(["random"] * 4, Limits(nodes=1, vision=3)))
    dead = next(seat for seat in range(4) if seat not in playback.game_at(playback.end_turn).living)
    with pytest.raises(ReplayError, match=f"player {dead} is dead and sees nothing"):
        playback.seen_at(playback.end_turn, dead)


# Written as A+B


def test_the_plus_that_parts_two_players_is_meant():
    assert [player.text for player in read_team("beam:zh+op+mcts", read_player)] == ["beam:zh+op", "mcts"]
    assert [player.text for player in read_team("random + ls -l", read_player)] == ["random", "ls -l"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("beam", "'beam' is not a team"),
        ("beam+nobody", "'nobody' is neither an agent nor a program"),
        ("beam+mcts+rhea", "'beam.mcts.rhea' is not a team"),
    ],
)
def test_a_team_that_can_t_be_read_is_refused(text, message):
    with pytest.raises(PlayerError, match=message):
        read_team(text, read_player)


def test_teams_swap_seats_among_themselves_and_with_each_other():
    assert all({player // 2 for player in seating[:2]} == {seating[0] // 2} for seating in TEAM_SEATINGS)
    assert [sorted(column) for column in zip(*TEAM_SEATINGS, strict=True)] == [[0, 1, 2, 3]] * 4


def test_a_series_of_teams_counts_wins_of_both(capsys, tmp_path):
    words = ["play", "--teams", "still+still", "random+random", "--games", "4", "--nodes", "20", "--seed", "3"]
    result = run_here(capsys, *words, "--jobs", "1", "--out", tmp_path, "--json")
    found = json.loads(result.out)
    assert [(player["wins"], player["losses"]) for player in found["players"]] == [(4, 0), (4, 0), (0, 4), (0, 4)]
    assert {tuple(sorted(game["ranks"])) for game in found["games"]} == {(1, 1, 3, 3)}
    assert [game["seats"][0] for game in found["games"]] == ["still #1", "random #1", "still #2", "random #2"]
    assert {load(path).replay.result.reason for path in tmp_path.iterdir()} == {ONE_TEAM_LEFT}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random", "random"], "'random' is not a team"),
        (["random+random"], "--teams: 1 named"),
        (["random+random", "still+still", "--vision", "0"], "vision"),
    ],
)
def test_teams_that_make_no_game_are_refused(capsys, words, message):
    assert message in refusal(capsys, "play", "--teams", *words)


def test_a_game_of_teams_goes_on_only_with_teams(capsys, tmp_path):
    run_here(
        capsys, "play", "--teams", "random+random", "random+random", "--nodes", "1", "--seed", "1", "--out", tmp_path
    )
    path = next(tmp_path.iterdir())
    assert "--teams A+B C+D" in refusal(capsys, "play", *["random"] * 4, "--from", f"{path}@2")
    words = ["play", "--teams", *["still+random"] * 2, "--from", f"{path}@2", "--nodes", "1", "--no-save"]
    assert run_here(capsys, *words).code == 0


# Leagues


def test_a_league_of_teams_plays_every_pair_from_all_seats():
    league = League(
        tuple(read_league(["simple+random", "random+random", "still+still"], True)), Limits(nodes=1), is_teamed=True
    )
    assert league.names == ["simple+random", "random+random", "still+still"]
    assert team_blocks(3, 5, 4) == [Block(5, (0, 1, 2, 3)), Block(5, (0, 1, 4, 5)), Block(5, (2, 3, 4, 5))]


def test_a_game_of_teams_counts_as_one_between_two():
    thinking = [ThinkingTime(10, 5.0, worst) for worst in (1.0, 2.0, 3.0, 4.0)]
    fates = [Fate(7, "own"), None, Fate(9, "others"), Fate(8, "own")]
    played = GameResult(
        5, (5, 4, 3, 2), [1, 1, 3, 3], [4, 5, 6, 1], [1, 2, 3, 4], fates, thinking, 9, ONE_TEAM_LEFT, 0.1, team_size=2
    )
    game = as_teams(played)
    assert (game.seating, game.team_size) == ((2, 1), 1)
    assert (game.ranks, game.boxes, game.bombs) == ([1, 2], [9, 7], [3, 7])
    assert game.deaths == [None, Fate(9, "others")]
    assert game.thinking == [ThinkingTime(20, 10.0, 2.0), ThinkingTime(20, 10.0, 4.0)]


def test_what_was_found_of_players_is_that_of_their_teams():
    lists = {
        "faithful_turns": [None, None, 17, None],
        "foresight": [Foresight(4, 0, ""), Foresight(5, 1, "turn 3"), None, None],
        "misdrawn": [None, None, Misdrawn(2, "turn 4"), Misdrawn(3, "turn 5")],
        "slow_starts": [SlowStart(1200.0, 1000.0, True), SlowStart(3000.0, 1000.0, False), None, None],
        "faults": [{"ahead": FaultCount(2, 9, "b")}, {"ahead": FaultCount(1, 4, "a")}, {}, {}],
    }
    game = as_teams(replace(made_game([1, 1, 3, 3], (2, 3, 0, 1)), team_size=2, **lists))
    assert game.faithful_turns == [None, 17]
    assert game.foresight == [Foresight(9, 1, "turn 3"), None]
    assert game.misdrawn == [None, Misdrawn(5, "turn 4")]
    assert game.slow_starts == [SlowStart(3000.0, 1000.0, False), None]
    assert game.faults == [{"ahead": FaultCount(3, 4, "a")}, {}]
    standings = standings_of(game, names=["A+ghost", "C+D"])
    assert [player.faithful_turns for player in standings.players] == [[17], []]
    assert [dict(player.faults) for player in standings.players] == [{}, {"ahead": 3}]


def test_lists_that_are_not_of_the_players_are_not_counted():
    with pytest.raises(AssertionError):
        standings_of(replace(made_game([1, 2]), faithful_turns=[None, None, 17, None]))


def test_a_league_of_teams_is_played_once(capsys, tmp_path):
    words = ["league", "--teams", "simple+random", "still+still", "--games", "4", "--nodes", "20", "--vision", "5"]
    words += ["--jobs", "1", "--ledger", str(tmp_path / "ledger.sqlite"), "--json"]
    first, second = (json.loads(run_here(capsys, *words).out) for _ in range(2))
    games = first["games"]
    assert games == second["games"] and (first["effort"]["played_now"], second["effort"]["played_now"]) == (4, 0)
    assert [sorted(game["seats"]) for game in games] == [["simple+random", "still+still"]] * 4
    other = run_here(capsys, *(word for word in words if word not in ("--vision", "5")))  # other games
    assert json.loads(other.out)["games"] != games


def test_teams_of_three_are_refused(capsys):
    assert "--teams cannot be combined with --players" in refusal(
        capsys, "league", "--teams", "still+still", "random+random", "--players", "3"
    )


def test_a_game_of_teams_is_another_game_in_the_ledger():
    assert Identity(1, (), Limits()).key != Identity(1, (), Limits(), is_teamed=True).key
    assert Identity(1, (), Limits()).key != Identity(1, (), Limits(vision=3)).key
    assert "teamed" not in Identity(1, (), Limits()).encode()


# Explanations


def test_a_decision_is_repeated_on_what_the_agent_saw(capsys, tmp_path: Path):
    path = tmp_path / "game.json"
    path.write_bytes(encode(play_teams(["mcts", "bias", "rhea", "simple"], Limits(nodes=150, vision=3))))
    playback = load(path)
    for turn in (0, 4, 8):
        for seat in playback.game_at(turn).living:
            result = run_here(capsys, "explain", f"{path}@{turn}", "--player", str(seat), "--json")
            found = msgspec.json.decode(result.out, type=Explanation)
            assert (found.reproduced, found.vision, found.mates) == (True, 3, [seat ^ 1])
            assert "saw 3 cells far" in found.title
