"""Policies as the published experiments ran them, where that differs from the algorithms in the paper.

Two differences were found, by repeating the figures (`proofs_checks.replicas.knapsack_figures`):

- the curves called PP-a are those of a lazy variant, which takes dearer items whole until the critical item arrives;
- the points called PP-n of Figure 2c are those of a policy that takes whatever fits of the last item, so that it never
  ends with nothing. To know which item is the last one, it must know how many there are.

Both are step-wise only, and fit no more than these experiments.
"""

from __future__ import annotations

from algos.knapsack import tied_with

__all__ = ["LastItemPPNaive", "LazyPPAdvanced"]


class LazyPPAdvanced:
    r"""PP-a in its lazy variant: nothing is reserved before the critical item arrives.

    With :math:`\omega` the weight of the critical item and S the value collected when it arrives (capacity 1), dearer
    items are taken whole before it, :math:`\frac{\omega}{1+\omega}(1 - S/\hat v)` is taken of it where that is
    positive, and :math:`w/(1+\omega)` of dearer items after it. The ratio :math:`1 + \omega` is that of `PPAdvanced`.

    Parameters
    ----------
    prediction : float
        Predicted critical value.

    Examples
    --------
    >>> policy = LazyPPAdvanced(2.0)
    >>> policy.offer(4.0, 0.25), policy.offer(2.0, 1.0), policy.offer(4.0, 0.5)
    (0.25, 0.25, 0.25)
    """

    def __init__(self, prediction: float) -> None:
        self.prediction = prediction
        self._low, self._high = tied_with(prediction)
        self.reset()

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._capacity = self._room = capacity
        self._value = 0.0
        self._critical: float | None = None

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item.

        Parameters
        ----------
        unit_value, weight : float
            The item.

        Returns
        -------
        float
            Accepted weight.

        Raises
        ------
        ValueError
            If a second critical item arrives: the variant does not say what to do.
        """
        if unit_value < self._low:
            return 0.0
        if unit_value > self._high:
            wanted = weight / (1.0 + (self._critical or 0.0))
        elif self._critical is None:
            self._critical = min(weight / self._capacity, 1.0)
            left = 1.0 - self._value / (self.prediction * self._capacity)
            wanted = self._capacity * max(0.0, self._critical / (1.0 + self._critical) * left)
        else:
            raise ValueError(f"unit_value = {unit_value}: a second critical item; the lazy variant knows only one")
        amount = min(wanted, self._room)
        self._room -= amount
        self._value += unit_value * amount
        return amount


class LastItemPPNaive:
    """PP-n as the published code ran it: what is strictly dearer, and whatever fits of the last item.

    Parameters
    ----------
    prediction : float
        Predicted critical value.
    items : int
        How many there will be.

    Examples
    --------
    >>> policy = LastItemPPNaive(2.0, items=2)
    >>> policy.offer(2.0, 0.5), policy.offer(1.0, 0.5)
    (0.0, 0.5)
    """

    def __init__(self, prediction: float, items: int) -> None:
        self._high = tied_with(prediction)[1]
        self._items = items
        self.reset()

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._room = capacity
        self._left = self._items

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item.

        Parameters
        ----------
        unit_value, weight : float
            The item.

        Returns
        -------
        float
            Accepted weight.
        """
        self._left -= 1
        if unit_value <= self._high and self._left > 0:
            return 0.0
        amount = min(weight, self._room)
        self._room -= amount
        return amount
