"""List the parts to compile for players or learners, so that processes can compile them in parallel.

Using a part once compiles it, and the cache remembers that. Players may share parts. This file imports no numba, so
finding missing parts costs nothing.
"""

from collections.abc import Callable, Iterable, Mapping

from engine.compile.cache import is_ready, set_ready
from search.spec import AGENTS

THE_GAME = "the game"  # the part that every game needs
ENVIRONMENTS = "env"  # the part for learners, named like the package's extra


def seconds_by_part() -> dict[str, float]:
    """CPU seconds of one core for each part; only their proportions matter."""
    seconds = {THE_GAME: 1.5, ENVIRONMENTS: 4.0}
    for name, info in AGENTS.items():
        if isinstance(info.compile_s, Mapping):
            seconds |= {f"{name} {inner}": each for inner, each in info.compile_s.items()}
        else:
            seconds[name] = info.compile_s
    return seconds


SECONDS = seconds_by_part()


def parts_of(agents: Iterable[str]) -> list[str]:
    """The parts that these agents (or ENVIRONMENTS) need, the longest first, so that cores finish together."""
    wanted = {THE_GAME, *agents}
    parts = [part for part in SECONDS if split(part)[0] in wanted]
    return sorted(parts, key=SECONDS.__getitem__, reverse=True)


def split(part: str) -> tuple[str, str]:
    """The agent and which part of it; the whole if that is empty."""
    agent, _, inner = (part, "", "") if part == THE_GAME else part.partition(" ")
    return agent, inner


def missing_parts(agents: Iterable[str]) -> list[str]:
    return [part for part in parts_of(agents) if not is_ready(part)]


def compile_part(part: str) -> str:
    """Use a part once, and remember that it is compiled; returns its name."""
    name, inner = split(part)
    for title, use in warm_ups(name).items():
        if inner in ("", title):
            use()
    set_ready(part)
    return part


def warm_ups(name: str) -> dict[str, Callable[[], None]]:
    """The warm-ups of an agent, of the game or of environments, by part."""
    if name == THE_GAME:
        return {"": play_a_round}
    if name == ENVIRONMENTS:
        return {"": play_an_episode}
    from search import make_agent

    return make_agent(name).warm_ups()


def play_a_round() -> None:
    """Load or compile the kernels that play rounds."""
    from engine.game import Game, pack_actions
    from engine.rules import play_round

    game = Game.start(0, 2)
    play_round(game.state, game.map, pack_actions([0, 0]))


def play_an_episode() -> None:
    """Load or compile the kernels that play and show episodes."""
    import numpy as np

    from engine.batch import GIVEN, RANDOM, Episodes

    episodes = Episodes(1, (GIVEN, RANDOM), {})
    episodes.start([0])
    episodes.step(np.zeros((1, 1), np.int64))


if __name__ == "__main__":
    for each in sorted(SECONDS):
        compile_part(each)
