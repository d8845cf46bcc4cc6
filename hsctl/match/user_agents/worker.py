"""The worker of an agent: imports its class, makes it, and answers the runner's questions until the pipe ends.

Run as `main([PLACE, CLASS])`, with a third word for an agent that an installed package names. The pipes of the runner
are put aside first: what the agent prints goes to stderr, and it finds nothing on stdin.
"""

import gc
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import MISSING, fields
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

LONGEST_ERROR = 300  # characters
MOST_WHOLE = 1_000_000  # either way, of a whole number that states no bounds


def main(words: list[str]) -> None:
    source, out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    from hsctl.match.user_agents.spec import Target

    serve(AgentWorker(Target(words[0], words[1], is_installed=len(words) > 2)), source, out)


def serve(worker: "AgentWorker", source: int, out: int) -> None:
    """Answer questions until there are no more."""
    import msgspec

    from hsctl.match.user_agents.wire import Request

    gc.disable()
    with open(source, "rb") as questions:
        for line in questions:
            reply = worker.answer(msgspec.json.decode(line, type=Request))
            sys.stdout.flush()
            write_all(out, encode(reply) + b"\n")
            gc.collect(1)


def encode(reply: Any) -> bytes:
    import msgspec

    from hsctl.match.user_agents.wire import Reply

    try:
        return msgspec.json.encode(reply, enc_hook=as_plain)
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        return msgspec.json.encode(Reply(error=f"gave something that can't be passed on: {error}", is_invalid=True))


def as_plain(thing: Any) -> Any:
    """Arrays and numbers of numpy's as lists and numbers, everything else as text: for traces."""
    return thing.tolist() if hasattr(thing, "tolist") else str(thing)


def write_all(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]


class Invalid(Exception):
    """What the agent decided is no decision."""


class AgentWorker:
    """One class, and at most one agent of it at a time."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.made: Any = None  # the class
        self.agent: Any = None

    def answer(self, request: Any) -> Any:
        """What came of a question; no exception of the agent gets out of here."""
        from hsctl.match.user_agents.wire import Reply

        doing: Callable[[Any], Any] = getattr(self, f"do_{request.do}")
        try:
            return Reply(result=doing(request))
        except Invalid as error:
            return Reply(error=str(error)[:LONGEST_ERROR], is_invalid=True)
        except BaseException as error:
            traceback.print_exc()
            return Reply(error=describe(error)[:LONGEST_ERROR])

    def load(self) -> Any:
        """The class, imported when it is first asked for."""
        if self.made is None:
            self.made = load_class(self.target)
        return self.made

    def do_describe(self, request: Any) -> Any:
        from hsctl.match.user_agents.wire import Description

        params = self.load().PARAMS
        idea = next(iter((self.load().__doc__ or "an agent without a docstring").strip().splitlines()))
        tunables = [tunable_of(each) for each in fields(params)]
        return Description(idea.rstrip("."), tunables, params.PRESETS, params.SPARRING)

    def do_make(self, request: Any) -> None:
        self.agent = self.load()(self.load().PARAMS(**request.params))
        self.agent.warm_up()

    def do_start(self, request: Any) -> None:
        map_ = record_of(request.map, is_map=True)
        self.agent.start_game(map_, request.player, request.seed, tuple(request.mates))

    def do_see(self, request: Any) -> None:
        self.agent.map = record_of(request.map, is_map=True)
        self.agent.see(record_of(request.state), request.player)

    def do_decide(self, request: Any) -> Any:
        from search.agent import Budget

        agent, state = self.agent, record_of(request.state)
        if agent.map.tobytes().hex() != request.map:  # where sight is limited, more of it is known from turn to turn
            agent.map = record_of(request.map, is_map=True)
        decision = agent.decide(state, request.player, Budget(request.ms, request.nodes, request.stages))
        if state.tobytes().hex() != request.state or agent.map.tobytes().hex() != request.map:
            raise Invalid("changed the state that it was given; it must work on a copy")
        return plain(decision)

    def do_trace(self, request: Any) -> Any:
        return {str(title): below for title, below in self.agent.trace().items()}


def keep_compiled(target: Any) -> None:
    """Have numba keep what it compiles (`cache=True`) in a folder for these sources, and for our kernels as they are.

    numba itself looks at one file at a time: it would go on running old code after an edit in another.
    """
    from engine.compile.cache import CACHE, open_folder
    from engine.compile.numba_parts import SETTINGS
    from engine.compile.sources import digest_text
    from hsctl.match.user_agents.closure import digest_of_sources

    folder = open_folder(f"own-{digest_text([CACHE.name, digest_of_sources(target)])}")
    SETTINGS.CACHE_DIR = str(folder)


def load_class(target: Any) -> Any:
    """The class of a target; whatever is wrong with it is an HsctlError in one line."""
    from engine.errors import HsctlError
    from hsctl.match.user_agents.base import Agent

    keep_compiled(target)
    if target.file is not None:
        module = load_file(target.file)
    else:
        if not target.is_installed:
            sys.path.insert(0, os.getcwd())
        module = import_module(target.place)
    found = getattr(module, target.class_name, None)
    if not isinstance(found, type):
        names = [name for name, value in vars(module).items() if isinstance(value, type) and issubclass(value, Agent)]
        here = ", ".join(name for name in names if name != "Agent") or "none"
        raise HsctlError(f"{target.place} has no class {target.class_name}; the agents in it are: {here}")
    if not issubclass(found, Agent):
        raise HsctlError(f"{target.class_name} is not an agent; derive it from hsctl.Agent")
    return found


def load_file(path: Path) -> Any:
    """The module in a file, under the name of the file; it can import modules of its folder."""
    from engine.errors import HsctlError

    if not path.is_file():
        raise HsctlError(f"there is no file {path}")
    sys.path.insert(0, str(path.resolve().parent))
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tunable_of(field: Any) -> Any:
    """A field of PARAMS. One that isn't declared by `param` has no meaning, but a default it must have."""
    from engine.errors import HsctlError
    from hsctl.match.user_agents.wire import Plain, Tunable

    if field.default is MISSING or not isinstance(field.default, Plain):
        raise HsctlError(f"parameter {field.name}: its default must be a number, a switch or a word")
    said = {key: field.metadata.get(key) for key in ("meaning", "source", "least", "most")}
    if type(field.default) in (int, float):
        said["least"] = -MOST_WHOLE if said["least"] is None else said["least"]
        said["most"] = MOST_WHOLE if said["most"] is None else said["most"]
    return Tunable(field.name, field.default, said["meaning"] or "", said["source"] or "", said["least"], said["most"])


