r"""Do samples follow an exactly known law? A test that holds its level at every sample size.

The statistic is the G-test's: n times the relative entropy :math:`D(\hat p \| p) = \sum_i \hat p_i \ln(\hat p_i/p_i)`
of the frequencies in n independent samples with respect to the law p on k categories (G is twice that). Large is
suspect.

- Where there are few possible outcomes (counts that add up to n), the p-value is exact: the probability, under p, of
  all counts with at least the observed entropy.
- Else it is a bound that holds for every n and p: for :math:`\varepsilon > (k-1)/n`,

  .. math:: P(D \ge \varepsilon) \le e^{-n\varepsilon} \left(\frac{e\,n\,\varepsilon}{k-1}\right)^{k-1}

  (Agrawal, *Finite-sample concentration of the multinomial in relative entropy*, IEEE Transactions on Information
  Theory 66, 2020). The usual chi-squared approximation is no such bound, least of all at levels like 1e-9.

What the test would have found: by Pinsker's inequality :math:`D \ge 2\,\mathrm{TV}(\hat p, p)^2`, so frequencies at a
total-variation distance of :math:`\sqrt{D^*/2}` are rejected, where :math:`D^*` is the entropy from which on the test
rejects; and the frequencies are within `algos.statistics.total_variation_bound` of the true law.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from algos.statistics import total_variation_bound
from algos.validation import require_between, require_same_length, require_vector

__all__ = ["POWER", "LawTest", "law_test"]

POWER = 0.999
"""Probability with which a sampler at the detectable distance is found."""
_MOST_OUTCOMES = 100_000


@dataclass(frozen=True, slots=True)
class LawTest:
    """What samples say about a law.

    Parameters
    ----------
    p_value : float
        Probability, or a bound on it, that samples of the law look at least as odd.
    alpha : float
        The test rejects where the p-value is at most this.
    distance : float
        Total-variation distance between frequencies and law.
    detectable : float
        A sampler whose law is at least this far away, in total variation, is rejected with probability `POWER`; 1 where
        the samples are too few to find anything.
    samples, categories : int
        How many.
    exact : bool
        Whether the p-value is exact, not a bound.
    """

    p_value: float
    alpha: float
    distance: float
    detectable: float
    samples: int
    categories: int
    exact: bool

    @property
    def rejected(self) -> bool:
        """Whether the samples do not follow the law."""
        return self.p_value <= self.alpha

    @property
    def sentence(self) -> str:
        """What a person needs to know."""
        kind = "exact multinomial test" if self.exact else "G-test, valid at every sample size"
        found = f"p-value {self.p_value:.3g} at alpha = {self.alpha:g} ({kind})"
        reach = (
            f"a total-variation distance of {self.detectable:.3g} would have been found"
            if self.detectable < 1
            else "too few to find any distance"
        )
        return f"{self.samples:,} samples of {self.categories:,} categories: {found}; {reach}"


def law_test(counts: ArrayLike, probabilities: ArrayLike, alpha: float) -> LawTest:
    """Test whether counts come from a law.

    Parameters
    ----------
    counts : array_like of int, shape (k,)
        How often each category was sampled; at least one sample.
    probabilities : array_like, shape (k,)
        The law; positive, with sum 1.
    alpha : float
        Level of the test, in (0, 1): how often it may reject samples of the law itself.

    Returns
    -------
    LawTest
        The verdict.

    Raises
    ------
    ValueError
        If lengths differ, a count is negative or no integer, there are no samples, or the law is none.

    Examples
    --------
    >>> math.isclose(law_test([30, 0], [0.5, 0.5], alpha=1e-6).p_value, 2 * 0.5**30)
    True
    >>> law_test([16, 14], [0.5, 0.5], alpha=1e-6).rejected
    False
    """
    numbers, law = require_vector("counts", counts), require_vector("probabilities", probabilities, positive=True)
    require_same_length(counts=numbers, probabilities=law)
    level = require_between("alpha", alpha, 0, 1, open_low=True, open_high=True)
    samples = int(numbers.sum())
    if (numbers < 0).any() or (numbers != np.floor(numbers)).any() or samples < 1:
        raise ValueError(f"counts = {numbers.tolist()}: must be integers of at least 0, and not all 0")
    if abs(law.sum() - 1) > 1e-9:
        raise ValueError(f"probabilities: must add up to 1, got {law.sum():.12g}")
    entropy = float(_entropy(numbers[None, :], law)[0])
    exact = math.comb(samples + len(law) - 1, len(law) - 1) <= _MOST_OUTCOMES
    p_value, threshold = (_exactly if exact else _bounded)(entropy, samples, law, level)
    blur = total_variation_bound(len(law), samples, POWER)
    return LawTest(
        p_value=p_value,
        alpha=level,
        distance=float(np.abs(numbers / samples - law).sum() / 2),
        detectable=min(1.0, math.sqrt(threshold / 2) + blur),
        samples=samples,
        categories=len(law),
        exact=exact,
    )


def _entropy(counts: NDArray[np.float64], law: NDArray[np.float64]) -> NDArray[np.float64]:
    samples = counts.sum(axis=1, keepdims=True)
    entropies: NDArray[np.float64] = np.sum(special.rel_entr(counts / samples, law), axis=1)
    return entropies


def _exactly(entropy: float, samples: int, law: NDArray[np.float64], alpha: float) -> tuple[float, float]:
    """The p-value, and the least entropy that is rejected (infinity if none is)."""
    bars = np.array(list(itertools.combinations(range(samples + len(law) - 1), len(law) - 1)), dtype=np.int64)
    bars = bars.reshape(-1, len(law) - 1)  # a law of one category has none
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), samples + len(law) - 1)
    outcomes = np.diff(np.hstack([ends[0], bars, ends[1]]), axis=1) - 1.0
    logs = special.gammaln(samples + 1) - special.gammaln(outcomes + 1).sum(axis=1) + outcomes @ np.log(law)
    entropies = _entropy(outcomes, law)
    order = np.argsort(-entropies, kind="stable")
    tails = np.cumsum(np.exp(logs[order]))
    tie = 1e-12 * (1 + entropy)
    p_value = min(1.0, float(np.exp(logs[entropies >= entropy - tie]).sum()))
    rejected = np.flatnonzero(tails <= alpha)
    return p_value, float(entropies[order][rejected[-1]]) if len(rejected) else math.inf


def _bounded(entropy: float, samples: int, law: NDArray[np.float64], alpha: float) -> tuple[float, float]:
    free = len(law) - 1
    share = samples * entropy / free
    log_p = 0.0 if share <= 1 else free * (1 + math.log(share) - share)
    threshold = -special.lambertw(-math.exp(math.log(alpha) / free - 1), k=-1).real * free / samples
    return math.exp(log_p), float(threshold)
