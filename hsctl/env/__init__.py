"""Hypersonic for learners: PettingZoo's and Gymnasium's interfaces on the engine (docs/guides/learning.md).

    from hsctl.env import hypersonic_v0
    hypersonic_v0.parallel_env(players=4)                        # PettingZoo, all act at once
    hypersonic_v0.env(players=4)                                 # the same, one after the other
    gymnasium.make("Hypersonic-v0", opponents=("beam:nodes=2000",))
    gymnasium.make_vec("Hypersonic-v0", 1024)                    # many games at once

Importing it registers `Hypersonic-v0` with Gymnasium.
"""

from importlib.util import find_spec

missing = [name for name in ("gymnasium", "pettingzoo", "PIL") if find_spec(name) is None]
if missing:
    raise ImportError(f"hsctl.env needs {', '.join(missing)}: pip install 'hsctl[env]'")

from gymnasium.envs.registration import register, registry  # noqa: E402

ID = "Hypersonic-v0"

if ID not in registry:
    register(
        ID,
        entry_point="hsctl.env.single:HypersonicEnv",
        vector_entry_point="hsctl.env.vector:HypersonicVectorEnv",
    )
