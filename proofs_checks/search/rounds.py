"""The search beneath `proofs_checks.falsify`: hypothesis, steered towards the bound, in rounds until the time is over.

A round is one run of hypothesis: random cases for its first half, then climbing from the best of them (its targeting of
measured / bound), and shrinking as soon as a case breaks the bound. Rounds double in size and each has a seed of its
own, so a search neither stays on one hill nor forgets to climb. Two promises beyond hypothesis itself:

- a counterexample that was found is never lost, whatever ends the search: the time limit, an interrupt, or an exception
  of the algorithm on a smaller case;
- nothing is left behind: no ``.hypothesis`` folder, no example database, no output.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, configuration
from hypothesis.errors import Unsatisfiable, UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy
from numpy.random import Generator

from proofs_checks.claim import Sides
from proofs_checks.records.encoding import encode
from proofs_checks.records.naming import literal_of

__all__ = ["Bound", "Found", "Judged", "search"]

_FIRST_ROUND, _LAST_ROUND = 100, 3_200
_ROUNDS_AFTER_A_KNOWN_VIOLATION = 3  # to find a smaller one
_SECONDS_BETWEEN_TELLING = 0.1


@dataclass(frozen=True, slots=True)
class Bound:
    """What the search tries to break.

    Parameters
    ----------
    accused : str
        Whose bound it is, for messages.
    compare : callable
        ``compare(case) -> Sides``, deterministic.
    rtol, atol : float
        Tolerance of the comparison.
    """

    accused: str
    compare: Callable[[Any], Sides]
    rtol: float
    atol: float = 0.0

    def broken(self, sides: Sides) -> bool:
        """Whether measured exceeds bound beyond the tolerance.

        Parameters
        ----------
        sides : Sides
            What `compare` returned.

        Returns
        -------
        bool
            True for NaN on either side.
        """
        return sides.violated(self.rtol, self.atol)


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and its two sides.

    Parameters
    ----------
    case : object
        The case.
    sides : Sides
        Its sides.
    known : int or None
        Its position among the known cases; None if hypothesis made it.
    """

    case: Any
    sides: Sides
    known: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Parameters
    ----------
    violation : Judged or None
        The smallest violating case.
    shrunk : bool
        Whether hypothesis made that case and came to the end of shrinking it.
    worst : Judged or None
        The case that came closest to its bound without breaking it.
    examples : int
        How many cases were judged, repeats and shrinking included.
    seconds : float
        How long it took.
    also_raised : str
        An exception of `compare` on a case met while shrinking, and the case; empty if there was none.
    """

    violation: Judged | None
    shrunk: bool
    worst: Judged | None
    examples: int
    seconds: float
    also_raised: str = ""


def search(
    bound: Bound,
    strategy: SearchStrategy[Any] | None,
    *,
    seconds: float,
    rng: Generator,
    known: Iterable[Any] = (),
    progress: Callable[[float, float], None] | None = None,
) -> Found:
    """Look for a case whose measured side exceeds its bound.

    Parameters
    ----------
    bound : Bound
        What to break.
    strategy : SearchStrategy or None
        Makes the cases; without one, the known cases are all there is.
    seconds : float
        How long to search. Once a violation is found, making it small may take as long again.
    rng : Generator
        Seeds the rounds.
    known : iterable
        Cases that are judged first, in this order.
    progress : callable, optional
        ``progress(done, total)``, in seconds.

    Returns
    -------
    Found
        The smallest violation, or the closest case.

    Raises
    ------
    ValueError
        If there is no case at all.
    Exception
        Whatever ``bound.compare`` raises before a violation is found, with a note that holds the case.
    """
    run = _Run(bound, seconds, progress)
    size, rounds = _FIRST_ROUND, 0
    try:
        run.judge_known(known)
        with _nothing_written():
            while strategy is not None and run.goes_on(rounds):
                run.round(strategy, size, seed=int(rng.integers(2**63)))
                size, rounds = min(2 * size, _LAST_ROUND), rounds + 1
    except KeyboardInterrupt as stop:
        if run.violation is None and not isinstance(stop, _Halt):
            raise
    except Exception:  # hypothesis calls a subject that rolls dice flaky; a violation is kept all the same
        if run.violation is None:
            raise
    if run.crash is not None:
        raise run.crash
    if run.examples == 0:
        raise ValueError(f"{bound.accused}: there is no case to judge")
    return run.found()


class _Violated(Exception):
    """How the test function tells hypothesis of a violation."""


class _Halt(KeyboardInterrupt):
    """Leaves hypothesis at once, which takes a keyboard interrupt for the end of a run and not for a failing case."""


class _Run:
    """The state of one search."""

    def __init__(self, bound: Bound, seconds: float, progress: Callable[[float, float], None] | None) -> None:
        self.bound, self.seconds, self.progress = bound, seconds, progress
        self.started = self.told = monotonic()
        self.limit = self.started + seconds
        self.examples = 0
        self.worst: Judged | None = None
        self.violation: Judged | None = None  # the smallest
        self.latest: Judged | None = None  # the latest violation: hypothesis runs its minimum last
        self.finished = False
        self.crash: Exception | None = None
        self.also_raised = ""

    def goes_on(self, rounds: int) -> bool:
        enough = self.violation is not None and rounds >= _ROUNDS_AFTER_A_KNOWN_VIOLATION
        return not (self.finished or enough or self._late())

    def judge_known(self, known: Iterable[Any]) -> None:
        for position, case in enumerate(known):
            self.judge(case, position)
            if self.violation is not None or self._late():
                return

    def round(self, strategy: SearchStrategy[Any], size: int, seed: int) -> None:
        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=size,
            phases=(Phase.generate, Phase.target, Phase.shrink),
            database=None,
            deadline=None,
            derandomize=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            print_blob=False,
        )
        @hypothesis.given(strategy)
        def attempt(case: Any) -> None:
            if self._late():
                raise _Halt
            sides = self.judge(case)
            if sides is None:
                return
            if self.bound.broken(sides):
                raise _Violated
            _steer(sides)

        before = self.violation
        try:
            attempt()
        except _Violated:
            self._settle_on_minimum(before)
        except Unsatisfiable as error:
            if self.examples == 0:
                raise ValueError(f"instances = {strategy!r}: no case passes the filters") from error

    def judge(self, case: Any, known: int | None = None) -> Sides | None:
        self._tell_time()
        try:
            sides = self.bound.compare(case)
        except UnsatisfiedAssumption:
            raise
        except (Exception, SystemExit) as raised:
            error = RuntimeError(f"it called exit({raised.code!r})") if isinstance(raised, SystemExit) else raised
            if self.violation is None:
                error.add_note(f"raised on the case {literal_of(case)}")
                self.crash = error
                raise _Halt from error
            self.also_raised = self.also_raised or f"{type(error).__name__}: {error}, on the case {literal_of(case)}"
            return None
        self.examples += 1
        judged = Judged(case, sides, known)
        if self.bound.broken(sides):
            self._keep(judged)
        elif self.worst is None or _closeness(sides) > _closeness(self.worst.sides):
            self.worst = judged
        return sides

    def found(self) -> Found:
        if self.progress is not None:
            self.progress(self.seconds, self.seconds)
        shrunk = self.finished and self.violation is not None and self.violation.known is None
        took = monotonic() - self.started
        return Found(self.violation, shrunk, self.worst, self.examples, took, self.also_raised)

    def _late(self) -> bool:
        return self.examples > 0 and monotonic() > self.limit  # however short the time, one case is judged

    def _keep(self, judged: Judged) -> None:
        if self.violation is None:
            self.limit = monotonic() + self.seconds
        if self.violation is None or _size(judged.case) <= _size(self.violation.case):
            self.violation = judged
        self.latest = judged

    def _settle_on_minimum(self, before: Judged | None) -> None:
        assert self.latest is not None  # hypothesis lets the exception out of its last run only, on the minimum
        if before is None or _size(self.latest.case) <= _size(before.case):
            self.violation = self.latest
        self.finished = True

    def _tell_time(self) -> None:
        now = monotonic()
        if self.progress is not None and now - self.told >= _SECONDS_BETWEEN_TELLING:
            self.told = now
            self.progress(min(now - self.started, self.seconds), self.seconds)


def _steer(sides: Sides) -> None:
    score = sides.tightness or sides.measured - sides.bound
    if math.isfinite(score):
        hypothesis.target(score, label="measured / bound" if sides.tightness else "measured - bound")


def _closeness(sides: Sides) -> tuple[float, float]:
    gap = sides.measured - sides.bound
    return sides.tightness, gap if math.isfinite(gap) else -math.inf


def _size(case: Any) -> tuple[int, int]:
    """Fewer numbers first, then fewer digits."""
    try:
        plain = encode(case)
    except TypeError:
        return 0, len(repr(case))
    return _leaves(plain), len(json.dumps(plain))


def _leaves(plain: Any) -> int:
    if isinstance(plain, dict):
        plain = list(plain.values())
    return sum(map(_leaves, plain)) if isinstance(plain, list) else 1


@contextmanager
def _nothing_written() -> Iterator[None]:
    """Send what hypothesis caches on disk, the constants of local modules say, to a folder that goes away."""
    home: Any = configuration.storage_directory(intent_to_write=False)
    with tempfile.TemporaryDirectory(prefix="boundlab-") as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(getattr(home, "path", home))  # a bare path in older versions
