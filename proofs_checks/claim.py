r"""A claim: a theorem, or a headline finding, made runnable.

What stands trial (`subject`), on which instances, measured against which bound, and which broken variants
(`mutants`) must be convicted by the very same trial. Three trials cover every claim of the toolkit:

- `EveryInstance`: the inequality is compared on each instance by itself (theorems that hold always);
- `Repeated`: independent repetitions make the rows of a table, and a decision is taken on the table
  (theorems about probabilities and expectations, experiments);
- `EachCase`: the same on a fixed list of cases, each judged once (real data, grids).

A violation of `measured <= bound` is a violation beyond `atol + rtol * |bound|`.

Examples
--------
>>> square_root = Claim(
...     id="demo.sqrt", kind="always", paper="purohit2018", source="school",
...     statement=r"$\sqrt{x} \le (1+x)/2$", subject=lambda x: x**0.5,
...     trial=EveryInstance(
...         draw=lambda rng: rng.uniform(0, 9),
...         compare=lambda subject, x: Sides(measured=subject(x), bound=(1 + x) / 2)),
...     mutants={"no root": lambda x: x})
>>> square_root
Claim('demo.sqrt', always, 1 mutant)
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from algos.validation import require_integer, require_nonnegative, require_one_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
    from matplotlib.axes import Axes

__all__ = [
    "EFFORTS",
    "LEVEL",
    "Claim",
    "Decision",
    "EachCase",
    "Effort",
    "EveryInstance",
    "Kind",
    "Later",
    "Repeated",
    "Sides",
    "Table",
    "Trial",
    "Verdict",
]

Kind: TypeAlias = Literal["always", "law", "tightness", "probability", "expectation", "separation", "finding"]
Verdict: TypeAlias = Literal["holds", "violated", "inconclusive", "not run", "error"]
Effort: TypeAlias = Literal["smoke", "quick", "full"]
Subject: TypeAlias = Any
Instance: TypeAlias = Any
Table: TypeAlias = Mapping[str, NDArray[Any]]
"""Columns of equal length by name; the rows are instances, repetitions or cases, in order."""

EFFORTS: tuple[Effort, ...] = get_args(Effort)
LEVEL = 1e-6
"""Error probability of one statistical verdict; a thousand of them together err with at most 1e-3."""

_DRAWS: Mapping[Effort, int] = MappingProxyType({"smoke": 20, "quick": 2_000, "full": 100_000})
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")


@dataclass(frozen=True, slots=True)
class Sides:
    """One comparison: the claim says that `measured` is at most `bound`.

    Parameters
    ----------
    measured, bound : float
        The two sides; infinity is legal, NaN counts as a violation.
    at : mapping of str to float
        Where the instance lies, for the plot (say ``{"trust": 0.9}``); becomes columns of the table.

    Raises
    ------
    TypeError
        If a side is not a number.
    """

    measured: float
    bound: float
    at: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in (("measured", self.measured), ("bound", self.bound)):
            object.__setattr__(self, name, _number(name, value))
        for name in self.at:
            if not isinstance(name, str) or name in ("measured", "bound", "violated"):
                raise ValueError(f"at = {dict(self.at)!r}: {name!r} cannot be a column of its own")

    @property
    def tightness(self) -> float:
        """How close the comparison came: measured / bound; 0 where that has no meaning."""
        if not (self.bound > 0 and self.measured > 0):
            return 0.0
        if self.bound == np.inf:
            return 0.0
        return float(self.measured / self.bound)

    def violated(self, rtol: float, atol: float) -> bool:
        """Whether `measured` exceeds `bound` beyond the tolerance.

        Parameters
        ----------
        rtol, atol : float
            Relative (to the bound) and absolute tolerance.

        Returns
        -------
        bool
            True for NaN on either side.
        """
        slack = atol + rtol * abs(self.bound) if np.isfinite(self.bound) else atol
        return not self.measured <= self.bound + slack


@dataclass(frozen=True, slots=True, init=False)
class Later:
    """Something that is imported only when it is used: listing claims imports neither torch nor hypothesis.

    Parameters
    ----------
    path : str
        ``module:name``.
    **options : object
        Arguments that are bound to what is found, where there are any.

    Examples
    --------
    >>> Later("math:isclose", rel_tol=0.1)(10, 10.5)
    True
    """

    path: str
    options: Mapping[str, Any]

    def __init__(self, path: str, **options: Any) -> None:
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "options", options)

    def resolve(self) -> Any:
        """Import it.

        Returns
        -------
        object
            What the path names, with the options bound.
        """
        module, _, name = self.path.partition(":")
        found = getattr(importlib.import_module(module), name)
        return functools.partial(found, **self.options) if self.options else found

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Import it and call it."""
        return self.resolve()(*arguments, **named)


