"""Ends at once, as if all were well."""

raise SystemExit(0)
