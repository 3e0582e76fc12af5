"""Compare policies on the same instances, under the same predictions, with the same noise.

Common random numbers make a comparison sharp: the difference of two policies on one instance is not blurred by the
difference of two instances. Instance, prediction and noise number i are drawn from streams of their own, so the rows do
not depend on how the work is shared out, and adding a policy or a level of error changes nobody else's.

>>> from learning_augmented.knapsack import ZCL, Mix, MultiplicativeError, PPAdvanced, power_law
>>> class HalfOfTheDear:
...     def __init__(self, lower, upper):
...         self.threshold, self.room = (lower * upper) ** 0.5, 1.0
...     def offer(self, unit_value, weight):
...         amount = min(weight / 2, self.room) if unit_value >= self.threshold else 0.0
...         self.room -= amount
...         return amount
>>> compared = compare(
...     {
...         "ZCL": ZCL(1, 1000),
...         "Mix": lambda instance, prediction: Mix(PPAdvanced(prediction), ZCL(1, 1000), trust=0.5),
...         "mine": lambda instance, prediction: HalfOfTheDear(instance.lower, instance.upper),
...     },
...     instances=lambda rng: power_law(150, upper=1000, rng=rng),
...     count=100,
...     error={"right": None, "twice too high": MultiplicativeError(factor=2)},
...     rng=0,
... )
>>> compared
Comparison(ZCL, Mix, mine: 100 instances, 2 levels of error)
>>> compared.summary().standings[1].median_ratio < compared.summary().standings[0].median_ratio
True
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algos.random_streams import stream
from algos.validation import require_integer
from learning_augmented.knapsack import OnlineKnapsackInstance, critical_value
from learning_augmented.knapsack.errors import PredictionError
from proofs_checks.claim import Table
from proofs_checks.comparing.comparison import COLUMNS, Comparison, Standing, Summary
from proofs_checks.comparing.contest import Chunk, Guarantee, Outcome, PolicyFactory, play_chunk
from proofs_checks.comparing.entrants import InfeasibleDecision, is_policy

__all__ = ["Comparison", "InfeasibleDecision", "Standing", "Summary", "compare"]

_CHUNK = 128
"""Instances in one unit of work; what an interrupt may cost."""

Instances = Iterable[OnlineKnapsackInstance] | Callable[[np.random.Generator], OnlineKnapsackInstance]


def compare(
    policies: Mapping[str, PolicyFactory | Any],
    instances: Instances | Mapping[Any, Instances],
    prediction: Callable[[OnlineKnapsackInstance, np.random.Generator], Any] | None = None,
    error: PredictionError | Sequence[PredictionError | None] | Mapping[str, PredictionError | None] | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    *,
    count: int | None = None,
    guarantees: Mapping[str, Guarantee] | None = None,
) -> Comparison:
    """Let policies play the same instances, and tell what each collected.

    Parameters
    ----------
    policies : mapping of str to policy or callable
        By name, ``factory(instance, prediction) -> policy``, or a policy, of which every instance gets a copy. A policy
        is any object with ``offer(unit_value, weight) -> accepted weight``; ``reset(capacity)`` is called first where
        it exists. Policies of `learning_augmented.knapsack` run compiled,
        all others item by item, with every decision checked.
    instances : iterable of OnlineKnapsackInstance, or callable, or mapping
        The instances; or ``draw(rng) -> instance``, called `count` times; or several families of either kind, by label.
    prediction : callable, optional
        ``prediction(instance, rng)`` returns what the policies are told before the error is added: a number, a pair
        (low, high), or anything else that the factories understand. By default the critical value.
    error : PredictionError, sequence or mapping, optional
        Models of error (`learning_augmented.knapsack.errors`), one or several, by name if wanted; None stands for no
        error. Every level sees the same instances and the same noise.
    rng : int, Generator or anything that `numpy.random.default_rng` accepts
        Seed of all streams; `Comparison.seed` holds it.
    workers : int
        Processes; the rows are the same for any number of them.
    progress : callable, optional
        ``progress(done, total)``, in instances.
    count : int, optional
        How many instances are drawn from each callable.
    guarantees : mapping of str to callable, optional
        For policies that are not ours, ``guarantee(instance, prediction) -> ratio``, for the plots.

    Returns
    -------
    Comparison
        Tidy rows. After an interrupt (Ctrl-C, KeyboardInterrupt) those of the instances finished so far, with
        ``complete=False``; nothing is lost but the chunk at work.

    Raises
    ------
    InfeasibleDecision
        If a policy accepts a negative weight, more than was offered or than fits, or NaN: the message names policy,
        instance and item.
    TypeError, ValueError
        If an argument is none of the above, or there is nothing to compare.
    Exception
        Whatever a policy, a factory or a prediction raises, with a note that names policy and instance.
    """
    makers = _require_policies(policies)
    known = _require_guarantees(guarantees, makers)
    levels = _require_levels(error)
    families = _require_families(instances, count)
    require_integer("workers", workers, minimum=1)
    seed = _seed_of(rng)
    total = sum(len(family) for _, family in families)
    labels = [str(label) for label, family in families for _ in range(len(family))]

    chunks = _chunks(families, prediction, tuple(levels.values()), seed)
    columns: list[Table] = []
    papers: set[str] = set()
    complete, done = True, 0
    results = _performed(chunks, makers, known, workers)
    try:
        for chunk, outcome in results:
            columns.append(_rows(chunk, outcome, labels, tuple(makers), levels))
            papers |= outcome.papers
            done += len(chunk.instances)
            if progress is not None:
                progress(done, total)
    except KeyboardInterrupt:
        complete = False
    finally:
        results.close()
    kinds = {name: _kind(model) for name, model in levels.items()}
    table = {name: np.concatenate([part[name] for part in columns]) if columns else np.empty(0) for name in COLUMNS}
    return Comparison(table, tuple(makers), tuple(levels), kinds, total, seed, complete, frozenset(papers))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A family of instances that are drawn one by one."""

    draw: Callable[[np.random.Generator], OnlineKnapsackInstance]
    count: int

    def __len__(self) -> int:
        return self.count


