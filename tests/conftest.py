"""Signals as a terminal gives them: a suite that runs under nohup or in the background inherits some as ignored.

And tests marked `linux` are left out elsewhere.
"""

import signal
import sys

import pytest

for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if sys.platform != "linux" and item.get_closest_marker("linux"):
        pytest.skip("Linux only")
