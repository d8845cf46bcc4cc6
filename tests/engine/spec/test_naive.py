"""Every sentence of the rules of a round as a drawn position, on both engines.

Corners are drawn from the top left. Entities: `0 id x y bombs-left range`, `1 owner x y timer range`,
`2 0 x y kind kind` (1 = range item, 2 = bomb item).
"""

import pytest

from tests.engine.draw import board, burns, check, legal, play

# 1. Fuses.


def test_every_timer_falls_by_one():
    check(
        """
        1 0 0 0 2 3
        1 1 4 4 8 5
        """,
        {},
        """
        1 0 0 0 1 3
        1 1 4 4 7 5
        """,
    )


def test_a_bomb_at_timer_1_explodes_now_and_never_shows_0():
    check("1 0 0 0 1 3", {}, "")


# 2. Blasts, on the frozen board.


@pytest.mark.parametrize("bomb_range", range(1, 13))
def test_a_bomb_of_range_r_covers_its_cell_and_r_minus_1_cells_in_each_direction(bomb_range):
    arm = "*" * bomb_range
    column = ["*X"] * min(bomb_range - 1, 10)
    column[1::2] = ["*."] * len(column[1::2])
    burns(f"1 0 0 0 1 {bomb_range}", "\n".join([arm, *column]))


def test_a_blast_goes_in_all_four_directions():
    burns(
        "1 0 4 4 1 3",
        """
        .............
        .X.X.X.X.X.X.
        ....*........
        .X.X*X.X.X.X.
        ..*****......
        .X.X*X.X.X.X.
        ....*........
        """,
    )


def test_the_edge_stops_a_blast():
    burns(
        "1 0 12 10 1 20",
        """
        ............*
        .X.X.X.X.X.X*
        ............*
        .X.X.X.X.X.X*
        ............*
        .X.X.X.X.X.X*
        ............*
        .X.X.X.X.X.X*
        ............*
        .X.X.X.X.X.X*
        *************
        """,
    )


def test_a_wall_stops_a_blast_and_is_not_covered():
    burns(
        "1 0 3 0 1 3",
        """
        .*****
        .X.X.X
        """,
    )
    burns(
        "1 0 0 3 1 3",
        """
        .
        *X
        *
        *X
        *
        *X
        """,
    )


def test_the_first_box_is_covered_and_stops_a_blast():
    check(
        """
        ..00
        1 0 0 0 1 5
        """,
        {},
        "...0",
        scored=(1,),
    )


def test_the_first_item_is_covered_and_stops_a_blast():
    check(
        """
        1 0 0 0 1 5
        2 0 2 0 1 1
        2 0 3 0 1 1
        """,
        {},
        "2 0 3 0 1 1",
    )


def test_the_first_other_bomb_is_covered_and_stops_a_blast():
    check(
        """
        ...0
        1 0 0 0 1 5
        1 0 2 0 5 1
        """,
        {},
        "...0",
    )


def test_players_never_stop_a_blast():
    check(
        """
        ...0
        0 0 2 0 1 3
        1 1 0 0 1 5
        """,
        {},
        "....",
        scored=(0, 1),
    )


def test_a_covered_bomb_explodes_in_this_same_round_with_its_own_range_for_its_own_owner():
    check(
        """
        .....00
        1 0 0 0 1 3
        1 1 2 0 7 4
        """,
        {},
        "......0",
        scored=(0, 1),
    )


def test_chains_run_to_the_end():
    burns(
        """
        1 0 0 0 1 3
        1 1 2 0 3 3
        1 3 2 4 6 3
        1 2 2 2 8 3
        """,
        """
        *****
        *X*X
        *****
        .X*X
        *****
        .X*X
        ..*..
        """,
    )


def test_all_bombs_of_one_cell_go_together():
    check(
        """
        ...0
        .X.X
        0
        1 0 0 0 1 3
        1 1 0 0 1 4
        """,
        {},
        "....",
        scored=(1, 2),
    )


def test_all_bombs_of_one_cell_go_together_when_set_off_by_another():
    check(
        """
        .....0
        1 2 0 0 1 3
        1 0 2 0 4 4
        1 1 2 0 4 4
        """,
        {},
        "......",
        scored=(1, 1),
    )


def test_a_box_hit_keeps_blocking_all_other_blasts_of_this_round():
    check(
        """
        ..00
        .X.X
        ....
        1 0 0 0 1 9
        1 1 2 2 1 9
        """,
        {},
        "...0",
        scored=(1, 1),
    )


