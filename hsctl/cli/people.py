"""`hsctl play me beam`: a game with people at the keyboard."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_MS, HsctlError
from hsctl.cli.options import is_given, refuse_beside
from hsctl.report.console import announce
from replays.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hsctl.cli.playing import OnResult
    from hsctl.match.players import PlayerText
    from hsctl.match.runner import GameTask

MOST_PEOPLE = 2
NOT_WITH_PEOPLE = ("games", "jobs", "watch", "vision")

Pace = Annotated[
    float | None,
    typer.Option(metavar="MS", help="With `me`: end each turn after MS milliseconds instead of waiting for a key."),
]
Practice = Annotated[bool, typer.Option("--practice", help="With `me`: let people take back turns.")]


@dataclass(frozen=True)
class People:
    """How people want to play."""

    pace_s: float | None  # a turn lasts so long; None: until everybody has chosen
    is_practice: bool

    def play(self, task: "GameTask", on_result: "OnResult") -> bool:
        """Play one game on the whole terminal; false if it was left before its end."""
        from dataclasses import replace

        from hsctl.cli.adviser import StepperAdviser
        from hsctl.cli.playing import save_unfinished
        from hsctl.match.person import PersonSession
        from hsctl.match.person_screen import play_on_screen
        from hsctl.match.runner import save_replay
        from replays.replay import encode

        session = PersonSession(task, self.pace_s, self.is_practice)
        code = play_on_screen(session, StepperAdviser())
        if session.error is not None:
            raise session.error
        if session.finished is not None:
            on_result(save_replay(replace(session.finished, encoded=encode(session.replay))))
        elif session.replay.turns:
            save_unfinished(session.replay, task)
        else:
            announce("no turn was played, so nothing is saved")
        if session.taken_back:
            announce(f"practice: took back {counted(session.taken_back, 'turn')}")
        if code:
            raise typer.Exit(code)
        return session.finished is not None


def check_people(
    players: "Sequence[PlayerText]", pace: float | None, is_practice: bool, options: "Mapping[str, object]"
) -> People | None:
    """How people play, if any do; refused if they can't, as are options that make no sense with them."""
    names = [player.text for player in players if player.is_person]
    if not names:
        for option, value in (("--pace", pace), ("--practice", is_practice)):
            if is_given(value):
                example = option if value is True else f"{option} {value:g}"
                raise HsctlError(f"{option} needs a person, such as: hsctl play me beam {example}")
        return None
    if len(names) > MOST_PEOPLE:
        raise HsctlError(f"{len(names)} people: a keyboard is for {MOST_PEOPLE}")
    refuse_beside(names[0], {f"--{name.replace('_', '-')}": options[name] for name in NOT_WITH_PEOPLE})
    if pace is not None and not 0 < pace <= MOST_MS:
        raise HsctlError(f"--pace {pace:g}: give milliseconds above 0, at most {MOST_MS:.0f}")
    from hsctl.cli.playing import is_on_terminal

    if not is_on_terminal():
        raise HsctlError(f"{names[0]} needs a terminal: stdin and stderr must be one")
    return People(None if pace is None else pace / 1000, is_practice)
