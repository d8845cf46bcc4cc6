"""Run the suite with the same signals and with bytecode everywhere.

Under nohup or in the background, the suite inherits some signals as ignored. Other systems skip tests marked `linux`,
and a plain `pytest` skips those marked `slow`.
"""

import os
import signal
import sys

import pytest

USUAL = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL, "SIGQUIT": signal.SIG_DFL}
for name, usual in USUAL.items():
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)

# Hundreds of tests start programs: without bytecode, each would parse all of hsctl again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    is_plain = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if is_plain and not config.option.markexpr and not config.option.keyword:
        config.option.markexpr = "not slow"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if sys.platform != "linux" and item.get_closest_marker("linux"):
        pytest.skip("Linux only")