def test_an_item_hit_keeps_blocking_all_other_blasts_of_this_round():
    check(
        """
        1 0 0 0 1 9
        1 1 2 2 1 9
        2 0 2 0 2 2
        2 0 3 0 2 2
        """,
        {},
        "2 0 3 0 2 2",
    )


def test_an_exploding_bomb_keeps_blocking_all_other_blasts_of_this_round():
    check(
        """
        ....0
        1 0 0 0 1 9
        1 1 2 0 1 2
        """,
        {},
        "....0",
    )


def test_every_living_player_in_the_blast_dies_the_owner_too():
    check(
        """
        0 0 0 0 1 3
        0 1 2 0 1 3
        0 2 3 0 1 3
        1 0 1 0 1 3
        """,
        {},
        "",
    )
    check(
        """
        0 0 0 0 1 3
        0 1 2 2 1 3
        1 0 1 0 1 3
        """,
        {},
        "0 1 2 2 1 3",
    )


def test_a_dying_players_action_is_dropped():
    check(
        """
        0 0 0 0 1 3
        1 1 2 0 1 3
        """,
        {0: "down+bomb"},
        "",
    )


def test_a_dying_player_gets_no_item():
    check(
        """
        0 0 0 0 1 3
        1 1 2 0 1 3
        2 0 0 1 1 1
        """,
        {0: "down"},
        "2 0 0 1 1 1",
    )


def test_a_dead_players_bombs_stay_and_still_score_for_him():
    check(
        """
        0 0 0 0 1 3
        1 1 2 0 1 3
        1 0 8 4 2 3
        """,
        {},
        "1 0 8 4 1 3",
    )
    check(
        """
        ..0
        0 1 4 4 1 3
        1 0 0 0 1 3
        """,
        {},
        "0 1 4 4 1 3",
        scored=(1,),
    )


def test_one_who_dies_with_his_bomb_scores_its_boxes():
    check(
        """
        ..0
        0 0 0 0 1 3
        1 0 0 0 1 3
        """,
        {},
        "",
        scored=(1,),
    )


# 3. Intentions of the survivors.


def test_a_bomb_without_bombs_left_is_ignored_and_its_move_still_happens():
    check("0 0 0 0 0 3", {0: "right+bomb"}, "0 0 1 0 0 3")


def test_a_bomb_on_a_cell_that_has_one_is_ignored_and_its_move_still_happens():
    check(
        """
        0 0 0 0 2 3
        1 1 0 0 5 3
        """,
        {0: "right+bomb"},
        """
        0 0 1 0 2 3
        1 1 0 0 4 3
        """,
    )


@pytest.mark.parametrize("move", ["left", "up"])
def test_the_edge_blocks_moves(move):
    check("0 0 0 0 1 3", {0: move}, "0 0 0 0 1 3")


@pytest.mark.parametrize(("at", "move"), [("0 1", "right"), ("2 1", "left"), ("1 0", "down"), ("1 2", "up")])
def test_walls_block_moves(at, move):
    check(f"0 0 {at} 1 3", {0: move}, f"0 0 {at} 1 3")


def test_a_blocked_move_still_drops_its_bomb():
    check(
        "0 0 0 0 1 3",
        {0: "left+bomb"},
        """
        0 0 0 0 0 3
        1 0 0 0 8 3
        """,
    )


def test_boxes_block_moves():
    check(
        """
        .0
        0 0 0 0 1 3
        """,
        {0: "right"},
        """
        .0
        0 0 0 0 1 3
        """,
    )


def test_a_box_destroyed_this_round_still_blocks_moves():
    check(
        """
        .0
        0 0 0 0 1 3
        1 1 3 0 1 3
        """,
        {0: "right"},
        "0 0 0 0 1 3",
        scored=(0, 1),
    )


def test_a_bomb_blocks_moves():
    check(
        """
        0 0 0 0 1 3
        1 1 1 0 5 3
        """,
        {0: "right"},
        """
        0 0 0 0 1 3
        1 1 1 0 4 3
        """,
    )


def test_a_bomb_exploding_this_round_still_blocks_moves():
    check(
        """
        0 0 0 0 1 3
        1 1 1 0 1 1
        """,
        {0: "right"},
        "0 0 0 0 1 3",
    )


