"""The knapsack policies and the offline optima, each beside a reference measured in the same run.

Online: the compiled policies beside `np.log` over the same prices, and beside an item-by-item loop. Offline: the
fractional optimum beside a sort, the whole-item optimum beside an integer program.

Run ``python -m benchmarks.knapsack`` on a quiet machine. Times are per item. Every call works on the next of several
instances, which together exceed the caches: many small items, about four capacities of weight in each stream, so that
the knapsack fills slowly and no policy can stop early.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import partial

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from algos.kernel_cache import warm
from algos.knapsack import FractionalKnapsack, Knapsack01, fractional_knapsack, knapsack_01
from benchmarks.measure import measure
from learning_augmented.knapsack import (
    ZCL,
    BatchPolicy,
    Mix,
    OnlineKnapsackInstance,
    OnlinePolicy,
    OnlineRun,
    PPAdvanced,
    PPBasic,
    run_batch,
)

UPPER = 1000.0
PREDICTION = 250.0  # about a quarter of the unit values lie above it: they fill the knapsack just at the end
ITEMS = 1_000_000
LOOP_ITEMS = 100_000
ROWS, ROW_ITEMS = 2_000, 500
SELECTED = (100_000, 1_000_000, 10_000_000)
WHOLE_ITEMS = 5_000


def small_items(count: int, rng: np.random.Generator) -> OnlineKnapsackInstance:
    """Return a stream of small items with power-law unit values."""
    unit_values = 1.0 + (UPPER - 1.0) * rng.random(count) ** 5
    return OnlineKnapsackInstance(unit_values, (rng.random(count) + 1e-9) * 8.0 / count, lower=1.0, upper=UPPER)


def rotating(count: int, rng: np.random.Generator) -> Iterator[OnlineKnapsackInstance]:
    """Return an endless iterator over four instances."""
    return itertools.cycle([small_items(count, rng) for _ in range(4)])


def run_next(policy: OnlinePolicy, instances: Iterator[OnlineKnapsackInstance]) -> OnlineRun:
    """Run the compiled form over the next instance."""
    return policy.run(next(instances))


def log_next(instances: Iterator[OnlineKnapsackInstance]) -> NDArray[np.float64]:
    """Take the logarithms of the next instance's prices: the reference."""
    logs: NDArray[np.float64] = np.log(next(instances).unit_values)
    return logs


def offer_all(policy: OnlinePolicy, instances: Iterator[OnlineKnapsackInstance]) -> float:
    """Run the step-wise form over the next instance, as a user's own loop would."""
    instance = next(instances)
    policy.reset(instance.capacity)
    total = 0.0
    for unit_value, weight in zip(instance.unit_values.tolist(), instance.weights.tolist(), strict=True):
        total += unit_value * policy.offer(unit_value, weight)
    return total


def batch_on(
    threads: int, policy: BatchPolicy, unit_values: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Run a batch on that many threads."""
    numba.set_num_threads(threads)
    return run_batch(policy, unit_values, weights)


def fresh(count: int, rng: np.random.Generator) -> Iterator[OnlineKnapsackInstance]:
    """Return an endless iterator over as many instances as exceed the caches."""
    return itertools.cycle([small_items(count, rng) for _ in range(max(2, 4_000_000 // count))])


def select_next(instances: Iterator[OnlineKnapsackInstance]) -> FractionalKnapsack:
    """Solve the next instance offline."""
    instance = next(instances)
    return fractional_knapsack(instance.unit_values, instance.weights, instance.capacity)


def sort_next(instances: Iterator[OnlineKnapsackInstance]) -> NDArray[np.intp]:
    """Sort the next instance's prices: the reference."""
    return np.argsort(next(instances).unit_values)


def whole_items(values: NDArray[np.float64], weights: NDArray[np.float64]) -> Knapsack01:
    """Fill half of everything with whole items."""
    return knapsack_01(values, weights, 0.5 * float(weights.sum()))


def integer_program(values: NDArray[np.float64], weights: NDArray[np.float64]) -> OptimizeResult:
    """The same by scipy's integer program, to the optimum: the reference."""
    return milp(
        -values,
        constraints=LinearConstraint(weights[np.newaxis], ub=0.5 * float(weights.sum())),
        integrality=np.ones(len(values), dtype=np.int64),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )


def offline(rng: np.random.Generator) -> None:
    """Print the measurements of the offline optima."""
    print("fractional optimum, one thread")
    seconds = {}
    for count in SELECTED:
        instances = fresh(count, rng)
        label = f"fractional_knapsack against np.argsort, {count:.0e}"
        items = {"ours_items": count, "reference_items": count}
        seconds[count] = measure(label, partial(select_next, instances), partial(sort_next, instances), **items).ours
    smallest, largest = SELECTED[0], SELECTED[-1]
    rise = math.log(seconds[largest] / seconds[smallest]) / math.log(largest / smallest)
    print(f"time grows as the number of items to the power {1 + rise:.3f}")

    print(f"whole items, uncorrelated, {WHOLE_ITEMS} items")
    values, weights = rng.random(WHOLE_ITEMS) + 1e-9, rng.random(WHOLE_ITEMS) + 1e-9
    ours, reference = partial(whole_items, values, weights), partial(integer_program, values, weights)
    measure("knapsack_01 against milp", ours, reference, repeats=3)


def main() -> None:
    """Print all measurements."""
    warm()
    rng = np.random.default_rng(20250101)
    first, second, short = rotating(ITEMS, rng), rotating(ITEMS, rng), rotating(LOOP_ITEMS, rng)
    zcl, basic, advanced = ZCL(1.0, UPPER), PPBasic(PREDICTION), PPAdvanced(PREDICTION)
    mix = Mix(advanced, zcl, trust=0.5)
    policies: dict[str, BatchPolicy] = {"ZCL": zcl, "PPBasic": basic, "PPAdvanced": advanced, "Mix": mix}

    print(f"run, {ITEMS} items, one thread")
    items = {"ours_items": ITEMS, "reference_items": ITEMS}
    for name, policy in policies.items():
        measure(f"{name} against np.log", partial(run_next, policy, first), partial(log_next, second), **items)
    measure("Mix against ZCL", partial(run_next, mix, first), partial(run_next, zcl, second), **items)
    for name, policy in policies.items():
        measure(
            f"{name} against a loop of offer",
            partial(run_next, policy, first),
            partial(offer_all, policy, short),
            ours_items=ITEMS,
            reference_items=LOOP_ITEMS,
        )

    print(f"run_batch, {ROWS} rows of {ROW_ITEMS} items")
    rows = [small_items(ROW_ITEMS, rng) for _ in range(ROWS)]
    unit_values = np.array([row.unit_values for row in rows])
    weights = np.array([row.weights for row in rows])
    items = {"ours_items": ROWS * ROW_ITEMS, "reference_items": ROWS * ROW_ITEMS}
    for name, policy in policies.items():
        measure(
            f"{name}, two threads against one",
            partial(batch_on, min(2, numba.config.NUMBA_NUM_THREADS), policy, unit_values, weights),
            partial(batch_on, 1, policy, unit_values, weights),
            **items,
        )
    offline(rng)


if __name__ == "__main__":
    main()
