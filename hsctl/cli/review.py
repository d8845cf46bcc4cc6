"""`hsctl review`: what lost a game, which move would have saved it, and the proof."""

from os.path import isdir  # unlike Path's, it takes names of any length
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_NODES, HsctlError
from hsctl.cli.options import refuse_beside, refuse_several
from hsctl.report.console import NO, announce, print_line, print_view, progress
from hsctl.shell import join_words
from replays.files import write_text
from replays.text import counted

if TYPE_CHECKING:
    from hsctl.analysis.review.document import Review
    from hsctl.analysis.review.mistakes import ReferenceBeam
    from hsctl.analysis.review.run import ReviewRequest
    from replays.playback import Playback

EXAMPLES = """
hsctl review game.json --player ./mybot  # what cost it the game?
hsctl review --proof proofs              # replays in which it survives
hsctl review games/ --player ./mybot     # what costs it most games?
"""


Target = Annotated[
    str | None, typer.Argument(metavar="[FILE|DIR]", help="A game, or a folder of games. Default: the newest replay.")
]
Player = Annotated[
    str | None,
    typer.Option(metavar="P", help="Seat, name or part of a name. Default: the external bot, or the last player."),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST_NODES,
        metavar="N",
        help="Search about N nodes per line. Default: 12000; for a folder 2000, unless it writes a suite.",
    ),
]
Rollouts = Annotated[
    int,
    typer.Option(
        min=0,
        max=1000,
        metavar="N",
        help="For the worst mistakes, play N games from the played and from the better move.",
    ),
]
Proof = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="For each avoidable death, write a replay in which the player survives."),
]
Suite = Annotated[Path | None, typer.Option(metavar="DIR", help="Write each mistake as a test for a bot.")]
Page = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a web page of the game with its mistakes marked.")
]


def review(
    file: Target = None,
    player: Player = None,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Let this agent judge the moves.")] = "beam:reference",
    nodes: Nodes = None,
    quick: Annotated[bool, typer.Option("--quick", help="Search 2000 nodes per line.")] = False,
    deaths: Annotated[bool, typer.Option("--deaths", help="Review only deaths; skip the cost of moves.")] = False,
    rollouts: Rollouts = 0,
    proof: Proof = None,
    write_suite: Suite = None,
    step: Annotated[bool, typer.Option("--step", help="Step through the game; n goes to the next mistake.")] = False,
    html: Page = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with code 1 if an avoidable death cost the player first place.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find what lost a game: costly mistakes and avoidable deaths, with proof.

    hsctl finds the last turn on which the player could have prevented its death, given what the others did. It calls
    the death avoidable only if the player could see it coming. Either one move was safe against any answer of each
    opponent, and the player chose another. Or the known bombs alone made its move fatal, and spared another move.

    For all other moves, a search estimates the cost. A move is a mistake only if its cost exceeds the noise of that
    search. For a folder, hsctl prints a table of causes.
    """
    from hsctl.analysis.review.mistakes import NODES, QUICK_NODES, ReferenceBeam
    from hsctl.analysis.review.run import ReviewRequest, costly_deaths

    refuse_several({"--nodes": nodes, "--quick": quick, "--deaths": deaths})
    refuse_several({"--step": step, "--json": json})
    if step and not has_terminal():
        raise HsctlError("--step needs a terminal; --html FILE writes a page instead")
    is_folder = file is not None and isdir(file)
    request = ReviewRequest(rollouts, proof, write_suite)
    is_brief = quick or (is_folder and write_suite is None)  # what goes into a suite had better be sure
    reference = None if deaths else ReferenceBeam(agent, nodes or (QUICK_NODES if is_brief else NODES))
    if is_folder:
        refuse_beside(f"{file}, a folder,", {"--step": step, "--html": html})
        reviews = review_all(Path(str(file)), player, reference, request, json)
    else:
        record, found = review_one(file, player, reference, request)
        show_review(record, found, step, html, json)
        reviews = [found]
    if write_suite is not None:
        positions = counted(sum(len(each.mistakes) for each in reviews), "position")
        announce(f"{write_suite}: {positions}; test a bot with them: hsctl check COMMAND --suite DIR")
    if strict and any(map(costly_deaths, reviews)):
        raise typer.Exit(NO)


def has_terminal() -> bool:
    from hsctl.cli.replay import is_in_terminal

    return is_in_terminal()


def warm_up(reference: "ReferenceBeam | None") -> None:
    """Compile what a review needs, once it is known that there is something to review."""
    from engine.jit import compiling

    with compiling("beam", announce):
        if reference is not None:
            reference.warm_up()


def review_one(
    file: str | None, player: str | None, reference: "ReferenceBeam | None", request: "ReviewRequest"
) -> "tuple[Playback, Review]":
    from hsctl.analysis.review.run import default_seat, review_game
    from replays.opening import infer_game, open_reference, seat_of
    from replays.playback import Playback

    path, turn, record = open_reference(file, announce)
    if turn is not None:
        raise HsctlError(f'review takes a whole game: drop "@{turn}"')
    if not isinstance(record, Playback):
        record = infer_game(record, path, announce)
    seat = default_seat(record) if player is None else seat_of(player, record.specs)
    warm_up(reference)
    with progress("reviewing", len(record.replay.turns)) as on_turn:
        return record, review_game(record, seat, str(path), reference, request, on_turn)


def show_review(record: "Playback", found: "Review", is_stepped: bool, html: Path | None, as_json: bool) -> None:
    """The screen or the JSON, or the game with its mistakes marked."""
    from hsctl.analysis.review.document import encode
    from hsctl.analysis.review.view import MarkedGame, review_view

    if html is not None:
        from hsctl.analysis.review.view import describe_mistake
        from replays.export.page import PageFindings, format_page

        mistakes = [(mistake.turn, describe_mistake(mistake)) for mistake in found.mistakes]
        write_text(html, format_page(MarkedGame(record, found), PageFindings(found.verdict, mistakes)))
        announce(f"{html}: the game with its verdict and {counted(len(mistakes), 'mistake')}; open it in a browser")
    if is_stepped:
        from replays.viewer.app import open_stepper

        open_stepper(MarkedGame(record, found))
    elif as_json:
        typer.echo(encode(found), nl=False)
    else:
        print_view(review_view(found))
        for death in found.deaths:
            if death.proof:
                print_line(f"the proof: hsctl replay {join_words([death.proof])}")


def review_all(
    folder: Path, player: str | None, reference: "ReferenceBeam | None", request: "ReviewRequest", as_json: bool
) -> "list[Review]":
    from hsctl.analysis.review.document import encode
    from hsctl.analysis.review.run import folder_of, review_files
    from hsctl.analysis.review.view import folder_lines, folder_view

    if player is None:
        raise HsctlError(f"{folder} is a folder: name the player to review with --player P")
    paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    warm_up(reference)
    with progress("reviewing", len(paths)) as on_file:
        reviews = review_files(paths, player, reference, request, on_file, announce)
    if not reviews:
        raise HsctlError(f"{folder}: none of its {len(paths)} files is a game with a player {player!r}")
    found = folder_of(reviews, player)
    if as_json:
        typer.echo(encode(found), nl=False)
    else:
        print_view(folder_view(found))
        for line in folder_lines(found):
            print_line(line)
    return reviews
