"""Another process of this program."""

import sys


def own_program(module: str, *words: str) -> list[str]:
    """The command that runs `module` with `words`, in an interpreter that trusts nothing that this one does not.

    Modules called as ours are may lie in the folder that it is started in, which is never looked at (-P), in what
    PYTHONPATH names, or among the user's own packages: these it looks at where this process does.
    """
    if sys.flags.isolated:
        return [sys.executable, "-I", "-m", module, *words]
    kept = {"-E": sys.flags.ignore_environment, "-s": sys.flags.no_user_site}
    return [sys.executable, "-P", *(flag for flag, is_set in kept.items() if is_set), "-m", module, *words]
