"""A way for bots of root to what they must reach below folders that only root may enter.

Bots of root run as users of their own. An interpreter under /root is out of their reach, and so is all else there.
In a mount name space of its own a process of root lays an empty folder over the closed one and, in it, mounts what is
needed at its old place: the paths stay what they were, and the rest of the closed folder is gone.
"""

import os
import stat

from harness.sandbox import kernel


def closed_folder(path: str) -> str | None:
    """The first folder on the way to `path` that others may not enter; None where the way is open."""
    steps = os.path.abspath(path).split("/")
    for count in range(1, len(steps)):
        folder = "/".join(steps[:count]) or "/"
        if not os.stat(folder).st_mode & stat.S_IXOTH:
            return folder
    return None


def open_way(paths: tuple[str, ...]) -> None:
    """Makes `paths` reachable for every user, for this process and all that it starts. Needs root."""
    closed: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder = closed_folder(path) if os.path.lexists(path) else None
        if folder is not None:
            closed.setdefault(folder, []).append(path)
    if not closed:
        return
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", "none", kernel.MS_REC | kernel.MS_PRIVATE)
    for folder, wanted in closed.items():
        # Held open before they are hidden, and in the new name space, out of which nothing else can be mounted.
        descriptors = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in wanted]
        kernel.mount("none", folder, "tmpfs", 0, "mode=0755,size=64k,nr_inodes=1k")
        for path, descriptor in zip(wanted, descriptors, strict=True):
            _show(path, descriptor)
        kernel.mount("none", folder, "none", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY)


def _show(path: str, descriptor: int) -> None:
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    if os.path.isdir(f"/proc/self/fd/{descriptor}"):
        os.makedirs(path, exist_ok=True)
    elif not os.path.exists(path):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644))
    kernel.mount(f"/proc/self/fd/{descriptor}", path, "none", kernel.MS_BIND | kernel.MS_REC)
    os.close(descriptor)
