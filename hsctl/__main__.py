"""The start of `hsctl` and of `python -m hsctl`: `engine`, `search` and `replays` must be its own.

Bots have modules of such names too. `python -m` looks into the current folder first, so that folder leaves the
path before anything is imported; a namesake that is found all the same (by PYTHONPATH, say) is named.
"""

import gc
import os
import sys

from hsctl import HOME, PACKAGES

NEW_OBJECTS = 20_000  # before garbage is looked for; Python's 700 take 0.07 s of every start, and nothing is found


def forget_current_folder() -> None:
    """Undo what `python -m` puts before the path, unless hsctl itself is there."""
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != HOME:
        del sys.path[0]


def check_packages() -> None:
    """Refuse to start if a file of the same name would be imported instead of a package of hsctl."""
    from importlib.util import find_spec

    for name in PACKAGES:
        find_spec(name)  # asks the guard in hsctl/__init__.py


def main() -> None:
    """Run the command line, or refuse with one line and exit code 2."""
    gc.set_threshold(NEW_OBJECTS)
    try:
        check_packages()
    except ImportError as error:
        print(f"hsctl: {error}", file=sys.stderr)
        sys.exit(2)
    from hsctl.cli.app import main as run
    from hsctl.stopping import end_at_second_interrupt

    end_at_second_interrupt()
    run()


if __name__ == "__main__":
    forget_current_folder()
    main()
