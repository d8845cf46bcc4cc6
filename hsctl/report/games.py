"""A game of a list: how it ended for whom, and why."""

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.listing import BOXES, DEAD, ListedGame
from hsctl.match.result import BOTH, OTHERS, OWN
from replays.render.board import PLAYERS
from replays.render.turn import short_names
from replays.replay import UNFINISHED
from replays.text import clean, describe_turns

WORDS = {OWN: "own bomb", OTHERS: "a rival's bomb", BOTH: "own and a rival's bomb", BOXES: "fewer boxes"}


def listed_view(game: ListedGame) -> RenderableType:
    """All but its path, which must not be wrapped."""
    return Group(result_line(game), *loss_lines(game))


def result_line(game: ListedGame) -> Text:
    """`2026-11-17 03:44  200 turns  1 ● beam 36, 2 ■ duel 15`: places, seats, boxes."""
    short, names = game.short, short_names([clean(name) for name in game.short.names])
    turns = describe_turns(short.first_turn, short.turns)
    text = Text(f"{game.saved:%Y-%m-%d %H:%M}  {turns:>9}  ")
    order = sorted(range(len(names)), key=lambda seat: (short.result.ranks[seat], seat))
    for number, seat in enumerate(order):
        look = PLAYERS[seat]
        text.append(", " if number else "")
        text.append(f"{short.result.ranks[seat]} ")
        text.append(look.symbol, look.style)
        text.append(f" {names[seat]} {short.result.boxes[seat]}", "bold" if seat in game.seats else "")
    text.append("" if short.result.is_finished else f", {UNFINISHED}")
    return text


def loss_lines(game: ListedGame) -> list[Text]:
    """Why those lost for whom the game is listed."""
    losses = [(f"{PLAYERS[seat].symbol} {describe_loss(game, seat)}", PLAYERS[seat].style) for seat in game.losers]
    return [Text.assemble("  ", Text(", ").join(Text(*loss) for loss in losses))] if losses else []


def describe_loss(game: ListedGame, seat: int) -> str:
    cause, fate = game.cause_of(seat), game.fates.get(seat)
    if cause == DEAD:
        return "dead from the start"
    return f"lost by {WORDS.get(cause, cause)}" + ("" if fate is None else f" on turn {fate.turn}")