_Family = _Drawn | list[OnlineKnapsackInstance]


def _chunks(
    families: Sequence[tuple[Any, _Family]],
    prediction: Callable[[OnlineKnapsackInstance, np.random.Generator], Any] | None,
    models: Sequence[PredictionError | None],
    seed: int,
) -> Iterator[Chunk]:
    """Draw instances, predictions and noise, each from the stream of its own index."""
    past: list[Any] = []  # of the same family: yesterday belongs to the same market
    waiting: list[tuple[OnlineKnapsackInstance, list[Any]]] = []
    index = 0
    for _, family in families:
        past.clear()
        for place in range(len(family)):
            instance = _instance(family, place, index, seed)
            right = _right_prediction(prediction, instance, index, seed)
            waiting.append((instance, [_told(model, right, instance, past, index, seed) for model in models]))
            past.append(right)
            index += 1
            if len(waiting) == _CHUNK:
                yield _chunk(index, waiting)
                waiting = []
    if waiting:
        yield _chunk(index, waiting)


def _chunk(end: int, drawn: Sequence[tuple[OnlineKnapsackInstance, list[Any]]]) -> Chunk:
    instances, predictions = zip(*drawn, strict=True)
    return Chunk(end - len(drawn), instances, tuple(zip(*predictions, strict=True)))


def _instance(family: _Family, place: int, index: int, seed: int) -> OnlineKnapsackInstance:
    instance = family[place] if isinstance(family, list) else family.draw(stream(seed, "compare.instances", index))
    if not isinstance(instance, OnlineKnapsackInstance):
        raise TypeError(f"instances[{index}] = {instance!r}: must be an OnlineKnapsackInstance")
    return instance


def _right_prediction(
    prediction: Callable[[OnlineKnapsackInstance, np.random.Generator], Any] | None,
    instance: OnlineKnapsackInstance,
    index: int,
    seed: int,
) -> Any:
    if prediction is None:
        return critical_value(instance).value
    try:
        return prediction(instance, stream(seed, "compare.predictions", index))
    except Exception as error:
        error.add_note(f"prediction for instance {index}, {instance!r}")
        raise


def _told(
    model: PredictionError | None,
    right: Any,
    instance: OnlineKnapsackInstance,
    past: Sequence[Any],
    index: int,
    seed: int,
) -> Any:
    if model is None:
        return right
    try:
        return model.perturbed(right, instance=instance, past=past, rng=stream(seed, "compare.errors", index))
    except Exception as error:
        error.add_note(f"error {model!r} of the prediction {right!r} for instance {index}")
        raise


def _performed(
    chunks: Iterator[Chunk], policies: Mapping[str, Any], guarantees: Mapping[str, Guarantee], workers: int
) -> Generator[tuple[Chunk, Outcome], None, None]:
    """Yield chunks with their outcomes, in order; a generator, so that closing it stops the workers."""
    if workers == 1:
        for chunk in chunks:
            yield chunk, play_chunk(chunk, policies, guarantees)
        return
    import joblib

    drawn = list(chunks)  # joblib would draw in a thread of its own, where errors and interrupts get lost
    with joblib.parallel_config(backend="loky", n_jobs=workers):
        pool = joblib.Parallel(return_as="generator", batch_size=1)
        outcomes = pool(joblib.delayed(play_chunk)(chunk, policies, guarantees) for chunk in drawn)
        try:
            yield from zip(drawn, outcomes, strict=True)
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib warns of what is cancelled: that is the purpose
                outcomes.close()  # zip would leave it to the garbage collector


