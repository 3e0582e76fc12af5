"""Asserts for property tests of one's own algorithms.

=======================  ===============================================================================
`assert_competitive`     no instance on which a policy does worse than its ratio
`assert_online`          no decision depends on what comes later
`assert_law`             samples follow an exactly known law
`assert_deterministic`   the same result for any number of workers
=======================  ===============================================================================

A failed assert prints the data, a line ``@example(...)`` to paste above the test, so that hypothesis tries this case
first from now on, and the path of a file that holds the case as data; `read_case` reads it back.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator

from algos.validation import require_integer, require_one_of
from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.asserting.failed_case import FOLDER, fail, read_case
from proofs_checks.asserting.law_test import POWER, LawTest, law_test
from proofs_checks.checkers.knapsack import Played, critical_by_sorting, optimum_by_sorting, play
from proofs_checks.claim import Sides
from proofs_checks.comparing.difference import first_difference
from proofs_checks.comparing.entrants import Counted, is_policy, policy_for
from proofs_checks.records.naming import name_of
from proofs_checks.search.online_problem import RTOL, Charge, OnlineProblem

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "assert_competitive",
    "assert_deterministic",
    "assert_law",
    "assert_online",
    "competitive_charge",
    "read_case",
]

_PREFIXES = 64
_SHOWN = 12

Ratio = float | Callable[..., float]
Predictions = Literal["right", "any"] | None
PathLike = str | os.PathLike[str]


def assert_competitive(
    policy: Any,
    ratio: Ratio,
    *,
    predictions: Predictions = None,
    instances: SearchStrategy[OnlineKnapsackInstance] | None = None,
    examples: int = 200,
    rng: int = 0,
    folder: PathLike = FOLDER,
) -> None:
    """Assert that an online knapsack policy never does worse than its competitive ratio.

    The search climbs towards large OPT / ALG, and makes what it finds small.

    Parameters
    ----------
    policy : policy or callable
        ``policy(instance) -> policy``, or ``policy(instance, prediction)`` with predictions; or a policy itself, which
        is copied for each instance.
    ratio : float or callable
        The bound: a number, ``ratio(instance)``, or ``ratio(instance, prediction)`` with predictions.
    predictions : {None, "right", "any"}
        None for a policy without; the critical value, to assert consistency; or any number, to assert robustness.
    instances : SearchStrategy, optional
        By default `proofs_checks.strategies.knapsack.online_knapsack_instances`.
    examples : int
        How many cases are tried.
    rng : int
        Seed of the search.
    folder : path
        Where a failure writes its case.

    Raises
    ------
    AssertionError
        With the smallest case found. A policy that accepts what it must not fails as well.

    Examples
    --------
    >>> from math import log
    >>> from learning_augmented.knapsack import ZCL
    >>> assert_competitive(lambda i: ZCL(i.lower, i.upper), lambda i: 1 + log(i.upper / i.lower), examples=50)
    """
    import hypothesis
    from hypothesis import HealthCheck, Phase, given, settings

    from proofs_checks.strategies.knapsack import online_knapsack_instances, predicted_instances

    charge = competitive_charge(policy, ratio, predictions=predictions)
    cases: Any = online_knapsack_instances() if instances is None else instances
    if predictions is not None:
        predicted = predicted_instances(right=predictions == "right", instances=cases)
        cases = predicted.map(lambda case: (case.instance, case.prediction))
    broken: list[tuple[Any, Sides]] = []

    class Broken(Exception):
        """Tells hypothesis that a case breaks the bound."""

    @hypothesis.seed(rng)
    @settings(
        max_examples=require_integer("examples", examples, minimum=1),
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def judge(case: Any) -> None:
        sides = charge.sides(case)
        hypothesis.target(min(sides.tightness, 1e9))
        if sides.violated(RTOL, 0.0):
            broken.append((case, sides))
            raise Broken

    try:
        judge()
    except Broken:
        case, sides = broken[-1]  # hypothesis ends with the smallest
        instance = case if predictions is None else case[0]
        fault = _played(policy, *(case if predictions is not None else (case,))).fault
        fail(
            name_of(policy),
            f"OPT / ALG = {sides.measured:.6g} exceeds {sides.bound:.6g}" + (f": {fault}" if fault else ""),
            case,
            sides,
            folder,
            {"optimum": optimum_by_sorting(instance), "right prediction": critical_by_sorting(instance).value},
        )


def competitive_charge(policy: Any, ratio: Ratio, *, predictions: Predictions = None) -> Charge:
    """Return what `assert_competitive` tries, for ``boundlab replay FILE --subject MODULE:NAME`` and `falsify`.

    Parameters
    ----------
    policy, ratio, predictions
        As in `assert_competitive`.

    Returns
    -------
    Charge
        Its cases are instances, or pairs (instance, prediction).
    """
    from hypothesis import strategies as st

    from proofs_checks.strategies.knapsack import online_knapsack_instances

    problem = OnlineProblem(
        online_knapsack_instances(),
        optimum_by_sorting,
        "maximise",
        play=_value,
        instance_types=(OnlineKnapsackInstance,),
    )
    advice: dict[Predictions, Any] = {
        None: None,
        "right": lambda instance: st.just(critical_by_sorting(instance).value),
        "any": st.floats(1e-3, 1e5),
    }
    return Charge(problem, policy, ratio, advice[require_one_of("predictions", predictions, tuple(advice))])


def assert_online(
    policy: Any, instance: OnlineKnapsackInstance, *, rtol: float = 1e-12, folder: PathLike = FOLDER
) -> None:
    """Assert that no decision of a policy depends on what comes later.

    The policy decides on prefixes of the instance; what it decides on their items must be what it decides on the same
    items of the whole. All prefixes are tried, or 64 spread evenly where the instance is longer.

    Parameters
    ----------
    policy : policy or callable
        ``policy(instance)`` returns a policy, or the accepted weights; it is called with each prefix, so a prediction
        that it computes from the items is found out. Where a policy has `run`, both its ways are tried. A policy itself
        is copied for each prefix.
    instance : OnlineKnapsackInstance
        The items.
    rtol : float
        Relative (to the capacity) difference that counts as the same.
    folder : path
        Where a failure writes its case.

    Raises
    ------
    AssertionError
        Naming the item that is decided differently, and the prefix.

    Examples
    --------
    >>> from learning_augmented.knapsack import PPBasic, critical_value, power_law
    >>> assert_online(PPBasic(20.0), power_law(30, upper=100, rng=0))
    >>> clairvoyant = lambda instance: PPBasic(critical_value(instance).value)
    >>> assert_online(clairvoyant, power_law(30, upper=100, rng=0))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    AssertionError: <lambda>: item ... is decided differently when only the first ... of 30 items are known: ...
    """
    counts = np.unique(np.linspace(min(1, len(instance)), len(instance), _PREFIXES).astype(int))
    whole = _ways(policy, instance)
    for count in counts.tolist():
        prefix = instance.prefix(count)
        for way, decided in _ways(policy, prefix).items():
            expected = whole[way][:count]
            differs = ~(np.abs(decided - expected) <= rtol * instance.capacity)
            if differs.any():
                item = int(np.argmax(differs))
                sides = Sides(measured=float(abs(decided[item] - expected[item])), bound=rtol * instance.capacity)
                fail(
                    name_of(policy),
                    f"item {item} is decided differently when only the first {count} of {len(instance)} items are "
                    f"known: {decided[item]:.6g}, but {expected[item]:.6g} when all are (by `{way}`)",
                    instance,
                    sides,
                    folder,
                    {"prefix": count, "item": item},
                )


def assert_law(
    sampler: Callable[[Generator], Hashable],
    exact: Mapping[Any, float],
    alpha: float = 1e-9,
    samples: int = 10_000,
    rng: Any = 0,
    *,
    folder: PathLike = FOLDER,
) -> LawTest:
    """Assert that a sampler follows an exactly known law.

    Parameters
    ----------
    sampler : callable
        ``sampler(rng) -> outcome``: one independent sample.
    exact : mapping
        Probability of each outcome; they add up to 1.
    alpha : float
        How often a right sampler may fail: the test is exact where there are few possible counts, and else a G-test
        whose level holds at every sample size; see `proofs_checks.asserting.law_test`.
    samples : int
        How many are drawn.
    rng : int, Generator or anything that `numpy.random.default_rng` accepts
        Source of randomness.
    folder : path
        Where a failure writes its case.

    Returns
    -------
    LawTest
        How far off a sampler may be without being found: its `sentence` says so.

    Raises
    ------
    AssertionError
        With the outcomes that are furthest off, and the distance that would have been found.

    Examples
    --------
    >>> law = {"head": 0.5, "tail": 0.5}
    >>> round(assert_law(lambda rng: "head" if rng.random() < 0.5 else "tail", law).detectable, 3)
    0.05
    >>> assert_law(lambda rng: "head" if rng.random() < 0.6 else "tail", law)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    AssertionError: <lambda>: the samples do not follow the law, their frequencies are ... away in total variation; ...
    """
    seed = int(rng) if isinstance(rng, Integral) else int(np.random.default_rng(rng).integers(1 << 63))
    generator = np.random.default_rng(seed)
    law = {outcome: float(probability) for outcome, probability in exact.items() if probability != 0}
    counts = Counter(sampler(generator) for _ in range(require_integer("samples", samples, minimum=1)))
    seen = [counts.get(outcome, 0) for outcome in law]
    case = {"seed": seed, "counts": [[repr(outcome), number] for outcome, number in counts.most_common()]}
    facts = {repr(outcome): f"{counts.get(outcome, 0)} of {samples * law[outcome]:.1f} expected" for outcome in law}
    impossible = [outcome for outcome in counts if outcome not in law]
    if impossible:
        told = f"{impossible[0]!r} was sampled {counts[impossible[0]]} times, and has probability 0"
        fail(name_of(sampler), told, case, Sides(1.0, 0.0), folder, {}, example=f"seed={seed}")
    found = law_test(seen, list(law.values()), alpha)
    if found.rejected:
        off = sorted(law, key=lambda outcome: -abs(counts.get(outcome, 0) - samples * law[outcome]))[:_SHOWN]
        fail(
            name_of(sampler),
            f"the samples do not follow the law, their frequencies are {found.distance:.3g} away in total variation; "
            f"{found.sentence} (with probability {POWER:g})",
            case,
            Sides(found.distance, 0.0),
            folder,
            {repr(outcome): facts[repr(outcome)] for outcome in off},
            example=f"seed={seed}",
        )
    return found


def assert_deterministic(
    function: Callable[[int], Any], workers: Sequence[int] = (1, 2), *, folder: PathLike = FOLDER
) -> None:
    """Assert that a function returns the same for any number of workers, and twice for the first of them.

    Parameters
    ----------
    function : callable
        ``function(workers) -> result``: numbers, texts, arrays, and sequences, mappings and dataclasses of these. The
        same means equal to the last bit; NaN equals NaN.
    workers : sequence of int
        What it is called with.
    folder : path
        Where a failure writes its case.

    Raises
    ------
    AssertionError
        Naming the first place that differs, and both values.

    Examples
    --------
    >>> assert_deterministic(lambda workers: {"sum": sum(range(10))})
    >>> assert_deterministic(lambda workers: {"sum": [1.0, 1.0 / workers]})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    AssertionError: <lambda>: result['sum'][1] is 1.0 with 1 worker, and 0.5 with 2 workers
    ...
    """
    counts = [require_integer(f"workers[{place}]", count, minimum=1) for place, count in enumerate(workers)]
    if not counts:
        raise ValueError("workers: must hold at least one number")
    first = function(counts[0])
    for count in (counts[0], *counts[1:]):
        if difference := first_difference(first, function(count)):
            once = f"{counts[0]} worker{'' if counts[0] == 1 else 's'}"
            again = f"{once} the second time" if count == counts[0] else f"{count} worker{'' if count == 1 else 's'}"
            told = f"{difference.place} is {difference.first!r} with {once}, and {difference.second!r} with {again}"
            case = {"workers": [counts[0], count], "place": difference.place}
            fail(name_of(function), told, case, Sides(1.0, 0.0), folder, {}, example=f"workers={count}")


def _played(policy: Any, instance: OnlineKnapsackInstance, *advice: Any) -> Played:
    return play(Counted(policy_for(policy, instance, *advice)), instance)


def _value(policy: Any, *arguments: Any) -> float:
    """What a policy collects; an infeasible decision is worth nothing."""
    played = _played(policy, *arguments)
    return played.value if played.feasible else 0.0


def _ways(policy: Any, instance: OnlineKnapsackInstance) -> dict[str, Any]:
    """The accepted weights, by each way in which the policy can be run."""
    made = policy_for(policy, instance)
    if not is_policy(made):
        return {"the function": np.asarray(made, dtype=np.float64)}
    ways = {"offer": np.array(play(Counted(made), instance).accepted)}
    if hasattr(made, "run"):
        ways["run"] = np.asarray(made.run(instance).accepted, dtype=np.float64)
    return ways
