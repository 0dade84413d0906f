"""Puts the checkout on the path, so that tests share code as `tests.games.contract` and the like."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
