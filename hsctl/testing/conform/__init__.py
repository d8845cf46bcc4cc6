"""Does a simulator follow the rules? States and actions go to the user's program; its answers meet the specification.

case.py         a position, the actions of some rounds, what the specification makes of them, how two positions differ
rules.py        every rule with drawn positions (rules.txt): they find the broken rule and make docs/reference/rules.md
simulator.py    the user's program on the line protocol (docs/reference/conform.md), and why it failed to answer
run.py          rules, then a stream of states; the first difference is shrunk to the smallest case
view.py         the screen, the JSON, the page of rules
"""
