"""Where the time of a decision goes: kernels built with marks, sampled while agents decide on recorded positions.

    phases.py    which functions and statements belong to which phase
    marks.py     the build with marks: where a thread is, how often it came there
    worker.py    the process that loads one build and makes decisions
    measure.py   the usual and the marked build taking turns; what comes out of it
    report.py    the table, JSON, speedscope's format, a page with a flame graph

A mark at the beginning and the end of a phase is a store, which costs about a nanosecond; to read a cycle counter there
takes 12 to 20, as long as the phases themselves. So no phase is timed: a timer stops the thread some thousand times a
second and looks which mark was left last. Calls are counted exactly. It needs no instruction of any processor.
"""
