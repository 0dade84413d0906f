"""A cup of the ledger as a static site: from rows and records to the plain values that `ladder.site` draws."""

from harness.publish.site import publish

__all__ = ["publish"]
