"""Is a simulator right? States and actions go to the user's program, its answers are compared with the specification.

run.py          rules, then a stream of states; the first difference is shrunk
simulator.py    the user's program on the line protocol (docs/reference/conform.md), and why it failed to answer
position.py     what is compared, and in which words two positions differ
case.py         a position and the actions of some rounds; what the specification makes of them
rules/          every rule with drawn positions (rules.txt): they find the broken rule and make docs/reference/rules.md
stream.py       states from recorded games, played games and random wild positions
shrink.py       the smallest case that still differs
view.py, document.py, page.py   the screen, the JSON, the page of rules
"""
