"""`python -m harness.cli` is `cardarena`."""

import sys

from harness.cli import main

sys.exit(main())
