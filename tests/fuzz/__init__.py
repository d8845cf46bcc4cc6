"""The fuzzer: whatever strangers may send, mutated from what is valid, must be refused in one line or handled.

    python -m tests.fuzz 100000               # so many cases of all kinds
    python -m tests.fuzz 1000 --kind replay   # of one kind
    python -m tests.fuzz --case 4711          # one of them again, with all that it shows

A case is a command with its files, run in this process. It fails by a traceback, by another exit code than hsctl has,
by an error of more than a line, by control characters in what it shows, by taking more than 5 s of CPU time, by memory
above 1 GB, by an agent whose parameters or budget are out of bounds, and by a player that runs because a file
names it. No program is ever started: bots are made up.
"""
