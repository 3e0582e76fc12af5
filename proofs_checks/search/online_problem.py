r"""A bound on somebody's own algorithm: the problem, the charge, and the two sides of one case.

An algorithm ALG for an online problem with optimum OPT has competitive ratio at most c if, on every instance I,

- minimisation: :math:`\mathrm{ALG}(I) \le c\,\mathrm{OPT}(I)`, measured as ALG / OPT;
- maximisation: :math:`\mathrm{OPT}(I) \le c\,\mathrm{ALG}(I)`, measured as OPT / ALG.

So the ratio is at least 1 either way, and the charge reads ``measured <= bound``. With predictions a case is a pair
(instance, prediction): any prediction makes the bound a *robustness*, the right prediction makes it a *consistency*
(Lykouris & Vassilvitskii, *Competitive caching with machine learned advice*, ICML 2018). Where OPT is zero, the ratio
is 1 if ALG is zero as well, and infinite otherwise; where a maximiser earns nothing but could have, it is infinite.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat

from algos.validation import require_at_least, require_one_of
from proofs_checks.claim import Sides
from proofs_checks.records.naming import literal_of, name_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["RTOL", "Charge", "OnlineProblem"]

RTOL = 1e-9
"""Relative rounding error that a charge forgives, on the bound and on the optimum."""


@dataclass(frozen=True)
class OnlineProblem:
    """What an online algorithm is up against.

    Parameters
    ----------
    instances : SearchStrategy
        Hypothesis strategy of the instances. Hypothesis climbs and shrinks along integers much better than along
        floats: where the problem allows, draw an integer and divide.
    optimum : callable
        ``optimum(instance) -> float``: value, or cost, of the best solution in hindsight; exact, finite, at least 0.
    sense : {"maximise", "minimise"}
        Whether algorithms earn a value or pay a cost.
    play : callable, optional
        ``play(algorithm, instance) -> float``, or ``play(algorithm, instance, prediction)`` where the charge has
        predictions: the value or cost that the algorithm reaches. By default the algorithm is itself such a function
        of the instance (and prediction). It must be deterministic.
    instance_types : tuple of type
        The dataclasses that a replay file of this problem may rebuild; not needed for numbers, strings, lists,
        tuples, dictionaries and arrays.

    Raises
    ------
    ValueError
        If `sense` is neither of the two.

    See Also
    --------
    Charge : A bound on one algorithm for the problem.
    proofs_checks.falsify.falsify : Searches for a case that breaks it.
    """

    instances: SearchStrategy[Any]
    optimum: Callable[[Any], float]
    sense: Literal["maximise", "minimise"]
    play: Callable[..., float] | None = None
    instance_types: tuple[type, ...] = ()

    def __post_init__(self) -> None:
        require_one_of("sense", self.sense, ("maximise", "minimise"))


@dataclass(frozen=True)
class Charge:
    """The statement that stands trial: this algorithm never does worse than this ratio.

    Parameters
    ----------
    problem : OnlineProblem
        The problem.
    algorithm : object
        What ``problem.play`` plays; by default a function of the instance (and prediction).
    ratio : float or callable
        The bound, at least 1: a number, or ``ratio(instance)``, or ``ratio(instance, prediction)`` where there are
        predictions; infinity from a callable says that nothing is promised there.
    predictions : SearchStrategy or callable, optional
        Strategy of the predictions, or ``predictions(instance) -> SearchStrategy`` where they depend on the instance
        (``just`` of the true value for consistency). Without it the algorithm takes no advice.

    Raises
    ------
    TypeError, ValueError
        If `ratio` is neither callable nor a finite number of at least 1.

    Examples
    --------
    >>> from hypothesis import strategies as st
    >>> rent_forever = Charge(
    ...     OnlineProblem(st.integers(1, 50), optimum=lambda days: min(days, 10), sense="minimise"),
    ...     algorithm=lambda days: days, ratio=2)
    >>> rent_forever.sides(30).measured
    3.0
    """

    problem: OnlineProblem
    algorithm: Any
    ratio: float | Callable[..., float]
    predictions: SearchStrategy[Any] | Callable[[Any], SearchStrategy[Any]] | None = None

    def __post_init__(self) -> None:
        if not callable(self.ratio):
            require_at_least("ratio", self.ratio, 1)

    def sides(self, case: Any) -> Sides:
        """Play one case.

        Parameters
        ----------
        case : object
            The instance, or the pair (instance, prediction) where the charge has predictions. Optimum, ratio
            and algorithm each get a copy, so that they may consume what they are given.

        Returns
        -------
        Sides
            Measured is the competitive ratio reached, at least 1 up to rounding; bound is the ratio promised.

        Raises
        ------
        ValueError
            If optimum, value or ratio are NaN or out of range, or the algorithm beats the optimum: the message holds
            the algorithm's name and the case.
        """
        arguments = (case,) if self.predictions is None else tuple(case)
        optimum = self._checked("optimum", self.problem.optimum(copy.deepcopy(arguments[0])), case)
        promised = self.ratio(*copy.deepcopy(arguments)) if callable(self.ratio) else self.ratio
        bound = self._checked("ratio", promised, case)
        played = copy.deepcopy(arguments)
        outcome = self.algorithm(*played) if self.problem.play is None else self.problem.play(self.algorithm, *played)
        reached = self._checked("value" if self.problem.sense == "maximise" else "cost", outcome, case)
        return Sides(measured=self._ratio(optimum, reached, case), bound=bound)

    def _ratio(self, optimum: float, reached: float, case: Any) -> float:
        larger, smaller = (optimum, reached) if self.problem.sense == "maximise" else (reached, optimum)
        if smaller > larger * (1 + RTOL):
            raise ValueError(
                f"{name_of(self.algorithm)} reached {reached:g}, better than the optimum {optimum:g}, on "
                f"{literal_of(case)}: either `optimum` is not the optimum, or the algorithm's solution is not feasible"
            )
        if smaller == 0:
            return 1.0 if larger == 0 else math.inf
        return larger / smaller

    def _checked(self, what: str, value: Any, case: Any) -> float:
        low, infinite = (1.0, True) if what == "ratio" else (0.0, what == "cost")
        number = float(value) if isinstance(value, SupportsFloat) else math.nan
        if number >= low and (infinite or number < math.inf):  # NaN fails the first
            return number
        rule = f"must be a number, {'' if infinite else 'finite and '}at least {low:g}"
        raise ValueError(f"{what} of {name_of(self.algorithm)} = {value!r} on {literal_of(case)}: {rule}")
