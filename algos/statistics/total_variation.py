r"""How far an empirical distribution may lie from the true one.

Let p be a distribution on k categories, :math:`\hat p` the frequencies in n independent samples, and
:math:`\mathrm{TV}(\hat p, p) = \tfrac12 \sum_i |\hat p_i - p_i| = \max_A (\hat p(A) - p(A))`. With probability at least
:math:`1 - \alpha`, TV is at most either of

- :math:`\tfrac12\sqrt{(k-1)/n} + \sqrt{\ln(1/\alpha)/(2n)}`. By Cauchy-Schwarz,
  :math:`\mathbb E\,\mathrm{TV} \le \tfrac12 \sum_i \sqrt{p_i(1-p_i)/n} \le \tfrac12\sqrt{(k-1)/n}`; one sample moves TV
  by at most 1/n, so that McDiarmid's inequality bounds the excess (McDiarmid, *On the method of bounded differences*,
  Surveys in Combinatorics, 1989);
- :math:`\sqrt{\ln((2^k-2)/\alpha)/(2n)}`: Hoeffding's inequality on each of the :math:`2^k - 2` sets A that are neither
  empty nor everything (Bretagnolle & Huber, 1978; Weissman et al., *Inequalities for the L1 deviation of the empirical
  distribution*, 2003).

The second is smaller for few categories, the first for many. Neither looks at the samples, so the
smaller may be taken.
"""

from __future__ import annotations

import math

from algos.statistics.interval import error_probability
from algos.validation import require_integer

__all__ = ["total_variation_bound"]


def total_variation_bound(categories: int, samples: int, confidence: float) -> float:
    """Return a radius around an empirical distribution that holds the true one.

    Parameters
    ----------
    categories : int
        Number k of values that a sample can take, at least 1; those never seen count.
    samples : int
        Number n of independent samples, at least 1.
    confidence : float
        In (0, 1).

    Returns
    -------
    float
        The smallest of the two bounds and 1: TV(empirical, true) exceeds it with probability at most
        ``1 - confidence``, whatever the true distribution.

    Raises
    ------
    TypeError
        If a count is not an integer.
    ValueError
        If a count is below 1, or `confidence` outside (0, 1).

    Examples
    --------
    >>> round(total_variation_bound(categories=4, samples=10_000, confidence=0.999), 4)
    0.0218
    """
    k = require_integer("categories", categories, minimum=1)
    n = require_integer("samples", samples, minimum=1)
    excess = -math.log(error_probability(confidence))
    if k == 1:
        return 0.0
    by_mean = math.sqrt((k - 1) / n) / 2 + math.sqrt(excess / (2 * n))
    log_sets = k * math.log(2) + math.log1p(-(2.0 ** (1 - k)))
    by_union = math.sqrt((log_sets + excess) / (2 * n))
    return min(1.0, by_mean, by_union)
