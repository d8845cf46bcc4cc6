"""`python -m hsctl`."""

from hsctl.cli import main

if __name__ == "__main__":
    main()
