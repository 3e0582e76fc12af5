"""Policies on the same items: who collects what, by compiled loops where they may be trusted, else item by item.

A policy of `learning_augmented.knapsack` all of whose parts are from there runs in its compiled loop, many rows at once
where they are equally long. Everything else (a user's class, a class derived from one of ours, a Mix around either) is
offered the items one by one, and every decision is checked.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from learning_augmented.knapsack import CriticalValue, OnlineKnapsackInstance, critical_value, run_batch
from proofs_checks.checkers.knapsack import optimum_by_sorting, play
from proofs_checks.comparing.entrants import Counted, InfeasibleDecision, is_policy, policy_for
from proofs_checks.comparing.guarantees import guaranteed_ratio, papers_behind

__all__ = ["Chunk", "Guarantee", "Outcome", "PolicyFactory", "play_chunk"]

PolicyFactory: TypeAlias = Callable[[OnlineKnapsackInstance, Any], Any]
"""``factory(instance, prediction) -> policy``; only the range and the capacity of the instance are fair to look at."""
Guarantee: TypeAlias = Callable[[OnlineKnapsackInstance, Any], float]
"""``guarantee(instance, prediction) -> ratio``."""

_OURS = "learning_augmented.knapsack."


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive instances with their predictions: the unit of work.

    Parameters
    ----------
    start : int
        Number of the first instance.
    instances : tuple of OnlineKnapsackInstance
        The instances.
    predictions : tuple of tuples
        For each level of error, one prediction an instance.
    """

    start: int
    instances: tuple[OnlineKnapsackInstance, ...]
    predictions: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a chunk's policies collected.

    Parameters
    ----------
    values, guaranteed : ndarray of float64, shape (instances, levels, policies)
        Collected value, and the guaranteed ratio.
    optimum : ndarray of float64, shape (instances,)
        Fractional offline optimum.
    critical : tuple of CriticalValue
        One an instance.
    papers : frozenset of str
        Keys of the papers that the policies are from.
    """

    values: NDArray[np.float64]
    guaranteed: NDArray[np.float64]
    optimum: NDArray[np.float64]
    critical: tuple[CriticalValue, ...]
    papers: frozenset[str]


def play_chunk(chunk: Chunk, policies: Mapping[str, Any], guarantees: Mapping[str, Guarantee]) -> Outcome:
    """Let every policy play every instance of a chunk at every level of error.

    Parameters
    ----------
    chunk : Chunk
        Instances and predictions.
    policies : mapping of str to policy or factory
        Who plays; see `proofs_checks.compare.compare`.
    guarantees : mapping of str to callable
        Guarantees of policies that are not ours, by name.

    Returns
    -------
    Outcome
        A pure function of the arguments.

    Raises
    ------
    InfeasibleDecision
        Naming policy, instance and item.
    Exception
        Whatever a policy or a factory raises, with a note that names policy and instance.
    """
    critical = tuple(critical_value(instance) for instance in chunk.instances)
    shape = (len(chunk.instances), len(chunk.predictions), len(policies))
    values, guaranteed = np.empty(shape), np.empty(shape)
    papers: set[str] = set()
    for level, (column, (name, maker)) in itertools.product(range(shape[1]), enumerate(policies.items())):
        predictions = chunk.predictions[level]
        made = [
            _made(name, maker, chunk.start + row, instance, prediction)
            for row, (instance, prediction) in enumerate(zip(chunk.instances, predictions, strict=True))
        ]
        papers.update(*map(papers_behind, made))
        for row, policy in enumerate(made):  # before it plays: a policy may change its mind about its prediction
            instance = chunk.instances[row]
            guaranteed[row, level, column] = (
                guarantees[name](instance, predictions[row])
                if name in guarantees
                else guaranteed_ratio(policy, instance, critical[row])
            )
        values[:, level, column] = _values(name, made, chunk)
    optimum = np.array([optimum_by_sorting(instance) for instance in chunk.instances])
    return Outcome(values, guaranteed, optimum, critical, frozenset(papers))


def _made(name: str, maker: Any, index: int, instance: OnlineKnapsackInstance, prediction: Any) -> Any:
    if is_policy(maker) and _is_compiled(maker):
        return maker  # `run` leaves its state alone
    try:
        policy = policy_for(maker, instance, prediction)
    except Exception as error:
        error.add_note(f"policy {name!r}, instance {index}: it was made with prediction {prediction!r}")
        raise
    if not is_policy(policy):
        raise TypeError(f"policy {name!r}, instance {index}: the factory must return a policy, got {policy!r}")
    return policy


def _values(name: str, made: Sequence[Any], chunk: Chunk) -> Sequence[float] | NDArray[np.float64]:
    instances = chunk.instances
    if not all(map(_is_compiled, made)):
        return [
            _value_step_by_step(name, policy, chunk.start + row, instance)
            for row, (policy, instance) in enumerate(zip(made, instances, strict=True))
        ]
    if len({_kinds(policy) for policy in made}) == 1 and all(hasattr(kind, "run_rows") for kind in _kinds(made[0])):
        shapes = {(len(instance), instance.capacity) for instance in instances}
        if len(shapes) == 1:
            unit_values = np.stack([instance.unit_values for instance in instances])
            weights = np.stack([instance.weights for instance in instances])
            try:
                return run_batch(made, unit_values, weights, instances[0].capacity)
            except ValueError:
                pass  # below, the instance at fault is named
    values = []
    for row, (policy, instance) in enumerate(zip(made, instances, strict=True)):
        try:
            values.append(float(policy.run(instance).value))
        except Exception as error:
            error.add_note(f"policy {name!r}, instance {chunk.start + row}")
            raise
    return values


def _kinds(policy: Any) -> tuple[type, ...]:
    """Classes of the policy and of its parts."""
    return (type(policy), *itertools.chain.from_iterable(map(_kinds, _parts(policy))))


def _parts(policy: Any) -> list[Any]:
    return [part for part in getattr(policy, "__dict__", {}).values() if is_policy(part)]


def _is_compiled(policy: Any) -> bool:
    """Whether the policy and all its parts are ours, so that `run` is known to equal `offer`."""
    if not f"{type(policy).__module__}.".startswith(_OURS) or not hasattr(policy, "run"):
        return False
    return all(map(_is_compiled, _parts(policy)))


def _value_step_by_step(name: str, policy: Any, index: int, instance: OnlineKnapsackInstance) -> float:
    counted = Counted(policy)
    try:
        played = play(counted, instance)
    except InfeasibleDecision as error:
        raise InfeasibleDecision(f"policy {name!r}, instance {index}, item {counted.item}: {error}") from None
    except Exception as error:
        error.add_note(f"policy {name!r}, instance {index}, item {counted.item}")
        raise
    if not played.feasible:
        raise InfeasibleDecision(f"policy {name!r}, instance {index}, {played.fault}")
    assert math.isfinite(played.value)  # finite amounts of finite prices
    return played.value