def test_a_bomb_placed_this_round_does_not_block_moves():
    check(
        """
        0 0 0 0 1 3
        0 1 1 0 1 3
        """,
        {0: "right", 1: "stay+bomb"},
        """
        0 0 1 0 1 3
        0 1 1 0 0 3
        1 1 1 0 8 3
        """,
    )


# 4. New bombs.


def test_a_new_bomb_appears_where_the_player_stood_before_moving():
    check(
        "0 0 0 0 2 4",
        {0: "down+bomb"},
        """
        0 0 0 1 1 4
        1 0 0 0 8 4
        """,
    )


def test_a_new_bomb_has_the_range_before_this_rounds_pick_up():
    check(
        """
        0 0 0 0 1 3
        2 0 1 0 1 1
        """,
        {0: "right+bomb"},
        """
        0 0 1 0 0 4
        1 0 0 0 8 3
        """,
    )


def test_this_rounds_blasts_do_not_touch_new_bombs():
    check(
        """
        0 0 3 0 1 3
        1 1 0 0 1 3
        """,
        {0: "left+bomb"},
        """
        0 0 2 0 0 3
        1 0 3 0 8 3
        """,
    )


# 5. Blasts applied.


def test_an_exploded_bomb_vanishes_and_comes_back_to_its_owner():
    check(
        """
        0 0 4 4 0 3
        1 0 0 0 1 3
        1 0 2 0 5 3
        """,
        {},
        "0 0 4 4 2 3",
    )


def test_a_bomb_that_comes_back_is_usable_only_from_the_next_round():
    check(
        """
        0 0 4 4 0 3
        1 0 0 0 1 3
        """,
        {0: "stay+bomb"},
        "0 0 4 4 1 3",
    )


def test_an_item_hit_vanishes_and_nobody_can_pick_it_up_this_round():
    check(
        """
        0 0 3 0 1 3
        1 1 0 0 1 3
        2 0 2 0 1 1
        """,
        {0: "left"},
        "0 0 2 0 1 3",
    )


# 6. Moves.


def test_a_range_item_gives_one_more_range():
    check(
        """
        0 0 0 0 1 3
        2 0 1 0 1 1
        """,
        {0: "right"},
        "0 0 1 0 1 4",
    )


def test_a_bomb_item_gives_one_more_bomb():
    check(
        """
        0 0 0 0 1 3
        2 0 1 0 2 2
        """,
        {0: "right"},
        "0 0 1 0 2 3",
    )


def test_a_bomb_item_is_effective_only_from_the_next_round():
    check(
        """
        0 0 0 0 0 3
        2 0 1 0 2 2
        """,
        {0: "right+bomb"},
        "0 0 1 0 1 3",
    )


def test_all_who_enter_together_get_the_item_and_it_vanishes():
    check(
        """
        0 0 0 0 1 3
        0 1 2 0 1 3
        0 3 2 0 1 5
        2 0 1 0 1 1
        """,
        {0: "right", 1: "left", 3: "left"},
        """
        0 0 1 0 1 4
        0 1 1 0 1 4
        0 3 1 0 1 6
        """,
    )


def test_one_who_only_stands_on_an_item_does_not_get_it():
    check(
        """
        0 0 0 0 1 3
        2 0 0 0 1 1
        """,
        {0: "up"},
        """
        0 0 0 0 1 3
        2 0 0 0 1 1
        """,
    )


def test_any_number_of_players_may_share_a_cell():
    check(
        """
        0 0 0 0 1 3
        0 1 2 0 1 3
        0 2 1 0 1 3
        """,
        {0: "right", 1: "left"},
        """
        0 0 1 0 1 3
        0 1 1 0 1 3
        0 2 1 0 1 3
        """,
    )


def test_players_may_swap_cells():
    check(
        """
        0 0 0 0 1 3
        0 1 1 0 1 3
        """,
        {0: "right", 1: "left"},
        """
        0 0 1 0 1 3
        0 1 0 0 1 3
        """,
    )


# 7. Boxes hit become floor.


@pytest.mark.parametrize(("box", "items"), [("0", ""), ("1", "2 0 2 0 1 1"), ("2", "2 0 2 0 2 2")])
def test_a_box_hit_becomes_floor_and_its_item_appears(box, items):
    check(f"..{box}\n1 0 0 0 1 3", {}, f"...\n{items}", scored=(1,))


def test_a_freed_item_survives_the_round_that_freed_it():
    check(
        """
        ..1..
        1 0 0 0 1 3
        1 1 4 0 1 3
        """,
        {},
        """
        .....
        2 0 2 0 1 1
        """,
        scored=(1, 1),
    )


