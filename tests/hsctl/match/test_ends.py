"""Games by survival: when they end, what they rank by, and who honours it: records, ledgers, commands, Python."""

import json

import pytest

import hsctl
from engine.game import ENDS, NO_BOXES, NONE_LEFT, ONE_LEFT, SURVIVAL, TURN_LIMIT, Game
from engine.notation import parse_position
from engine.variants import ONE_TEAM_LEFT, in_teams
from hsctl.league.games import League, read_league
from hsctl.match.identity import Identity
from replays.playback import Playback, game_from, load, start_of
from replays.replay import Limits, decode, encode
from tests.hsctl.run import refusal, run_here

STILL = [0, 0, 0, 0]


def by_survival(game: Game) -> Game:
    game.ends = SURVIVAL
    return game


def played(game: Game) -> Game:
    """To its end, everybody standing still."""
    while not game.is_over:
        game.step(STILL[: game.seats])
    return game


# The game


def test_a_board_without_boxes_ends_the_arena_s_game_only():
    rows = [*("." * 13, ".X.X.X.X.X.X.") * 5, "." * 13]
    text = "\n".join([*rows, "2", "0 0 0 0 1 3", "0 1 12 10 1 3"])
    assert played(parse_position(text)).reason == NO_BOXES
    lasting = played(by_survival(parse_position(text)))
    assert (lasting.reason, lasting.turn, lasting.ranks()) == (TURN_LIMIT, 200, [1, 1])


def test_boxes_rank_nobody_and_who_died_later_comes_first():
    game = by_survival(Game.start(1, 4))
    game.set_scores([9, 0, 5, 7])
    game.eliminate(0)
    game.step(STILL)
    game.eliminate(1)
    game.eliminate(2)
    game.step(STILL)
    assert (game.reason, game.ranks()) == (ONE_LEFT, [4, 2, 2, 1])


def test_those_who_die_together_share_the_first_place_whatever_they_scored():
    game = by_survival(Game.start(1, 2))
    game.set_scores([9, 0])
    for seat in (0, 1):
        game.eliminate(seat)
    game.step(STILL[:2])
    assert (game.reason, game.ranks()) == (NONE_LEFT, [1, 1])


def test_a_team_is_as_good_as_its_last_player():
    game = by_survival(in_teams(Game.start(1, 4)))
    game.eliminate(0)
    game.step(STILL)
    assert not game.is_over
    for seat in (2, 3):
        game.eliminate(seat)
    game.step(STILL)
    assert (game.reason, game.ranks()) == (ONE_TEAM_LEFT, [1, 1, 3, 3])
    both = by_survival(in_teams(Game.start(1, 4)))
    both.set_scores([3, 3, 0, 0])
    assert both.ranks() == [1, 1, 1, 1]


# Records


def test_a_position_of_such_a_game_goes_on_with_it():
    game = by_survival(Game.start(1, 3))
    game.step(STILL[:3])
    assert game_from(start_of(game)).ends == SURVIVAL == game.copy().ends
    assert start_of(Game.start(1, 3)).ends == "arena"


def test_replays_record_it_and_play_again():
    replay = hsctl.play_game("random", "random", "still", seed=4, nodes=5, ends=SURVIVAL).playback.replay
    again = Playback(decode(encode(replay)))
    assert again.game_at(again.end_turn).ends == SURVIVAL
    assert replay.result.ranks == again.game_at(again.end_turn).ranks()
    assert b"ends" not in encode(hsctl.play_game("random", "still", seed=4, nodes=5).playback.replay)


def test_ledgers_tell_such_games_apart_and_find_the_old_ones():
    seats = tuple(League(tuple(read_league(["random", "still"])), Limits(nodes=5)).seat_identities)
    games = [Identity(1, seats, Limits(nodes=5), ends=ends) for ends in ENDS]
    assert games[0].key != games[1].key and "ends" not in games[0].encode()


# Commands and Python


def test_play_plays_it_and_from_goes_on_with_it(tmp_path, capsys):
    run_here(capsys, "play", "random", "still", "--nodes", "5", "--seed", "4", "--ends", SURVIVAL, "--out", tmp_path)
    (path,) = tmp_path.glob("*.json")
    assert load(path).replay.start.ends == SURVIVAL
    assert "last one standing" in run_here(capsys, "replay", path).out
    for more in ([], ["random", "random"]):
        folder = tmp_path / f"on{len(more)}"
        run_here(capsys, "play", *more, "--from", f"{path}@1", "--out", folder)
        (on,) = folder.glob("*.json")
        assert load(on).replay.start.ends == SURVIVAL


def test_the_first_who_dies_loses_a_league_and_a_comparison(tmp_path, capsys):
    # `random` blows itself up, after it has destroyed some boxes perhaps; `still` does nothing
    options = ["--nodes", "5", "--ledger", tmp_path / "l.db", "--ends", SURVIVAL, "--json", "--jobs", "1"]
    found = json.loads(run_here(capsys, "league", "still", "random", "--games", "4", *options).out)
    assert found["players"][0]["name"] == "still" and found["players"][0]["wins"] == 4
    found = json.loads(run_here(capsys, "compare", "still", "random", "--games", "4", *options).out)
    assert found["games"] == 4


def test_a_review_looks_at_deaths_alone():
    replay = hsctl.play_game("random", "still", seed=4, nodes=5, ends=SURVIVAL)
    found = hsctl.review_game(replay, 0, nodes=50)
    assert (found["agent"], found["ends"]) == (None, SURVIVAL)
    assert found["verdict"].startswith("random lost: ") and "boxes" not in found["verdict"]


def test_explain_says_so():
    replay = hsctl.play_game("simple", "still", seed=4, nodes=5, ends=SURVIVAL)
    assert "last one standing wins" in hsctl.explain_turn(replay, 3, 0).document["title"]


def test_python_starts_from_such_a_game_and_keeps_it():
    replay = hsctl.play_game("random", "still", seed=4, nodes=5, ends=SURVIVAL)
    start = replay.game_at(2)
    assert start.ends == SURVIVAL
    assert hsctl.play_game("still", "random", nodes=5, start=start).playback.replay.start.ends == SURVIVAL


def test_another_word_is_refused(capsys):
    assert "arena or survival" in refusal(capsys, "play", "random", "still", "--ends", "boxes")
    with pytest.raises(hsctl.HsctlError, match="arena or survival"):
        hsctl.play_game("random", "still", ends="boxes")
