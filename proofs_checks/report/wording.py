"""Numbers and verdicts as a person reads them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from proofs_checks.claim import Claim
from proofs_checks.records.evidence import Evidence

__all__ = [
    "STATUSES",
    "Status",
    "confidence",
    "headline",
    "literal",
    "moment",
    "number",
    "seconds",
    "status_of",
    "thousands",
]

Name: TypeAlias = Literal["holds", "refuted", "contradicts", "inconclusive", "not-run", "pending", "error"]


@dataclass(frozen=True, slots=True)
class Status:
    """A verdict beside what was expected.

    Parameters
    ----------
    name : str
        For CSS classes and the filter.
    mark, label : str
        A symbol and a word, so that nothing hangs on colour alone.
    counted : str
        The word behind a number of claims.
    """

    name: Name
    mark: str
    label: str
    counted: str


STATUSES: tuple[Status, ...] = (
    Status("holds", "✓", "holds", "hold"),
    Status("refuted", "◇", "refuted, as expected", "refuted, as expected"),
    Status("contradicts", "✗", "contradicts", "contradict"),
    Status("inconclusive", "?", "inconclusive", "inconclusive"),
    Status("not-run", "–", "not run", "not run"),
    Status("pending", "…", "pending", "pending"),
    Status("error", "!", "error", "error"),
)
"""All of them, in the order in which they are counted."""
_BY_NAME = {status.name: status for status in STATUSES}

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LIST_OF_SCALARS = re.compile(r'\[((?:[^\[\]{}"]|"(?:[^"\\]|\\.)*")*)\]')


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


def headline(counts: Mapping[str, int], surviving: int = 0) -> str:
    """Return the one sentence that a hurried reader takes away.

    Parameters
    ----------
    counts : mapping of str to int
        Claims by name of their status.
    surviving : int
        Broken variants that no trial convicted.

    Returns
    -------
    str
        Bad news only where there is some.

    Examples
    --------
    >>> headline({"holds": 3, "contradicts": 0})
    'No claim contradicts what is expected of it.'
    >>> headline({"contradicts": 1, "error": 2, "pending": 4}, surviving=1)
    'So far, 1 claim contradicts what is expected of it, 2 stopped with an error, 1 broken variant survived.'
    """
    contradicting, errors = counts.get("contradicts", 0), counts.get("error", 0)
    news = []
    if contradicting == 1:
        news.append("1 claim contradicts what is expected of it")
    elif contradicting:
        news.append(f"{contradicting} claims contradict what is expected of them")
    else:
        news.append("no claim contradicts what is expected of it")
    if errors:
        news.append(f"{errors} stopped with an error")
    if surviving:
        news.append(f"{surviving} broken variant{'' if surviving == 1 else 's'} survived")
    told = ", ".join(news) + "."
    return f"So far, {told}" if counts.get("pending", 0) else told[0].upper() + told[1:]


def number(value: float | None) -> str:
    """Return a number with four significant digits and narrow spaces between thousands.

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
    >>> [number(value) for value in (3.14159, 12, -0.5, 0.0000123, float("inf"), None)]
    ['3.142', '12', '−0.5', '1.23 × 10⁻⁵', '∞', '—']
    >>> number(9999.99).split("\u202f")
    ['10', '000']
    """
    if value is None or math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    rounded = abs(float(f"{value:.3e}"))
    if not 1e-3 <= rounded < 1e7:
        mantissa, _, exponent = f"{value:.3e}".partition("e")
        told = f"{float(mantissa):g} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    elif rounded >= 1000:
        told = thousands(round(value))
    else:
        told = f"{value:.4g}"
    return told.replace("-", "−")


def thousands(count: int) -> str:
    """Return a whole number with narrow spaces between thousands.

    Parameters
    ----------
    count : int
        Any whole number.

    Returns
    -------
    str
        The spaces do not break.

    Examples
    --------
    >>> thousands(1234567).split("\u202f")
    ['1', '234', '567']
    """
    return f"{count:,}".replace(",", "\u202f")


def confidence(level: float) -> str:
    """Return a confidence level; those near one by what they lack.

    Parameters
    ----------
    level : float
        Between 0 and 1.

    Returns
    -------
    str
        "1 − 10⁻⁶" says more than "1".

    Examples
    --------
    >>> confidence(0.95), confidence(1 - 1e-6), confidence(1 - 2.5e-7)
    ('0.95', '1 − 10⁻⁶', '1 − 2.5 × 10⁻⁷')
    """
    lacking = 1 - level
    if not 0 < lacking < 1e-3:
        return number(level)
    return "1 − " + number(lacking).removeprefix("1 × ")


def seconds(value: float) -> str:
    """Return a duration.

    Parameters
    ----------
    value : float
        Seconds.

    Returns
    -------
    str
        With one digit behind the point below ten seconds.

    Examples
    --------
    >>> seconds(0.04), seconds(3.21), seconds(75.0)
    ('0.0', '3.2', '75')
    """
    return f"{value:.1f}" if value < 9.95 else thousands(round(value))


def moment(told: str) -> str:
    """Return a point in time to the minute.

    Parameters
    ----------
    told : str
        In ISO 8601; anything else comes back as it is.

    Returns
    -------
    str
        With the time zone, where one was told.

    Examples
    --------
    >>> moment("2026-12-01T01:46:38+00:00"), moment("yesterday")
    ('2026-12-01 01:46 UTC', 'yesterday')
    """
    try:
        return datetime.fromisoformat(told).strftime("%Y-%m-%d %H:%M %Z").strip()
    except ValueError:
        return told


def literal(plain: Any) -> str:
    """Return plain data as JSON for reading: indented, but a list of numbers or words stays on its line.

    Parameters
    ----------
    plain : object
        Dict, list, str, int, float, bool, None.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> print(literal({"weights": [1, 2.5], "upper": 4}))
    {
      "weights": [1, 2.5],
      "upper": 4
    }
    """
    told = json.dumps(plain, indent=2, ensure_ascii=False)
    return _LIST_OF_SCALARS.sub(lambda found: "[" + re.sub(r"\s*\n\s*", " ", found[1]).strip() + "]", told)