def _rows(
    chunk: Chunk,
    outcome: Outcome,
    labels: Sequence[str],
    policies: tuple[str, ...],
    levels: Mapping[str, PredictionError | None],
) -> dict[str, NDArray[Any]]:
    """Tidy rows in the order instance, level, policy."""
    shape = outcome.values.shape
    count, depth, _ = shape
    critical = np.array([found.value for found in outcome.critical])
    ends = np.array([[_ends(told) for told in level] for level in chunk.predictions]).reshape(depth, count, 2)
    low, high = ends[:, :, 0].T, ends[:, :, 1].T
    optimum = np.broadcast_to(outcome.optimum[:, None, None], shape)
    nothing = optimum == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(nothing, 1.0, optimum / outcome.values)
        fraction = np.where(nothing, 1.0, outcome.values / optimum)
        prediction_error = np.log(low / critical[:, None])
    sizes = np.array([0.0 if model is None else float(model.size) for model in levels.values()])
    numbers = np.arange(chunk.start, chunk.start + count)
    weights = [found.weight / each.capacity for found, each in zip(outcome.critical, chunk.instances, strict=True)]
    entries: dict[str, Any] = {
        "policy": np.array(policies)[None, None, :],
        "family": np.array(labels[chunk.start : chunk.start + count])[:, None, None],
        "instance": numbers[:, None, None],
        "error": np.array(list(levels))[None, :, None],
        "error_size": sizes[None, :, None],
        "prediction": low[:, :, None],
        "prediction_upper": high[:, :, None],
        "prediction_error": prediction_error[:, :, None],
        "optimum": optimum,
        "value": outcome.values,
        "ratio": ratio,
        "fraction": fraction,
        "guaranteed": outcome.guaranteed,
        "upper_over_lower": np.array([each.upper / each.lower for each in chunk.instances])[:, None, None],
        "critical_weight": np.array(weights)[:, None, None],
    }
    return {name: np.broadcast_to(entries[name], shape).ravel() for name in COLUMNS}


def _ends(prediction: Any) -> tuple[float, float]:
    if isinstance(prediction, Real):
        return float(prediction), float(prediction)
    if isinstance(prediction, tuple) and len(prediction) == 2 and all(isinstance(end, Real) for end in prediction):
        return float(prediction[0]), float(prediction[1])
    return math.nan, math.nan


def _kind(model: PredictionError | None) -> str:
    """Levels of one kind share an axis of sizes; what changes nothing belongs to every kind."""
    if model is None or model.size == 0:
        return ""
    return f"{type(model).__name__}, {'random' if getattr(model, 'sigma', 0) else 'fixed'}"


def _seed_of(rng: Any) -> int:
    if isinstance(rng, Integral):
        return require_integer("rng", rng, minimum=0)
    return int(np.random.default_rng(rng).integers(1 << 63))


def _require_policies(policies: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(policies, Mapping) or not policies:
        raise TypeError(f"policies = {policies!r}: must be a mapping from names to policies or factories, not empty")
    for name, maker in policies.items():
        if not isinstance(name, str) or not name:
            raise TypeError(f"policies: the name {name!r} must be a text, not empty")
        if not is_policy(maker) and not callable(maker):
            raise TypeError(f"policies[{name!r}] = {maker!r}: must have `offer`, or be factory(instance, prediction)")
    return dict(policies)


def _require_guarantees(
    guarantees: Mapping[str, Guarantee] | None, policies: Mapping[str, Any]
) -> dict[str, Guarantee]:
    for name, guarantee in (guarantees or {}).items():
        if name not in policies:
            raise ValueError(f"guarantees[{name!r}]: there is no such policy")
        if not callable(guarantee):
            raise TypeError(f"guarantees[{name!r}] = {guarantee!r}: must be guarantee(instance, prediction)")
    return dict(guarantees or {})


def _require_levels(error: Any) -> dict[str, PredictionError | None]:
    if isinstance(error, Mapping):
        levels = dict(error)
    else:
        models = list(error) if isinstance(error, Sequence) else [error]
        levels = {"none" if model is None else repr(model): model for model in models}
        if len(levels) < len(models):
            raise ValueError(f"error = {models}: must differ from each other")
    if not levels:
        raise ValueError("error: must hold at least one level; None stands for no error")
    for name, model in levels.items():
        if model is not None and not (hasattr(model, "perturbed") and hasattr(model, "size")):
            raise TypeError(f"error {name!r} = {model!r}: must have `perturbed` and `size`, as MultiplicativeError has")
    return levels


def _require_families(instances: Any, count: int | None) -> list[tuple[Any, _Family]]:
    families = list(instances.items()) if isinstance(instances, Mapping) else [("", instances)]
    made: list[tuple[Any, _Family]] = []
    for label, family in families:
        where = f"instances[{label!r}]" if label != "" else "instances"
        if callable(family):
            if count is None:
                raise ValueError(f"count: must say how many instances are drawn from {where}")
            made.append((label, _Drawn(family, require_integer("count", count, minimum=1))))
        elif isinstance(family, Iterable):
            made.append((label, list(itertools.islice(family, count))))
        else:
            raise TypeError(f"{where} = {family!r}: must be instances, or draw(rng) -> instance")
    if not any(len(family) for _, family in made):
        raise ValueError("instances: must hold at least one")
    return made
