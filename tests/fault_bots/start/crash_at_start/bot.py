"""Raises before it has said anything."""

raise RuntimeError("nothing works today")
