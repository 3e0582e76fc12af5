"""The HTML report: one file, readable on a laptop and a phone, light and dark, rewritten after every verdict."""

from __future__ import annotations

from proofs_checks.report.page import RunFacts
from proofs_checks.report.writer import ReportWriter

__all__ = ["ReportWriter", "RunFacts"]
