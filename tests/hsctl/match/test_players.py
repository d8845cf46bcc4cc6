"""Players from their texts: agents, programs, and what is neither."""

import re
from pathlib import Path

import pytest

from hsctl.match.players import PlayerError, names_of, read_anybody, read_player, read_players, read_two_teams
from search.params import SpecError
from search.spec import AGENTS


def test_an_agent_is_read_with_its_parameters() -> None:
    player = read_player("simple:box=2,nodes=50")
    assert player.spec is not None
    assert (player.spec.name, player.spec.nodes, player.spec.params.as_dict()["box"]) == ("simple", 50, 2.0)


def test_a_program_on_the_path_or_with_its_own_is_a_bot(tmp_path: Path) -> None:
    program = tmp_path / "my bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert read_player("sh -c 'exit 3'").spec is None
    assert read_player(f"'{program}' --fast").spec is None


def test_what_no_record_could_name_is_refused() -> None:
    assert read_player("sh -c 'echo grüße'").spec is None
    with pytest.raises(PlayerError, match=r"'./b\\udcff' is not UTF-8, so no record could name the player"):
        read_player("./b\udcff")


def test_what_is_neither_gets_the_list_of_agents() -> None:
    agents = re.escape(", ".join(AGENTS))
    with pytest.raises(
        PlayerError, match=f"'smple' is neither an agent nor a program .*: {agents}; did you mean 'simple'"
    ):
        read_player("smple")
    with pytest.raises(PlayerError, match="neither"):
        read_player("")
    with pytest.raises(PlayerError, match=r"not a command line: No closing quotation"):
        read_player("sh -c 'oops")


def test_a_file_that_may_not_be_run_gets_a_hint(tmp_path: Path) -> None:
    script = tmp_path / "bot.rb"
    script.write_text("puts")
    with pytest.raises(PlayerError, match=r"not a program: make it executable .* or put its interpreter in front"):
        read_player(str(script))


def test_a_wrong_parameter_is_named() -> None:
    with pytest.raises(SpecError, match="unknown parameter 'wdith'"):
        read_player("simple:wdith=3")


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_game_has_two_to_four_players(count: int) -> None:
    with pytest.raises(PlayerError, match=f"{count} players?: a game has 2 to 4"):
        read_players(["random"] * count)


def test_players_who_play_twice_are_numbered() -> None:
    names = names_of(read_players(["random", "simple", "random"]))
    assert names == ["random #1", "simple", "random #2"]


def test_a_person_is_me_with_or_without_a_name() -> None:
    me, anna, beam = read_players(["me", "me:Anna B.", "beam"], read_anybody)
    assert (me.is_person, anna.is_person, beam.is_person) == (True, True, False)
    assert me.spec is None and not me.is_bot
    assert [player.is_person for player in read_two_teams(["me+beam", "mcts+me"], read_anybody)] == [
        True,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("text", ["me:", f"me:{'x' * 21}", "me:A+B", "me:\x1b"])
def test_a_name_is_short_and_plain(text: str) -> None:
    with pytest.raises(PlayerError, match="me:NAME"):
        read_anybody(text)


def test_people_are_refused_where_they_are_not_expected() -> None:
    for text in ("me", "me:Anna"):
        with pytest.raises(
            PlayerError, match=f"'{text}' is a person at the keyboard, who can only play a game of `hsctl"
        ):
            read_player(text)
