"""`hsctl review`: what lost a game, which move would have saved it, and the proof."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_NODES, HsctlError
from hsctl.commands.opening import File, open_file
from hsctl.commands.options import refuse_several
from hsctl.commands.output import NO, announce, print_view, progress

if TYPE_CHECKING:
    from hsctl.review.deaths import Death
    from hsctl.review.report import Review
    from hsctl.review.saving import Saving
    from replays.playback import Playback

EXAMPLES = """
hsctl review game.json --player ./mybot  # what cost it the game?
hsctl review --proof proofs              # games in which it lives
hsctl review --quick --json              # for a script
"""


def review(
    file: File = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="P", help="Seat, name or part of it. Default: the bot with output of its own, or the last."
        ),
    ] = None,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Value moves by this agent.")] = "beam",
    nodes: Annotated[
        int | None, typer.Option(min=1, max=MOST_NODES, metavar="N", help="Search N nodes a position. Default: 4000.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Search 1000 nodes a position.")] = False,
    rollouts: Annotated[
        int, typer.Option(min=0, max=1000, metavar="N", help="Play N games on from both moves of the worst mistakes.")
    ] = 0,
    proof: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a replay for each avoidable death: the player lives.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 1 if a death was avoidable.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what lost a game: mistakes, largest first, and deaths, with proof.

    Whether a death could be avoided is found exactly, given what the others did. What other moves cost is the judgement
    of a search; only what exceeds its noise is called a mistake.
    """
    from hsctl.review.regret import NODES, QUICK_NODES

    refuse_several({"--nodes": nodes, "--quick": quick})
    path, turn, record = open_file(file)
    if turn is not None:
        raise HsctlError(f"{file}: a review is of a whole game, expected no @TURN")
    playback, seat = whole_game(record, str(path), player)
    found = look_at(playback, seat, str(path), agent, nodes or (QUICK_NODES if quick else NODES), rollouts, proof)
    show(found, json)
    if strict and any(death.is_avoidable for death in found.deaths):
        raise typer.Exit(NO)


def whole_game(record: object, path: str, player: str | None) -> "tuple[Playback, int]":
    from hsctl.review.seat import default_seat
    from replays.playback import Playback
    from replays.players import seat_of

    if not isinstance(record, Playback):
        raise HsctlError(f"{path}: only inputs of one player, expected a whole game (a replay or one of the arena)")
    return record, default_seat(record) if player is None else seat_of(player, record.specs)


def look_at(
    playback: "Playback", seat: int, path: str, agent: str, nodes: int, rollouts: int, proof: Path | None
) -> "Review":
    """Deaths first, then every move; progress on stderr."""
    from hsctl.league.compiling import compile_for
    from hsctl.review.deaths import deaths_of
    from hsctl.review.habits import habits_of
    from hsctl.review.regret import Reference, regrets_of
    from hsctl.review.report import review_of
    from hsctl.review.rollouts import add_chances

    reference = Reference(agent)
    compile_for([reference.name], announce)
    reference.agent.warm_up()
    deaths = deaths_of(playback, seat)
    with progress("reviewing", len(playback.replay.turns)) as on_turn:
        regrets = regrets_of(playback, seat, reference, nodes, on_turn)
    found = review_of(playback, seat, path, [death for death, _ in deaths], regrets, habits_of(playback, seat))
    if proof is not None:
        write_proofs(playback, deaths, found, proof)
    if rollouts:
        with progress("playing on", 1) as on_game:
            add_chances(playback, found, rollouts, on_game)
    return found


def write_proofs(
    playback: "Playback", deaths: "list[tuple[Death, Saving | None]]", found: "Review", folder: Path
) -> None:
    """A replay for each death that could be avoided."""
    from hsctl import __version__
    from hsctl.review.proof import proof_of
    from replays.replay import write

    for (death, saving), told in zip(deaths, found.deaths, strict=True):
        if saving is not None and death.last_turn is not None:
            line = saving.line_from(death.last_turn, death.safe[0])
            replay = proof_of(playback, death.seat, death.last_turn, line, death.turn, __version__)
            path = folder / f"{Path(found.file).stem}-player{death.seat}-lives-from-turn{death.last_turn}.json"
            write(path, replay)
            told.proof = str(path)


def show(found: "Review", as_json: bool) -> None:
    if as_json:
        from hsctl.review.report import encode

        typer.echo(encode(found), nl=False)
    else:
        from hsctl.review.view import review_view

        print_view(review_view(found))
