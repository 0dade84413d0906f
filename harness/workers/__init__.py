"""More cores: an executor whose arenas live in processes of their own, on this machine."""
