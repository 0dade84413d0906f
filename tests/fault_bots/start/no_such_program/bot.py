"""Names a program that is not there."""

raise SystemExit("nobody starts this")
