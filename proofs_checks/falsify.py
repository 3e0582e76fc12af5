r"""A search for a counterexample, to a claim of the toolkit or to a bound on somebody's own algorithm.

The bound says ``measured <= bound`` on every case. The search climbs towards large measured / bound; what it returns
is either a `Counterexample`, shrunk to a small case that can be replayed, or a `Resolution`, which is no proof: it says
how close the search came, hence how small an error in the bound or the algorithm it would *not* have seen.

Ski rental with predictions (Purohit, Svitkina & Kumar, *Improving online algorithms via ML predictions*, NeurIPS 2018):
renting costs 1 a day, buying costs b, and the number of days is predicted. With trust :math:`\lambda`, buy at the start
of day :math:`\lceil\lambda b\rceil` if the prediction is at least b, and of day :math:`\lceil b/\lambda\rceil`
otherwise; published are robustness :math:`1 + 1/\lambda` and consistency :math:`1 + \lambda`.

>>> from functools import partial
>>> from math import ceil
>>> from hypothesis.strategies import integers, just
>>> cost, trust = 10, 0.5
>>> def rent_or_buy(days, prediction, late=0):
...     buying_day = late + ceil(trust * cost if prediction >= cost else cost / trust)
...     return days if days < buying_day else buying_day - 1 + cost
>>> skiing = OnlineProblem(integers(1, 60), optimum=lambda days: min(days, cost), sense="minimise")
>>> falsify(skiing, rent_or_buy, 1 + 1 / trust, integers(1, 60), seconds=1)  # any prediction: robustness
Resolution(rent_or_buy: reached 2.9 of 3; would have seen the bound lowered by 3.33%)
>>> falsify(skiing, rent_or_buy, 1 + trust, just, seconds=1)                 # the right one: consistency
Resolution(rent_or_buy: reached 1.4 of 1.5; would have seen the bound lowered by 6.67%)
>>> falsify(skiing, partial(rent_or_buy, late=2), 1 + 1 / trust, integers(1, 60))
Counterexample(rent_or_buy(late=2): 3.1 exceeds 3 on (22, 1))
"""

from __future__ import annotations

import itertools
import math
import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from algos.validation import require_positive
from proofs_checks.claim import Claim, EveryInstance
from proofs_checks.records.encoding import decode, encode
from proofs_checks.records.naming import literal_of, name_of
from proofs_checks.records.replay_file import Place, ReplayFile, write_replay
from proofs_checks.registry import TOPICS, how_to_install, missing_packages
from proofs_checks.search.counterexample import Counterexample, Resolution
from proofs_checks.search.online_problem import RTOL, Charge, OnlineProblem
from proofs_checks.search.rounds import Bound, Found, search
from proofs_checks.trial.per_instance import instances_of, untouched

__all__ = ["Charge", "Counterexample", "OnlineProblem", "Resolution", "falsify", "falsify_claim"]

_FEW_DRAWS = 20


