"""What each kind of agent can tell of a decision: one file per kind, which reads it, keeps it and shows it.

A new panel is one file here; the document gets a field for it (write its schema again):

    class Duel(Panel)           the data, as it stands in the JSON; `sections` is how it looks
    @read.register read_duel    makes a Trace of what the agent left behind
"""

from importlib import import_module
from pkgutil import iter_modules

from hsctl.analysis.explain.read import read

__all__ = ["read"]

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
