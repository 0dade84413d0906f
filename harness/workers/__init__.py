"""The executor of `run`: arenas that live in processes of their own, on this machine."""
