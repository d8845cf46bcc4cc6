"""`hsctl paper duel` and its kin: who plays, what a kept tree saves in a game, what a team's tree is worth."""

from hsctl.league.intervals import Share, share_interval
from hsctl.report.tables import to_markdown
from hsctl.research.experiments import find_experiment
from hsctl.research.experiments.agents.duel import ALL, IMPROVED, LINEUPS, RECKLESS, REPORTED, judge_depth
from hsctl.research.experiments.agents.duel_c import TRIED, with_c
from hsctl.research.experiments.agents.duel_kept import NodesSaved, Savings, format_measured, play, watch
from hsctl.research.experiments.agents.duel_teams import ALONE, TOGETHER, Teams
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.variants import SeedResult, Variants
from search import make_agent
from search.agent import Budget
from search.duel.agent import DuelAgent
from search.spec import parse_spec


def test_every_variant_changes_one_thing_of_the_search_as_reported():
    assert find_experiment("duel").games and find_experiment("duel_kept").games
    reported = parse_spec(REPORTED).params.as_dict()
    for variant in (RECKLESS, *IMPROVED, *map(with_c, TRIED)):
        params = parse_spec(variant).params.as_dict()
        assert sum(params[name] != reported[name] for name in params) == 1
    for text in (ALL, *(player for lineup in LINEUPS for player in lineup)):
        parse_spec(text)


def test_what_was_saved_in_a_game_is_told_as_means_of_its_turns():
    agent = make_agent("duel")
    assert isinstance(agent, DuelAgent)
    saving = play(agent, make_agent("random"), 1, 1, Budget(nodes=400))
    assert 0 < saving.kept < 1 and saving.saved > 0 and 400 <= saving.spent < 600
    assert round(saving.tree, 6) == round(saving.saved / (saving.saved + saving.spent), 6)
    none = make_agent("duel:keep=0")
    assert isinstance(none, DuelAgent)
    assert play(none, make_agent("random"), 1, 1, Budget(nodes=400)).saved == 0
    found = Savings({("duel", "random"): [(1, saving), (2, saving)]}, "400 nodes a turn")
    assert found.share(("duel", "random")).value == saving.tree
    assert found.as_dict()["duel - random"][0]["kept"] == saving.kept


def test_no_share_of_all_nodes_is_below_nothing_or_above_all():
    trees = (0.01, 0.02, 0.05, 0.4)  # Student's interval would begin at -15 %
    rows = {("duel", "osla"): [(seed, NodesSaved(0.5, 1.0, 1.0, tree)) for seed, tree in enumerate(trees)]}
    found = Savings(rows, "400 nodes a turn")
    share = found.share(("duel", "osla"))
    assert share.low is not None and share.high is not None and 0 < share.low < 0.12 < share.high < 1
    assert "-" not in format_measured(share)
    said = to_markdown(found.view())
    assert "4 games each; 95 % over boards; the report has no figures of this" in said


def test_games_of_one_board_are_no_boards_of_their_own():
    savings = [NodesSaved(0.5, 1.0, 1.0, tree) for tree in (0.2, 0.2, 0.3, 0.3)]
    as_games = Savings({("duel", "osla"): list(enumerate(savings))}, "").share(("duel", "osla"))
    as_boards = Savings({("duel", "osla"): list(zip((1, 1, 2, 2), savings, strict=True))}, "").share(("duel", "osla"))
    assert as_games.high is not None and as_boards.high is not None and as_games.high < as_boards.high


def test_the_depth_of_the_tree_stands_beside_the_report_s():
    def told(*depths: float | None) -> tuple[str, bool | None]:
        results = {(REPORTED, REPORTED): {at: SeedResult([0.5], [1], depth) for at, depth in enumerate(depths)}}
        said = judge_depth(Variants("", (REPORTED,), (REPORTED,), results, "9 nodes a turn"))
        return said.ours, said.agrees

    assert told(13.0, 13.5, 14.0) == ("12.3–14.7, 9 nodes a turn", None)  # too wide
    assert told(13.0, 13.1, 13.2)[1] is True and told(6.0, 6.1, 6.2)[1] is False
    assert told(13.0) == told(None, None) == ("too few games", None)


def test_an_agent_against_itself_is_two_agents():
    saving = watch(("duel", "duel"), 1, 0, Effort(2, None, 200))
    assert saving["kept"] > 0


def teams(won: int, lost: int, games: int = 40) -> Teams:
    shares = [Share(count, games, share_interval(count, games)) for count in (won, lost)]
    return Teams({(TOGETHER, ALONE): (shares[0], shares[1])}, "")


def test_what_a_tree_of_both_mates_is_worth_is_judged_by_both_shares():
    assert teams(25, 5).statement().agrees is True
    assert teams(5, 25).statement().agrees is False
    assert teams(9, 8).statement().agrees is None and teams(0, 0).statement().agrees is None
    assert teams(25, 5).statement().ours.startswith("won 62.5 % (")
    assert parse_spec(TOGETHER).params.as_dict()["joint"] and not parse_spec(ALONE).params.as_dict()["joint"]
