"""`python -m train` is `rung`: for `torchrun -m train`, and where the command is not installed."""

import sys

from train.cli import main

if __name__ == "__main__":
    sys.exit(main())
