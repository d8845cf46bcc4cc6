"""The phases: which functions, and which statements in functions, belong to each.

A place is `module.function` for the whole function, or `module.function: text` for the statements in it that begin with
this text. What a phase calls belongs to it, unless that has a phase of its own: then it is shown below it.
"""

from collections.abc import Mapping

Phases = Mapping[str, tuple[str, ...]]

SEARCH = "search"  # all searches of a decision: of predictions, of models, the own one
STEP = "step"
OTHER = "other kernels"  # that Python calls, and that aren't listed
EXTRA = "extra mark"
NESTING = (STEP, "burn", "expansion", "rollout")  # phases that others are shown below

# The stages of a decision, and the agent's methods that they are. `plan` belongs to a stage that calls it.
OWN = "own search"
STAGES: Phases = {
    "prediction": ("predict",),
    "models": ("ask_models",),
    "first-move pruning": ("own_roots",),
    "threats": ("threats.judge",),
    OWN: ("plan",),
}

# Of a decision.
DECISION: Phases = {
    SEARCH: (
        *("search.beam.layers.begin", "search.beam.layers.advance"),
        *("search.mcts.tree.begin", "search.mcts.tree.advance"),
        *("search.rhea.evolution.begin", "search.rhea.evolution.advance"),
        *("search.bias.tree.begin", "search.bias.tree.advance"),
        *("search.duel.walk.begin", "search.duel.walk.advance"),
        *("search.negamax.deepen.begin", "search.negamax.deepen.advance"),
        *("search.chokudai.queues.begin", "search.chokudai.queues.advance"),
    ),
    "legal moves": ("engine.rules.legal_actions", "engine.random.pick_legal"),
    "burn": ("engine.rules.burn",),
    "others' moves": ("search.beam.expand.make_base: finish_round(base",),
    "forecast": (
        "search.common.forecast.foresee",
        "search.common.forecast.foresee_bomb",
        "search.common.forecast.pass_round",
        "search.common.forecast.follow_others",
        "search.common.forecast.follow_items",
        "search.beam.expand.is_burning",
    ),
    "traps": (
        "search.beam.expand.trap_term",
        "search.beam.expand.make_base: if depth < search.trap_depth",
    ),
    "scoring terms": (
        "search.beam.expand.value_moves",
        "search.beam.expand.score_child",
        "search.beam.expand.rivalry_term",
    ),
    "survivability": (
        "search.common.forecast.survives",
        "engine.survival.can_get_away",
        "engine.survival.can_surely_get_away",
    ),
    "duplicates": (
        "search.beam.expand.new_actions",
        "search.beam.expand.make_base: facts.rest_hash",
        "search.beam.expand.make_base: facts.items_hash",
        "search.beam.layers.begin_layer",
    ),
    "children": ("search.beam.expand.add_children",),
    "family": ("search.beam.expand.meet_family",),
    "selection": (
        "search.beam.layers.select",
        "search.mcts.tree.iterate: while tree.untried",
        "search.bias.tree.best_action",
        "search.duel.walk.iterate: while tree.untried",
        "search.rhea.evolution.replace_population",
    ),
    "copies": (
        "search.beam.layers.keep",
        "search.beam.expand.copy_forecast",
        "search.beam.expand.make_base: layers.bases[place] = parent",
        "search.beam.expand.place_bomb: layers.scratch[DROPPED] = base",
        "search.beam.expand.take_item: layers.scratch[TAKEN] = base",
        "search.mcts.tree.iterate: tree.states[scratch_place(tree)] = tree.states[node]",
        "search.mcts.tree.new_node: tree.states[node] = state",
        "search.rhea.evolution.try_individual: pool.states[turns + 1] = state",
        "search.chokudai.queues.expand: queues.states[scratch] = ",
        "search.common.threats.try_both: proof.states[k + 1] = proof.states[k]",
    ),
    STEP: ("engine.rules.play_round",),
    "expansion": (
        "search.mcts.tree.iterate: if tree.untried",
        "search.bias.tree.new_node",
        "search.duel.walk.iterate: if tree.visits",
    ),
    "rollout": (
        "search.mcts.tree.simulate",
        "search.bias.tree.simulate",
        "search.duel.walk.iterate: points = simulate",
        "search.rhea.evolution.try_individual",
    ),
    "evaluation": (
        "search.common.uct.end_value",
        "search.common.uct.reward_of",
        "search.common.evaluate.value_of",
        "engine.survival.hits_ahead",
    ),
    "backup": (
        "search.common.uct.carry_up",
        "search.mcts.tree.keep_line",
        "search.bias.tree.note_worst",
        "search.duel.walk.carry_up",
    ),
    "replies": ("search.common.threats.refute",),
    "breeding": ("search.rhea.evolution.breed",),
}

# Of the engine's step, played in a loop.
ROUND: Phases = {
    STEP: ("hsctl.research.bench.kernels.step_states",),
    "copy": ("hsctl.research.bench.kernels.step_states: room[",),
    "choose": ("engine.rules.choose",),
    "burn": ("engine.rules.burn",),
    "arms": ("engine.blast.explode: one_a,",),
    "chains": ("engine.blast.explode: wave = standing_in",),
    "boxes and items": ("engine.rules.burn: blocked, boxes, items = burn_away", "engine.rules.burn: write("),
    "credit": ("engine.blast.count_hits", "engine.rules.burn: empty_slots", "engine.rules.burn: for at"),
    "act": ("engine.rules.act",),
    "items": ("engine.rules.finish_round: while takers",),
}
