"""What the tests of games with people share: a session, and a terminal that Textual's pilot drives."""

from collections.abc import Callable

from textual.pilot import Pilot

from engine.rules import BOMB
from hsctl.league.games import League, series_tasks
from hsctl.match.person import Left, PersonSession, TakenBack
from hsctl.match.person_screen import HumanGame
from hsctl.match.players import read_anybody, read_players
from replays.playback import Playback
from replays.record import Record
from replays.render.overlays import Advised
from replays.replay import Limits
from tests.replays.viewer.driving import shown

SEED = 1
PATIENCE = 300  # looks at the screen, a hundredth of a second each


def new_session(*players: str, pace_s: float | None = None, is_practice: bool = False) -> PersonSession:
    league = League(tuple(read_players(players, read_anybody)), Limits(nodes=100))
    return PersonSession(series_tasks(league, SEED, 1)[0], pace_s, is_practice)


def press(session: PersonSession, *keys: int | type[TakenBack] | type[Left]) -> None:
    """Play without a screen: an action a turn, or an interruption in place of it; then leave."""
    hands, left = session.hands, iter(keys)
    take = hands.take

    def choose(seat: int) -> int:
        key = next(left, Left)
        if not isinstance(key, int):
            hands.interrupt(key)
        else:
            if key >= BOMB:
                hands.bomb(seat)
            hands.move(seat, key % BOMB)
        return take(seat)

    hands.take = choose  # type: ignore[method-assign]
    session.start(lambda: None)
    session._thread.join()
    session.read()
    if session.error is not None:
        raise session.error


class Helper:
    """An adviser who always says the same."""

    def __init__(self) -> None:
        self.agents = ["beam", "mcts"]

    def advise(self, record: Record, turn: int, seat: int, agent: str) -> Advised:
        return Advised(2, [2, 2], 1.5, f"{agent} would go right with player {seat}")

    def explain(self, record: Record, turn: int, seat: int, agent: str) -> str:
        return f"{agent} has much to say"

    def play_on(self, record: Record, turn: int, agent: str) -> Playback:
        raise NotImplementedError


def text_of(app: HumanGame) -> str:
    return "\n".join(shown(app))


async def see(pilot: Pilot[None], is_seen: Callable[[HumanGame], object]) -> None:
    """Wait until the screen is as expected."""
    app = pilot.app
    assert isinstance(app, HumanGame)
    for _ in range(PATIENCE):
        if is_seen(app):
            return
        await pilot.pause(0.01)
    raise AssertionError(text_of(app))


async def read(pilot: Pilot[None], text: str) -> None:
    """Wait until this is on the screen."""
    await see(pilot, lambda app: text in text_of(app))
