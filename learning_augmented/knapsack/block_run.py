"""Runs that are handed their items in blocks, so that a composite can drive its parts in step.

What one part wrote of a block is still in the cache when the next one reads it, and only the composite's own amounts
go out to memory.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.policy import OnlinePolicy, OnlineRun

__all__ = ["BLOCK", "BlockRun", "begin_run", "run_in_blocks"]

BLOCK = 16_384  # items that a run is handed at once: 128 kB an array, a few of which stay in the cache


class BlockRun(Protocol):
    """A policy's run over an instance, from an empty knapsack; the step-wise state is left alone."""

    @property
    def value(self) -> float:
        """Total value of the weight accepted so far."""

    @property
    def used(self) -> float:
        """Capacity used so far, in units of weight."""

    def advance(
        self, unit_values: NDArray[np.float64], weights: NDArray[np.float64], accepted: NDArray[np.float64]
    ) -> None:
        """Decide on the next items, at most `BLOCK` of them.

        Parameters
        ----------
        unit_values, weights : ndarray of float64, shape (k,)
            The items.
        accepted : ndarray of float64, shape (k,)
            Where their accepted weights are written.
        """


def begin_run(policy: OnlinePolicy, instance: OnlineKnapsackInstance) -> BlockRun:
    """Begin a run of any policy that is handed over in blocks; a composite calls this for each of its parts.

    Parameters
    ----------
    policy : OnlinePolicy
        Begins the run itself if it has a method `begin_run`. Otherwise, or if a subclass replaced `run` alone, its
        `run` is called now and read out block by block.
    instance : OnlineKnapsackInstance
        The items.

    Returns
    -------
    BlockRun
        The run.
    """
    for kind in type(policy).__mro__:
        if "begin_run" in vars(kind):
            run: BlockRun = vars(kind)["begin_run"](policy, instance)
            return run
        if "run" in vars(kind):
            break
    return _FinishedRun(policy.run(instance))


class _FinishedRun:
    """What a policy accepted of a whole instance, read out in blocks."""

    def __init__(self, run: OnlineRun) -> None:
        self._run = run
        self._done = 0
        self.value, self.used = run.value, run.used

    def advance(
        self, unit_values: NDArray[np.float64], weights: NDArray[np.float64], accepted: NDArray[np.float64]
    ) -> None:
        accepted[:] = self._run.accepted[self._done : self._done + len(accepted)]
        self._done += len(accepted)


def run_in_blocks(run: BlockRun, instance: OnlineKnapsackInstance) -> OnlineRun:
    """Carry a run that has just begun through all items.

    Parameters
    ----------
    run : BlockRun
        The run.
    instance : OnlineKnapsackInstance
        The items.

    Returns
    -------
    OnlineRun
        Accepted weights, value, used capacity.
    """
    accepted = np.empty(len(instance))
    for start in range(0, len(instance), BLOCK):
        block = slice(start, start + BLOCK)
        run.advance(instance.unit_values[block], instance.weights[block], accepted[block])
    return OnlineRun(accepted, run.value, run.used)
