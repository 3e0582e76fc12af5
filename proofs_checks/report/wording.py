"""Numbers and verdicts as a person reads them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from proofs_checks.claim import Claim
from proofs_checks.evidence import Evidence

__all__ = ["STATUSES", "Status", "number", "seconds", "status_of"]

Name: TypeAlias = Literal["contradicts", "error", "inconclusive", "not-run", "pending", "refuted", "holds"]


@dataclass(frozen=True, slots=True)
class Status:
    """A verdict beside what was expected.

    Parameters
    ----------
    name : str
        For CSS classes and the filter.
    mark, label : str
        A symbol and a word, so that nothing hangs on colour alone.
    """

    name: Name
    mark: str
    label: str


STATUSES: tuple[Status, ...] = (
    Status("contradicts", "✗", "contradicts"),
    Status("error", "!", "error"),
    Status("inconclusive", "?", "inconclusive"),
    Status("not-run", "–", "not run"),
    Status("pending", "…", "pending"),
    Status("refuted", "◇", "refuted, as expected"),
    Status("holds", "✓", "holds"),
)
"""All of them, the most urgent first."""
_BY_NAME = {status.name: status for status in STATUSES}


def status_of(claim: Claim, evidence: Evidence | None) -> Status:
    """Return how a claim stands.

    Parameters
    ----------
    claim : Claim
        The claim.
    evidence : Evidence or None
        None while it is pending.

    Returns
    -------
    Status
        A verdict that contradicts ``claim.expect`` is "contradicts", whichever way round.
    """
    if evidence is None:
        return _BY_NAME["pending"]
    if evidence.verdict == "not run":
        return _BY_NAME["not-run"]
    if evidence.verdict in ("error", "inconclusive"):
        return _BY_NAME[evidence.verdict]
    if evidence.verdict != claim.expect:
        return _BY_NAME["contradicts"]
    return _BY_NAME["refuted" if claim.expect == "violated" else "holds"]


def number(value: float | None) -> str:
    """Return a number with four significant digits and thin spaces between thousands.

    Parameters
    ----------
    value : float or None
        Any number.

    Returns
    -------
    str
        An em dash for None and NaN, ∞ for infinity, powers of ten for the very large and very small.

    Examples
    --------
    >>> [number(value) for value in (3.14159, 12, 0.0000123, float("inf"), None)]
    ['3.142', '12', '1.23 × 10⁻⁵', '∞', '—']
    >>> number(1234567.0) == "1\u202f234\u202f567"
    True
    """
    if value is None or math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value and not 1e-3 <= abs(value) < 1e7:
        mantissa, _, exponent = f"{value:.3g}".partition("e")
        if exponent:
            raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
            return f"{mantissa} × 10{raised}".replace("-", "−")
    digits = max(4, len(str(int(abs(value)))))
    told = f"{value:.{digits}g}" if abs(value) < 1e7 else f"{value:.0f}"
    whole, point, rest = told.partition(".")
    return f"{int(whole):,}".replace(",", "\u202f").replace("-", "−") + point + rest if abs(value) >= 1000 else told


def seconds(value: float) -> str:
    """Return a duration.

    Parameters
    ----------
    value : float
        Seconds.

    Returns
    -------
    str
        With one digit below ten seconds.

    Examples
    --------
    >>> seconds(0.04), seconds(3.21), seconds(75.0)
    ('0.0', '3.2', '75')
    """
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"
