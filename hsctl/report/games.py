"""A game of a list: the result, and why players lost."""

from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.listing import BOXES, DEAD, ListedGame, ListedPlayer
from hsctl.match.result import BOTH, OTHERS, OWN
from replays.render.board import PLAYERS
from replays.render.turn import short_names
from replays.replay import UNFINISHED
from replays.text import clean, describe_turns

WORDS = {OWN: "own bomb", OTHERS: "an opponent's bomb", BOTH: "own and an opponent's bomb", BOXES: "fewer boxes"}


def listed_view(game: ListedGame) -> RenderableType:
    """All but its file, which must not be wrapped."""
    return Group(result_line(game), *loss_lines(game))


def result_line(game: ListedGame) -> Text:
    """`2026-11-17 03:44  200 turns  1 ● beam 36, 2 ■ duel 15`: places, seats, boxes."""
    names = short_names([clean(player.player) for player in game.players])
    turns = describe_turns(game.first_turn, game.turns)
    text = Text(f"{datetime.fromisoformat(game.saved):%Y-%m-%d %H:%M}  {turns:>9}  ")
    for number, player in enumerate(sorted(game.players, key=lambda player: (player.rank, player.seat))):
        look = PLAYERS[player.seat]
        text.append(", " if number else "")
        text.append(f"{player.rank} ")
        text.append(look.symbol, look.style)
        text.append(f" {names[player.seat]} {player.boxes}", "bold" if player.is_listed else "")
    text.append(f", {UNFINISHED}" if game.reason == UNFINISHED else "")
    return text


def loss_lines(game: ListedGame) -> list[Text]:
    """Why the players lost that the game is listed for."""
    losses = [Text(f"{PLAYERS[at.seat].symbol} {describe_loss(at)}", PLAYERS[at.seat].style) for at in game.losers]
    return [Text.assemble("  ", Text(", ").join(losses))] if losses else []


def describe_loss(player: ListedPlayer) -> str:
    if player.cause == DEAD:
        return "dead from the start"
    when = "" if player.death_turn is None else f" on turn {player.death_turn}"
    return f"lost by {WORDS.get(player.cause or '', player.cause)}{when}"
