"""`check`: starts a bot as the ladder would, plays with it, and says by name what is well and what is not."""

from harness.workshop.check.course import CHECK_NAMES, check_bot, check_found, unreadable
from harness.workshop.check.verdict import PASSED, CheckReport, Finding, Status

__all__ = ["CHECK_NAMES", "PASSED", "CheckReport", "Finding", "Status", "check_bot", "check_found", "unreadable"]
