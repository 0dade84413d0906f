"""Exit codes, as `cardarena --help` and the documents tell them."""

DONE = 0
OUR_BUG = 1
OPERATOR_MISTAKE = 2
CHECK_FAILED = 3
BOTS_WITHDRAWN = 4
DIFFERENCE_FOUND = 5
NOT_SHOWN = 6
INTERRUPTED = 130
