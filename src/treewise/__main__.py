"""`python -m treewise`."""

import sys

from treewise.cli import main

if __name__ == "__main__":
    sys.exit(main())
