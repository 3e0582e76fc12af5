"""Claims about online knapsack with predictions."""

from proofs_checks.claims.knapsack import (
    figures,
    findings,
    frequencies,
    frontier,
    integral,
    intervals,
    laws,
    lower_bounds,
    metamorphic,
    rounding,
    tightness,
    upper_bounds,
    wrong_predictions,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *upper_bounds.CLAIMS,
    *laws.CLAIMS,
    *tightness.CLAIMS,
    *lower_bounds.CLAIMS,
    *intervals.CLAIMS,
    *wrong_predictions.CLAIMS,
    *integral.CLAIMS,
    *rounding.CLAIMS,
    *metamorphic.CLAIMS,
    *frequencies.CLAIMS,
    *frontier.CLAIMS,
    *findings.CLAIMS,
    *figures.CLAIMS,
)