def falsify(
    problem: OnlineProblem,
    algorithm: Any,
    ratio: float | Callable[..., float],
    predictions: SearchStrategy[Any] | Callable[[Any], SearchStrategy[Any]] | None = None,
    *,
    seconds: float = 10.0,
    rng: Any = None,
    replay_to: str | os.PathLike[str] | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Counterexample | Resolution:
    """Search for a case on which an algorithm does worse than its published ratio.

    Parameters
    ----------
    problem : OnlineProblem
        Instances, optimum, and how an algorithm is played.
    algorithm : object
        What ``problem.play`` plays; by default a function of the instance (and prediction). It must be deterministic.
    ratio : float or callable
        The bound on the competitive ratio, at least 1: see `Charge`.
    predictions : SearchStrategy or callable, optional
        Strategy of the predictions, or ``predictions(instance) -> SearchStrategy``.
    seconds : float
        How long to search; making a counterexample small may take as long again, and no single call is cut short.
    rng : optional
        Anything that `numpy.random.default_rng` accepts. In one and the same program, the same seed finds the same
        counterexample; how far a search without one gets depends on the machine.
    replay_to : path, optional
        Where to write the counterexample, for ``boundlab replay``.
    progress : callable, optional
        ``progress(done, total)``, in seconds.

    Returns
    -------
    Counterexample or Resolution
        A small case that breaks the bound, or how close the search came.

    Raises
    ------
    ValueError
        If the instances make no case, the algorithm, optimum or ratio returns an impossible number, the algorithm beats
        the optimum, or a violation does not show again (the algorithm is not deterministic).
    TypeError
        If a strategy is none.
    Exception
        Whatever the algorithm raises: that is no counterexample. A note on it holds the case.

    See Also
    --------
    falsify_claim : The same for a claim.
    proofs_checks.replay.replay : Tries the written case again.
    """
    require_positive("seconds", seconds)
    charge = Charge(problem, algorithm, ratio, predictions)
    bound = Bound(name_of(algorithm), charge.sides, RTOL)
    found = search(bound, _cases(charge), seconds=seconds, rng=np.random.default_rng(rng), progress=progress)
    record = ReplayFile(kind="problem", subject=bound.accused, measured=math.nan, bound=math.nan)
    return _outcome(bound, found, record, problem.instance_types, replay_to, "--subject MODULE:CHARGE")


def falsify_claim(
    claim: Claim,
    *,
    subject: Any = None,
    mutant: str | None = None,
    seconds: float = 10.0,
    rng: Any = None,
    replay_to: str | os.PathLike[str] | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Counterexample | Resolution:
    """Search for an instance that breaks a claim.

    The claim's known instances are judged first, a few of its random ones next, and then the search goes on from the
    claim's hypothesis strategy; without one, it goes on over its random instances, which cannot be made small.

    Parameters
    ----------
    claim : Claim
        A claim that is compared instance by instance.
    subject : object, optional
        A subject of one's own, with the claim's call signature.
    mutant : str, optional
        Name of the mutant that stands trial instead.
    seconds, rng, replay_to, progress
        As in `falsify`.

    Returns
    -------
    Counterexample or Resolution
        A small instance that breaks the claim, or how close the search came.

    Raises
    ------
    ValueError
        If the claim is decided on repetitions, there is no such mutant, both `mutant` and `subject` are given, or a
        violation does not show again.
    ModuleNotFoundError
        If the claim needs a package that is missing.
    Exception
        Whatever the subject raises: that is no counterexample. A note on it holds the instance.

    Examples
    --------
    >>> from proofs_checks.claim import Sides
    >>> means = Claim(
    ...     id="means.ordered", kind="always", paper="cauchy", source="Note II", statement="", mutants={"larger": max},
    ...     subject=lambda a, b: (a * b) ** 0.5,
    ...     trial=EveryInstance(
    ...         draw=lambda rng: tuple(rng.uniform(0, 9, size=2)),
    ...         compare=lambda mean, pair: Sides(mean(*pair), sum(pair) / 2),
    ...         strategy=lambda: st.tuples(st.integers(0, 9), st.integers(0, 9))))
    >>> falsify_claim(means, mutant="larger", rng=0)
    Counterexample(means.ordered [larger]: 1 exceeds 0.5 on (0, 1))
    """
    require_positive("seconds", seconds)
    trial = claim.trial
    if not isinstance(trial, EveryInstance):
        raise ValueError(
            f"claim = {claim.id!r}: it is decided on repetitions, there is no single instance to search for"
        )
    if missing := missing_packages(claim):
        raise ModuleNotFoundError(f"{claim.id} needs {', '.join(missing)}: {how_to_install(missing)}")
    on_trial, foreign = claim.accused(mutant, subject), "" if subject is None else name_of(subject)
    shown = f"{claim.id} [{mutant or foreign}]" if mutant or foreign else claim.id
    bound = Bound(shown, lambda instance: trial.compare(on_trial, untouched(instance)), trial.rtol, trial.atol)
    generator = np.random.default_rng(rng)
    seed, known = int(generator.integers(2**31)), list(trial.known("smoke"))
    strategy = None if trial.strategy is None else trial.strategy()
    draws = itertools.islice(_draws(claim, trial, seed), None if strategy is None else _FEW_DRAWS)
    cases = itertools.chain(known, draws)
    found = search(bound, strategy, known=cases, seconds=seconds, rng=generator, progress=progress)
    record = ReplayFile(
        kind="claim", claim=claim.id, mutant=mutant or "", subject=foreign, measured=math.nan, bound=math.nan
    )
    if found.violation is not None and found.violation.known is not None:
        record = replace(record, place=_place(found.violation.known, len(known), trial, seed))
    options = ("--subject MODULE:NAME" if foreign else "", "" if claim.topic in TOPICS else "--claims CLAIM_FILE")
    return _outcome(bound, found, record, trial.instance_types, replay_to, *options)


def _cases(charge: Charge) -> SearchStrategy[Any]:
    instances, predictions = charge.problem.instances, charge.predictions
    if predictions is None:
        return _require_strategy("instances", instances)
    if isinstance(predictions, SearchStrategy):
        return st.tuples(_require_strategy("instances", instances), predictions)
    if not callable(predictions):
        raise TypeError(f"predictions = {predictions!r}: must be a hypothesis strategy, or a function that returns one")

    def with_prediction(instance: Any) -> SearchStrategy[Any]:
        return st.tuples(st.just(instance), _require_strategy("predictions(instance)", predictions(instance)))

    return _require_strategy("instances", instances).flatmap(with_prediction)


def _require_strategy(name: str, value: Any) -> SearchStrategy[Any]:
    if not isinstance(value, SearchStrategy):
        raise TypeError(
            f"{name} = {value!r}: must be a hypothesis strategy, such as hypothesis.strategies.just({value!r})"
        )
    return value


def _draws(claim: Claim, trial: EveryInstance, seed: int) -> Iterator[Any]:
    """The random instances of a trial at full effort: seed, shard and index can stand for each of them."""
    for shard in range(trial.known_shards("full"), trial.shards("full")):
        yield from instances_of(claim, seed, "full", shard)


def _place(position: int, known: int, trial: EveryInstance, seed: int) -> Place:
    if position < known:
        return Place(seed, "smoke", *divmod(position, trial.per_shard))
    shard, index = divmod(position - known, trial.per_shard)
    return Place(seed, "full", trial.known_shards("full") + shard, index)


def _outcome(
    bound: Bound,
    found: Found,
    record: ReplayFile,
    types: tuple[type, ...],
    replay_to: str | os.PathLike[str] | None,
    *options: str,
) -> Counterexample | Resolution:
    if found.violation is None:
        return _resolution(bound, found)
    case, sides = found.violation.case, found.violation.sides
    again = bound.compare(case)
    if not bound.broken(again):
        raise ValueError(
            f"{bound.accused} measured {sides.measured:.6g} and then {again.measured:.6g} on {literal_of(case)}: a "
            f"subject that rolls dice has no single counterexample; fix its seed, or compare its expectation"
        )
    plain, obstacle = _plain(case, types)
    file, command = None, "none yet: replay_to=FILE writes one"
    if obstacle and record.place is None:
        command = f"none: {obstacle}"
    elif replay_to is not None:
        record = replace(record, instance=None if obstacle else plain, measured=sides.measured, bound=sides.bound)
        try:
            file = write_replay(replay_to, record)
        except OSError as error:  # the counterexample is worth more than its file
            file = None
            command = f"none: {str(replay_to)!r} cannot be written to: {error.strerror}"
    if file is not None:
        command = " ".join(["boundlab replay", shlex.quote(str(file)), *filter(None, options)])
    return Counterexample(
        accused=bound.accused,
        measured=float(sides.measured),
        bound=float(sides.bound),
        case=case,
        literal=plain,
        examples=found.examples,
        shrunk=found.shrunk,
        also_raised=found.also_raised,
        replay_file=file,
        replay_command=command,
        seconds=found.seconds,
    )


def _resolution(bound: Bound, found: Found) -> Resolution:
    assert found.worst is not None  # however short the time, one case was judged
    sides = found.worst.sides
    return Resolution(
        accused=bound.accused,
        measured=float(sides.measured),
        bound=float(sides.bound),
        case=found.worst.case,
        examples=found.examples,
        smallest_lowering=max(0.0, 1 - sides.tightness) if sides.tightness else None,
        seconds=found.seconds,
    )


def _plain(case: Any, types: tuple[type, ...]) -> tuple[Any, str]:
    """Return the case as plain data, its repr if it has none, and what stands in the way of reading it back."""
    try:
        plain = encode(case)
    except TypeError as error:
        return repr(case), f"the case cannot be written as plain data ({error})"
    if plain is None:
        return None, "a replay file cannot hold the case None"
    try:
        decode(plain, types)
    except (ValueError, TypeError) as error:
        return plain, f"the case could not be read back; instance_types must name its dataclasses ({error})"
    return plain, ""
