"""User agents: Python classes in a file, a module or an installed package, played in processes of their own.

    runner                                     guardian ── worker
    UserAgent.decide ── state, budget ────────────────────▶ MyAgent.decide
                    ◀──────────── Decision, or an error ──

The runner never imports the class. A worker does, under the same guardian as an external bot, and is asked by lines of
JSON that carry the exact state. So an exception, an endless loop, an illegal action, a `print`, a `sys.exit` or a
segmentation fault ends that player and nothing else, and a late agent can be killed. A worker lives from game to game,
because importing numba takes longer than most games; one that broke the contract is replaced for the next game.

spec.py        how such an agent is written, what installed packages offer, and its parameters
base.py        the class to derive from
agent.py       the runner's side: an Agent like any other
worker.py      the other side
wire.py        what they say to each other
closure.py     a digest of all that such an agent imports
contract.py    the contract as checks
"""