def _nothing_known(effort: Effort) -> Iterable[Instance]:
    return ()


@dataclass(frozen=True, slots=True)
class EveryInstance:
    """The claim holds on every single instance (kinds always, law, tightness).

    Parameters
    ----------
    draw : callable
        ``draw(rng) -> instance``: one random instance.
    compare : callable
        ``compare(subject, instance) -> Sides``. An infeasible decision of the subject is measured as infinity.
    known : callable
        ``known(effort) -> iterable of instances``: hand-made and adversarial ones; they are judged first.
    strategy : callable, optional
        ``strategy() -> SearchStrategy`` of the same instances, for falsify and the property tests; a `Later`, since
        claims do not import hypothesis.
    draws : mapping of effort to int
        How many random instances are drawn.
    per_shard : int
        Instances in one shard, the unit of work, of resume and of atomic write.
    rtol, atol : float
        Tolerance of the comparison.
    reaches : float, optional
        For kind tightness: the best measured / bound must get here.
    instance_types : tuple of type
        The dataclasses that a replay file of this claim may rebuild.
    """

    draw: Callable[[Generator], Instance]
    compare: Callable[[Subject, Instance], Sides]
    _: KW_ONLY
    known: Callable[[Effort], Iterable[Instance]] = _nothing_known
    strategy: Callable[[], SearchStrategy[Instance]] | None = None
    draws: Mapping[Effort, int] = field(default_factory=lambda: _DRAWS)
    per_shard: int = 500
    rtol: float = 1e-9
    atol: float = 0.0
    reaches: float | None = None
    instance_types: tuple[type, ...] = ()

    def __post_init__(self) -> None:
        _require_counts("draws", self.draws, minimum=0)
        require_integer("per_shard", self.per_shard, minimum=1)
        require_nonnegative("rtol", self.rtol)
        require_nonnegative("atol", self.atol)

    def shards(self, effort: Effort) -> int:
        """Number of shards: first those of the known instances, then those of the random ones.

        Parameters
        ----------
        effort : {"smoke", "quick", "full"}
            The effort.

        Returns
        -------
        int
            At least 1.
        """
        return self.known_shards(effort) + -(-self.draws[effort] // self.per_shard)

    def known_shards(self, effort: Effort) -> int:
        """Number of shards of known instances.

        Parameters
        ----------
        effort : {"smoke", "quick", "full"}
            The effort.

        Returns
        -------
        int
            At least 1: shard 0 is always one of known instances, even of none.
        """
        return max(1, -(-sum(1 for _ in self.known(effort)) // self.per_shard))


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on a table, with the interval that it rests on.

    Parameters
    ----------
    verdict : {"holds", "violated", "inconclusive"}
        Lower confidence bound above the bound: violated; upper at or below it: holds; else inconclusive.
    measured, bound : float
        The estimate and what it was held against.
    interval : tuple of float
        Confidence interval of the estimate.
    sentence : str
        What a person needs to know.
    confidence : float
        The level of the interval.
    """

    verdict: Verdict
    measured: float
    bound: float
    interval: tuple[float, float]
    sentence: str
    confidence: float = 1 - LEVEL

    def __post_init__(self) -> None:
        require_one_of("verdict", self.verdict, ("holds", "violated", "inconclusive"))
        for name in ("measured", "bound", "confidence"):
            object.__setattr__(self, name, _number(name, getattr(self, name)))
        low, high = self.interval
        ends = _number("interval[0]", low), _number("interval[1]", high)
        if not ends[0] <= ends[1]:
            raise ValueError(f"interval = {self.interval}: must be two numbers, the lower first")
        object.__setattr__(self, "interval", ends)
        object.__setattr__(self, "sentence", str(self.sentence))


@dataclass(frozen=True, slots=True)
class Repeated:
    """Independent repetitions, then one decision (kinds probability, expectation, separation, finding).

    Parameters
    ----------
    once : callable
        ``once(subject, rng, effort) -> mapping``: one repetition, one row of the table.
    repeats : mapping of effort to int
        How many repetitions.
    decide : callable
        ``decide(table) -> Decision``; see `proofs_checks.decisions`.
    per_shard : int
        Repetitions in one shard.
    """

    once: Callable[[Subject, Generator, Effort], Mapping[str, float]]
    repeats: Mapping[Effort, int]
    decide: Callable[[Table], Decision]
    per_shard: int = 25

    def __post_init__(self) -> None:
        _require_counts("repeats", self.repeats, minimum=1)
        require_integer("per_shard", self.per_shard, minimum=1)

    def shards(self, effort: Effort) -> int:
        """Number of shards.

        Parameters
        ----------
        effort : {"smoke", "quick", "full"}
            The effort.

        Returns
        -------
        int
            At least 1.
        """
        return -(-self.repeats[effort] // self.per_shard)


@dataclass(frozen=True, slots=True)
class EachCase:
    """A fixed list of cases, each judged once, then one decision (findings on real data, grids).

    Parameters
    ----------
    cases : callable
        ``cases(effort) -> sequence``: the cases, the same on every call.
    once : callable
        ``once(subject, case) -> mapping``: one row of the table.
    decide : callable
        ``decide(table) -> Decision``.
    per_shard : int
        Cases in one shard; 1 where a case takes minutes.
    """

    cases: Callable[[Effort], Sequence[Any]]
    once: Callable[[Subject, Any], Mapping[str, float]]
    decide: Callable[[Table], Decision]
    per_shard: int = 500

    def __post_init__(self) -> None:
        require_integer("per_shard", self.per_shard, minimum=1)

    def shards(self, effort: Effort) -> int:
        """Number of shards.

        Parameters
        ----------
        effort : {"smoke", "quick", "full"}
            The effort.

        Returns
        -------
        int
            At least 1.
        """
        return max(1, -(-len(self.cases(effort)) // self.per_shard))


Trial: TypeAlias = EveryInstance | Repeated | EachCase


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Claim:
    """A theorem or finding that runs.

    Parameters
    ----------
    id : str
        Dotted, lower case: ``topic.subject.property``.
    kind : str
        One of always, law, tightness, probability, expectation, separation, finding.
    paper : str
        Key of `proofs_checks.papers.PAPERS`.
    source : str
        Where in the paper, or "derived".
    statement : str
        Markdown with LaTeX between dollar signs, assumptions included.
    subject : object
        What stands trial; the trial knows what to do with it. A `Later` where importing it takes time.
    trial : EveryInstance, Repeated or EachCase
        How it is tried.
    mutants : mapping of str to object
        Broken variants with the subject's call signature; each must be convicted at smoke effort.
    also : tuple of str
        Keys of further papers that the statement rests on, for citation.
    formula : str
        ``module:name`` of the library function that gives the bound. The claim itself re-states the bound and does not
        call it; this is for the reader.
    assumptions : tuple of str
        What the statement needs, one sentence each.
    expect : {"holds", "violated"}
        "violated" where the published statement is false and this claim shows it.
    needs : tuple of str
        Import names of optional packages.
    cost : float
        CPU seconds at quick effort, for the schedule.
    plot : callable, optional
        ``plot(table, ax)`` draws the table.

    Raises
    ------
    ValueError
        If the id is not dotted lower case, the kind is unknown, a finding-like kind has an EveryInstance trial (or
        the other way round), or a tightness claim says nothing about how far it reaches.
    """

    id: str
    kind: Kind
    paper: str
    source: str
    statement: str
    subject: Subject
    trial: Trial
    mutants: Mapping[str, Subject]
    also: tuple[str, ...] = ()
    formula: str = ""
    assumptions: tuple[str, ...] = ()
    expect: Verdict = "holds"
    needs: tuple[str, ...] = ()
    cost: float = 1.0
    plot: Callable[[Table, Axes], None] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise ValueError(f"id = {self.id!r}: must be dotted lower case, such as 'knapsack.zcl.ratio'")
        require_one_of("kind", self.kind, get_args(Kind))
        require_one_of("expect", self.expect, ("holds", "violated"))
        require_nonnegative("cost", self.cost)
        for name in ("needs", "also", "assumptions"):
            value = getattr(self, name)
            if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
                raise TypeError(f"{self.id}: {name} = {value!r}: must be a tuple of str")
        if not all(name.isidentifier() for name in self.needs):
            raise ValueError(f"{self.id}: needs = {self.needs!r}: must be import names without dots")
        if not isinstance(self.statement, str):
            raise TypeError(f"{self.id}: statement = {self.statement!r}: must be a str")
        if not isinstance(self.mutants, Mapping) or not all(isinstance(name, str) for name in self.mutants):
            raise TypeError(f"{self.id}: mutants = {self.mutants!r}: must map names to subjects")
        per_instance = isinstance(self.trial, EveryInstance)
        if per_instance != (self.kind in ("always", "law", "tightness")):
            raise ValueError(f"{self.id}: kind {self.kind!r} does not go with {type(self.trial).__name__}")
        if isinstance(self.trial, EveryInstance) and (self.kind == "tightness") != (self.trial.reaches is not None):
            raise ValueError(f"{self.id}: `reaches` belongs to kind 'tightness', and only to it")
        plain = [_plain(name) for name in self.mutants]
        if len(set(plain)) < len(plain) or not all(plain):
            raise ValueError(f"{self.id}: mutants {list(self.mutants)}: names must differ in letters and digits")

    @property
    def convicting(self) -> Verdict:
        """The verdict that convicts a mutant: of a false statement the true variant, which holds, is one."""
        return "violated" if self.expect == "holds" else "holds"

    @property
    def topic(self) -> str:
        """The first part of the id."""
        return self.id.partition(".")[0]

    def accused(self, mutant: str | None = None, subject: Subject = None) -> Subject:
        """Return who stands trial.

        Parameters
        ----------
        mutant : str or None
            Name of one of the mutants; None and the empty text mean none.
        subject : object or None
            A subject of one's own.

        Returns
        -------
        object
            The foreign subject if there is one, else the mutant, else the claim's own subject; imported if it was left
            for `Later`.

        Raises
        ------
        ValueError
            If there is no such mutant, or both are given.
        """
        if mutant and subject is not None:
            raise ValueError("mutant, subject: give one of them")
        if mutant and mutant not in self.mutants:
            raise ValueError(f"mutant = {mutant!r}: {self.id} has {', '.join(map(repr, self.mutants)) or 'none'}")
        found = subject if subject is not None else self.mutants[mutant] if mutant else self.subject
        return found.resolve() if isinstance(found, Later) else found

    def __repr__(self) -> str:
        """Id, kind and number of mutants."""
        plural = "" if len(self.mutants) == 1 else "s"
        return f"Claim({self.id!r}, {self.kind}, {len(self.mutants)} mutant{plural})"


def _number(name: str, value: Any) -> float:
    if not isinstance(value, (Real, np.bool_)):
        raise TypeError(f"{name} = {value!r}: must be a number, got {type(value).__name__}")
    return float(value)


def _plain(name: str) -> str:
    """A mutant's name as its files know it, on file systems without case."""
    return "".join(char for char in name.casefold() if char.isalnum())


def _require_counts(name: str, counts: Mapping[Effort, int], minimum: int) -> None:
    for effort in EFFORTS:
        if effort not in counts:
            raise ValueError(f"{name} = {dict(counts)}: must name every effort, {effort!r} is missing")
        require_integer(f"{name}[{effort!r}]", counts[effort], minimum=minimum)
