r"""Many hypotheses at once, with a bound on the probability of even one false rejection.

Holm, *A simple sequentially rejective multiple test procedure* (Scandinavian Journal of Statistics 6, 1979): with the
p-values in ascending order, :math:`p_{(1)} \le \dots \le p_{(m)}`, the adjusted ones are
:math:`\tilde p_{(i)} = \min\{1, \max_{j \le i} (m-j+1)\,p_{(j)}\}`. Rejecting wherever the adjusted p-value is at most
:math:`\alpha` makes a false rejection with probability at most :math:`\alpha`, however the tests depend on one another.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.validation import require_vector

__all__ = ["holm"]


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return Holm's adjusted p-values.

    Parameters
    ----------
    p_values : array_like, shape (m,)
        One valid p-value for each hypothesis of the family, in [0, 1]; m at least 1.

    Returns
    -------
    ndarray of float64, shape (m,)
        In the order of `p_values`.

    Raises
    ------
    ValueError
        If the family is empty, or a p-value lies outside [0, 1] or is not finite.

    Examples
    --------
    >>> holm([0.04, 0.01, 0.03])
    array([0.06, 0.03, 0.06])
    """
    vector = require_vector("p_values", p_values, minimum=0)
    count = len(vector)
    if not count:
        raise ValueError("p_values: must hold at least one")
    if (vector > 1).any():
        index = int(np.argmax(vector > 1))
        raise ValueError(f"p_values[{index}] = {float(vector[index])}: must lie in [0, 1]")
    order = np.argsort(vector, kind="stable")
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(np.arange(count, 0, -1) * vector[order]))
    return adjusted
