"""Signals as a terminal gives them: a suite that runs under nohup or in the background inherits some as ignored."""

import signal

for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)