def record_of(text: str, is_map: bool = False) -> Any:
    """A State or a Map, the agent's own to change."""
    import numpy as np

    from engine.state import MAP, STATE

    kind = MAP if is_map else STATE
    records = np.zeros(1, kind)
    records[0] = np.frombuffer(bytes.fromhex(text), kind)[0]
    return records[0]


def plain(decision: Any) -> Any:
    """A Decision for the runner; numbers of numpy's are numbers."""
    from hsctl.match.user_agents.wire import WireDecision
    from search.agent import Decision

    if not isinstance(decision, Decision):
        raise Invalid(f"decide returned {type(decision).__name__} instead of a Decision")
    value = None if decision.value is None else float(decision.value)
    try:
        return WireDecision(
            whole(decision.action),
            [whole(action) for action in decision.plan],
            value,
            whole(decision.nodes),
            {str(stage): whole(nodes) for stage, nodes in decision.stages.items()},
            whole(decision.depth),
            [whole(action) for action in decision.carried],
            str(decision.message),
        )
    except TypeError as error:
        raise Invalid(f"its Decision has something that is not a whole number: {error}") from None


def whole(number: Any) -> int:
    from operator import index

    return int(index(number))


def describe(error: BaseException) -> str:
    """What was raised, and where: in the agent's own code if it is on the way."""
    from engine.errors import HsctlError

    if isinstance(error, HsctlError):
        return str(error)
    said = " ".join(str(error).split())
    what = f"raised {type(error).__name__}{': ' * bool(said)}{said}"
    if isinstance(error, SyntaxError):
        return f"{what} ({Path(error.filename or '').name})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_theirs(frame.filename)]
    if not frames:
        return what
    return f"{what} ({Path(frames[-1].filename).name}, line {frames[-1].lineno}, in {frames[-1].name})"


def is_theirs(file: str) -> bool:
    """Whether a file is neither hsctl's nor part of Python's imports."""
    import hsctl

    home = Path(hsctl.__file__).parents[1]
    ours = any((home / package) in Path(file).parents for package in ("hsctl", "engine", "search", "replays"))
    return not ours and not file.startswith("<") and "importlib" not in Path(file).parts
