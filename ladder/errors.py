"""Mistakes of the person who asks for a ladder."""


class LadderError(Exception):
    """A file, an anchor or a pool that cannot be rated. The message is one line: what is wrong, where, and the mend.

    LadderError
    +-- ladder.fit.Unconnected   maximum likelihood without a prior has no finite answer
    """
