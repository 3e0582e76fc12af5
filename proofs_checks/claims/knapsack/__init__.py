"""Claims about online knapsack with predictions."""

from proofs_checks.claims.knapsack import findings, laws, lower_bounds, tightness, upper_bounds

__all__ = ["CLAIMS"]

CLAIMS = (*upper_bounds.CLAIMS, *laws.CLAIMS, *tightness.CLAIMS, *lower_bounds.CLAIMS, *findings.CLAIMS)
