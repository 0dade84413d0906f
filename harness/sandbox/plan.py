"""What a keeper is to do for one bot process: a value that travels on the keeper's command line.

A plain class that is filled in step by step, without `typing` and `dataclasses`: a keeper is started for
every bot, and importing those would take longer than all that it does.
"""

from collections.abc import Iterable

LIST_END = "\n"
TOKEN_VARIABLE = "CARDARENA_TOKEN"
"""The one variable that a bot gets by way of its keeper's own environment: command lines can be read by others."""


class Plan:
    """How one bot process is started, confined and watched. What is 0 or empty asks nothing."""

    argv: tuple[str, ...] = ()
    """What is executed; under bubblewrap its command line, with the bot's own at the end."""
    variables: tuple[str, ...] = ()
    """`NAME=VALUE`: the bot's environment, beside its token. What it asks for must act on it alone: a keeper, or a
    bubblewrap, with LD_PRELOAD of a bot would be the bot's, outside of its sandbox."""
    cwd: str = "/"
    control_fd: int = -1
    """Its end of file is the order to kill everything."""
    status_fd: int = -1
    """Where the end of the bot is told."""
    head_bytes: int = 1 << 18
    """Of its output, the beginning that is kept."""
    tail_bytes: int = 1 << 16

    # Limits that the process itself is started under.
    data_bytes: int = 0
    processes: int = 0
    """Processes and threads of its user; where that is the harness's own user, so many beside what runs already."""
    files: int = 0
    file_bytes: int = -1

    # What it may reach.
    uid: int = 0
    """User and group that it becomes; 0: those of the harness."""
    way: tuple[str, ...] = ()
    """Paths that it must reach although they lie below folders that only root may enter."""
    no_new_privileges: int = 0
    seccomp: str = ""
    """A filter of system calls, in hex."""
    landlock: int = 0
    """The version of Landlock to use."""
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    port: int = 0
    """The one TCP port on this machine that it may dial."""
    bwrap: int = 0
    """`argv` is bubblewrap's, which expects the descriptors that `harness.sandbox.bwrap` names."""
    forward: str = ""
    """The unix socket to which TCP on loopback, inside bubblewrap, leads."""

    # What is watched while it runs.
    memory_bytes: int = 0
    """Of all its processes together."""
    cgroups: tuple[str, ...] = ()
    """Folders of control groups to make for it, and to remove after it."""
    cgroup_settings: tuple[str, ...] = ()
    """What to write into their files: `/path/of/file value`."""
    oom_file: str = ""
    """Where the kernel counts the processes that it killed for memory."""
    folder: str = ""
    """A folder on disk that it may fill."""
    folder_bytes: int = 0

    def words(self) -> list[str]:
        """The plan as arguments of a command line."""
        words = []
        for name, value in vars(self).items():
            if name not in ("argv", "variables"):
                words.append(f"{name}={LIST_END.join(value) if isinstance(value, tuple) else value}")
        return [*words, "--", *self.variables, "--", *self.argv]


def plan_of(words: Iterable[str]) -> Plan:
    """The plan that `Plan.words` wrote."""
    plan = Plan()
    rest = iter(words)
    for word in rest:
        if word == "--":
            break
        name, _, text = word.partition("=")
        default = getattr(Plan, name)
        if isinstance(default, int):
            setattr(plan, name, int(text))
        else:
            setattr(plan, name, text if isinstance(default, str) else tuple(text.split(LIST_END)))
    plan.variables = tuple(iter(rest.__next__, "--"))
    plan.argv = tuple(rest)
    return plan
