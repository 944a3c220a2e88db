"""``python -m novelty_kit`` is the `novelty` command."""

from novelty_kit.cli import main

if __name__ == "__main__":
    main()
