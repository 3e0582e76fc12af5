r"""Mix: hedge a policy that trusts a prediction with one that does not.

Both policies see every item, each with a virtual knapsack of the full capacity of its own, and decide $\hat x_i$ and
$\tilde x_i$. With trust $\lambda \in [0, 1]$ the real knapsack accepts the convex combination

$$x_i = \lambda \hat x_i + (1 - \lambda) \tilde x_i,$$

which fits, and whose value is linear in $\lambda$. Let the trusted policy be $c$-competitive when the prediction is
right, and the robust one $\alpha$-competitive always. Then

$$\mathrm{OPT} \le \frac{\alpha}{1-\lambda}\,\mathrm{ALG} \;\text{ always}, \qquad
\mathrm{OPT} \le \frac{1}{\lambda/c + (1-\lambda)/\alpha}\,\mathrm{ALG} \;\text{ when the prediction is right.}$$

The source states the weaker consistency $c/\lambda$; the sharper one above is this library's statement, from adding up
both policies' values. Source: Daneshvaramoli, Karisani, Lechowicz, Sun, Musco and Hajiesmaili (2025), "Near-optimal
consistency-robustness trade-offs for learning-augmented online knapsack problems", ICML.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algos.validation import require_between, require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.block_run import BlockRun, begin_run, run_in_blocks
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.policy import (
    OnlinePolicy,
    OnlineRun,
    PlainState,
    require_entries,
    shown,
    values_by_row,
)

__all__ = ["Mix"]


class Mix:
    """Convex combination of a trusted and a robust policy.

    Parameters
    ----------
    trusted : OnlinePolicy
        Good when the prediction is good, say `PPAdvanced`; may itself be a Mix.
    robust : OnlinePolicy
        Good always, say `ZCL`.
    trust : float
        Weight of the trusted policy, in [0, 1].

    Raises
    ------
    TypeError
        If one of the two is not a policy.
    ValueError
        If trust leaves [0, 1].

    Notes
    -----
    Mix keeps copies of both policies and resets them, so that each has a virtual knapsack of its own: what happens to
    the originals elsewhere does not matter, and they may be the same object.

    Examples
    --------
    >>> from learning_augmented.knapsack import PPAdvanced, ZCL
    >>> policy = Mix(PPAdvanced(5.0), ZCL(1, 10), trust=0.5)
    >>> policy.offer(10.0, 0.25), policy.offer(2.0, 0.25)  # both take the first, the second only ZCL
    (0.25, 0.125)
    >>> policy
    Mix(PPAdvanced(prediction=5), ZCL(lower=1, upper=10), trust=0.5)
    """

    def __init__(self, trusted: OnlinePolicy, robust: OnlinePolicy, trust: float) -> None:
        for name, policy in (("trusted", trusted), ("robust", robust)):
            if not isinstance(policy, OnlinePolicy):
                raise TypeError(f"{name} = {policy!r}: must be a policy, got {type(policy).__name__}")
        self.trusted = copy.deepcopy(trusted)
        self.robust = copy.deepcopy(robust)
        self.trust = require_between("trust", trust, 0, 1)
        self.reset()

    def __repr__(self) -> str:
        """Both policies and the trust."""
        return f"{type(self).__name__}({self.trusted!r}, {self.robust!r}, trust={shown(self.trust)})"

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with empty knapsacks.

        Parameters
        ----------
        capacity : float
            Weight that each of them holds.
        """
        capacity = require_positive("capacity", capacity)
        self.trusted.reset(capacity)
        self.robust.reset(capacity)

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item.

        Parameters
        ----------
        unit_value : float
            Value per weight; both policies must take it.
        weight : float
            Weight on offer.

        Returns
        -------
        float
            Accepted weight.

        Raises
        ------
        ValueError
            If one of the policies refuses the item; both are then as before.
        """
        before = self.robust.state
        robust = self.robust.offer(unit_value, weight)
        try:
            trusted = self.trusted.offer(unit_value, weight)
        except ValueError:
            self.robust.restore(before)
            raise
        return self.trust * trusted + (1.0 - self.trust) * robust

    @property
    def state(self) -> PlainState:
        """Name, trust and the states of both policies."""
        return {
            "policy": type(self).__name__,
            "trust": self.trust,
            "trusted": self.trusted.state,
            "robust": self.robust.state,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of a Mix of the same policies with the same trust.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged; both policies are then as before.
        """
        require_entries(state, {"policy": type(self).__name__, "trust": self.trust}, ("trusted", "robust"))
        before = self.trusted.state
        self.trusted.restore(state["trusted"])
        try:
            self.robust.restore(state["robust"])
        except Exception:
            self.trusted.restore(before)
            raise

    def run(self, instance: OnlineKnapsackInstance) -> OnlineRun:
        """Run over a whole instance, from empty knapsacks; the step-wise state is left alone.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items.

        Returns
        -------
        OnlineRun
            Accepted weights, value, used capacity.

        Raises
        ------
        ValueError
            If one of the policies refuses an item.
        """
        return run_in_blocks(self.begin_run(instance), instance)

    def begin_run(self, instance: OnlineKnapsackInstance) -> BlockRun:
        """Begin a run over an instance that is handed over in blocks, from empty knapsacks.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items.

        Returns
        -------
        BlockRun
            The run, independent of the step-wise state.

        Raises
        ------
        ValueError
            If one of the policies refuses an item.
        """
        return _MixRun(self.trust, begin_run(self.trusted, instance), begin_run(self.robust, instance))

    @classmethod
    def run_rows(
        cls,
        policies: Sequence[Self],
        unit_values: NDArray[np.float64],
        weights: NDArray[np.float64],
        capacity: float,
    ) -> NDArray[np.float64]:
        """Return the value of each policy on its row (see `run_batch`).

        Parameters
        ----------
        policies : sequence of Mix, length b
            One a row; their trusted policies must be of one class, and so must their robust ones.
        unit_values, weights : ndarray of float64, shape (b, n)
            The rows, checked.
        capacity : float
            Weight that each knapsack holds.

        Returns
        -------
        ndarray of float64, shape (b,)
            Values.
        """
        trust = np.array([policy.trust for policy in policies])
        trusted = values_by_row([policy.trusted for policy in policies], unit_values, weights, capacity)
        robust = values_by_row([policy.robust for policy in policies], unit_values, weights, capacity)
        return trust * trusted + (1.0 - trust) * robust


class _MixRun:
    """Both policies over an instance, block by block: the robust one's amounts never leave the cache."""

    def __init__(self, trust: float, trusted: BlockRun, robust: BlockRun) -> None:
        self._trust, self._trusted, self._robust = trust, trusted, robust
        self._robust_accepted = np.empty(0)

    @property
    def value(self) -> float:
        return self._trust * self._trusted.value + (1.0 - self._trust) * self._robust.value

    @property
    def used(self) -> float:
        return self._trust * self._trusted.used + (1.0 - self._trust) * self._robust.used

    def advance(
        self, unit_values: NDArray[np.float64], weights: NDArray[np.float64], accepted: NDArray[np.float64]
    ) -> None:
        if len(self._robust_accepted) < len(accepted):
            self._robust_accepted = np.empty(len(accepted))
        robust = self._robust_accepted[: len(accepted)]
        self._trusted.advance(unit_values, weights, accepted)
        self._robust.advance(unit_values, weights, robust)
        _kernels.mix(self._trust, accepted, robust)
