"""Every rule of a round, basic ones first: a drawing needs no rule that comes after its own.

So the first rule with a drawing that fails is the one that is broken, and later ones may fail in its wake.
"""

from hsctl.conform.rules.aftermath import AFTER, ITEMS, SCORES
from hsctl.conform.rules.blasts import BLASTS, DEATHS
from hsctl.conform.rules.moving import DROPS, FUSES, MOVES

SECTIONS = (FUSES, MOVES, DROPS, BLASTS, DEATHS, AFTER, ITEMS, SCORES)
RULES = tuple(rule for section in SECTIONS for rule in section.rules)