# What follows from it.


def test_a_bomb_ordered_on_turn_t_shows_8_then_1_eight_turns_later_and_then_explodes():
    text = board("0 0 0 0 1 3")
    actions = ["right+bomb", "right", "right", "down", "stay", "stay", "stay", "stay", "stay"]
    timers = []
    for turn, action in enumerate(actions):
        drawn = "\n".join(line for line in text.split("\n") if not line.isdigit())
        text = play(drawn, {0: action}, turn).text
        timers.append([line.split()[4] for line in text.split("\n") if line.startswith("1 ")])
    assert timers == [["8"], ["7"], ["6"], ["5"], ["4"], ["3"], ["2"], ["1"], []]


def test_walking_out_when_the_timer_shows_1_is_too_late():
    check(
        """
        0 0 2 0 1 3
        1 0 0 0 1 3
        """,
        {0: "right"},
        "",
    )


def test_walking_into_the_blast_when_the_timer_shows_1_is_safe():
    check(
        """
        0 0 3 0 1 3
        1 1 0 0 1 3
        """,
        {0: "left"},
        "0 0 2 0 1 3",
    )


@pytest.mark.parametrize(("move", "x"), [("stay", 0), ("right", 1)])
def test_you_may_stay_on_a_bomb_or_leave_it(move, x):
    check(
        """
        0 0 0 0 1 3
        1 0 0 0 5 3
        """,
        {0: move},
        f"""
        0 0 {x} 0 1 3
        1 0 0 0 4 3
        """,
    )


def test_two_bombs_dropped_in_the_same_round_share_a_cell():
    check(
        """
        0 1 0 0 1 4
        0 3 0 0 2 3
        """,
        {1: "right+bomb", 3: "down+bomb"},
        """
        0 1 1 0 0 4
        0 3 0 1 1 3
        1 1 0 0 8 4
        1 3 0 0 8 3
        """,
    )


def test_a_box_hit_by_two_bombs_of_one_player_scores_once():
    check(
        """
        ..0..
        1 0 0 0 1 3
        1 0 4 0 2 3
        1 1 4 2 1 3
        """,
        {},
        ".....",
        scored=(1,),
    )


def test_one_box_may_score_for_several_players():
    check(
        """
        ..0..
        .X.X
        .....
        1 0 0 0 1 3
        1 2 4 0 1 3
        1 3 2 2 1 3
        """,
        {},
        ".....",
        scored=(1, 0, 1, 1),
    )


def test_a_player_scores_all_distinct_boxes_of_a_round():
    check(
        """
        0.0
        .X.
        0.0
        1 0 1 0 1 3
        1 0 1 2 2 3
        """,
        {},
        """
        ...
        .X.
        0.0
        1 0 1 2 1 3
        """,
        scored=(2,),
    )


def test_eight_bombs_of_one_player_lie_on_the_board_and_a_ninth_replaces_the_first():
    bombs = [f"1 0 {x} 10 {timer} 1" for timer, x in enumerate(range(0, 8), 1)]
    aged = [f"1 0 {x} 10 {timer - 1} 1" for timer, x in enumerate(range(0, 8), 1) if timer > 1]
    check(
        "\n".join(["0 0 0 0 5 3", *bombs]),
        {0: "stay+bomb"},
        "\n".join(["0 0 0 0 5 3", *aged, "1 0 0 0 8 3"]),
    )


def test_ranges_and_stocks_grow_past_15():
    check(
        """
        0 0 0 0 26 27
        0 1 2 0 26 27
        2 0 1 0 1 1
        2 0 2 1 2 2
        """,
        {0: "right+bomb", 1: "down"},
        """
        0 0 1 0 25 28
        0 1 2 1 27 27
        1 0 0 0 8 27
        """,
    )


# Legal actions.


def test_legal_actions_are_the_moves_that_lead_somewhere_and_each_with_a_bomb():
    corner = """
        .0.
        .X.
        ...
        0 0 0 0 1 3
        0 1 2 2 0 3
        0 2 0 2 1 3
        1 1 0 2 5 3
        """
    assert legal(corner, 0) == ["stay", "down", "stay+bomb", "down+bomb"]
    assert legal(corner, 1) == ["stay", "left", "right", "up", "down"]
    assert legal(corner, 2) == ["stay", "right", "up", "down"]
    assert legal(corner, 3) == []
