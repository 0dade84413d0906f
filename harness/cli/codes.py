"""Exit codes, as `cardarena --help` and the documents tell them."""

DONE = 0
OUR_BUG = 1
OPERATOR_MISTAKE = 2
CHECK_FAILED = 3
BOTS_WITHDRAWN = 4
DIFFERENCE_FOUND = 5
NOT_SHOWN = 6
INTERRUPTED = 130

MEANINGS = {
    DONE: "done",
    OUR_BUG: "a bug of cardarena",
    OPERATOR_MISTAKE: "a mistake in a word, a file or a setting: one line says which, and the mend",
    CHECK_FAILED: "a bot failed its check, or a fault bot of doctor was not stopped as expected",
    BOTS_WITHDRAWN: "finished, but bots were withdrawn for their faults",
    DIFFERENCE_FOUND: "verify found a difference",
    NOT_SHOWN: "compare has not shown it",
    INTERRUPTED: "interrupted; what was finished is kept",
}
