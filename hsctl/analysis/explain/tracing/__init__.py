"""Every node of a decision, written to a file: `hsctl explain --trace`.

rows.py       the rows of each kind of search; the header before them, and the end after them
watch.py      searches that are followed from outside while a decision is repeated; counters of every pass
beam.py       layers, and the threats that a beam judges first moves by; chokudai.py the same for queues
trees.py      trees: mcts, bias, duel, hybrid
others.py     evolution, alpha-beta, and agents that weigh candidates
files.py      rows as JSON lines, CSV, Parquet or a drawing, and read again
check.py      whether the rows of a file fit each other, add up to the counters of its searches, and lead to the plan
record.py     a decision made again and recorded

No search knows whether it is watched. A stage tells it how many nodes it may look at before it asks again; a recorder
answers with small numbers, and reads what the search has left in its memory between two of them.
"""
