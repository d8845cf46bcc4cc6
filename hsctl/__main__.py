"""`python -m hsctl`."""

from hsctl.cli import main

main()
