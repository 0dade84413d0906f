"""Keeps one bot process: starts it, reports how it ended, and leaves nothing of it alive.

Run as a script, one for each bot process, and never imported:

    python -I -S keeper.py NAME=VALUE... -- ARG...

(a `harness.sandbox.plan.Plan` in words). What a keeper does is in `harness.sandbox.keeping`, so that Python keeps it
compiled: a script is compiled at every start.
"""

import os
import sys

# At the end: what stands beside the package must not take the place of Python's own modules.
sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from harness.sandbox.keeping import main

if __name__ == "__main__":
    main(sys.argv[1:])
