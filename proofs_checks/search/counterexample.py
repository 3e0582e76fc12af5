"""What a search returns: a counterexample that can be replayed, or the resolution of a search that found none."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofs_checks.records.naming import literal_of
from proofs_checks.search.online_problem import RTOL

__all__ = ["Counterexample", "Resolution"]

_REPR_LIMIT = 200


@dataclass(frozen=True, repr=False)
class Counterexample:
    """A case that breaks the bound.

    Two are equal when their cases, both sides and the number of examples are; the time taken and the file do not count.

    Parameters
    ----------
    accused : str
        Whose bound it breaks.
    measured, bound : float
        The two sides.
    case : object
        The case itself: an instance, or a pair (instance, prediction).
    literal : object
        The case as plain data (see `proofs_checks.records.encoding`), or its repr where it has no such form.
    examples : int
        How many cases were judged, shrinking included.
    shrunk : bool
        Whether the search shrunk the case to the end; if not, it is one of the claim's own instances, or the smallest
        case that was met when the time was over.
    also_raised : str
        An exception that the algorithm raised on another case while this one was shrunk; empty if there was none.
    replay_file : Path or None
        Where it was written to.
    replay_command : str
        The command that tries the file again, or why there is none.
    seconds : float
        How long the search took.
    """

    accused: str
    measured: float
    bound: float
    case: Any = field(compare=False)
    literal: Any
    examples: int
    shrunk: bool
    also_raised: str = ""
    replay_file: Path | None = field(default=None, compare=False)
    replay_command: str = field(default="", compare=False)
    seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        """Whose bound, both sides and the case."""
        case = literal_of(self.case, _REPR_LIMIT)
        return f"Counterexample({self.accused}: {self.measured:.6g} exceeds {self.bound:.6g} on {case})"

    def explain(self) -> str:
        """Return all of it for a person.

        Returns
        -------
        str
            Several lines: the case in full, both sides, and the command that replays it.
        """
        lines = [f"Counterexample to the bound of {self.accused}, after {self.examples:,} cases:"]
        lines += [
            f"  case      {literal_of(self.case)}",
            f"  measured  {self.measured!r}",
            f"  bound     {self.bound!r}",
        ]
        lines += [f"  replay    {self.replay_command}"]
        if not self.shrunk:
            lines += ["Not shrunk to the end: there may be a smaller case."]
        if self.also_raised:
            lines += [f"While shrinking, the algorithm also raised {self.also_raised}."]
        return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class Resolution:
    """No counterexample, and how much that means.

    Parameters
    ----------
    accused : str
        Whose bound was held.
    measured, bound : float
        The two sides of the case that came closest.
    case : object
        That case.
    examples : int
        How many cases were judged.
    smallest_lowering : float or None
        The smallest relative lowering of the bound that this search would have broken: 1 - max(measured / bound),
        0 where the bound is reached. None where no case has a positive measured side and a finite, positive bound.
    seconds : float
        How long the search took; not part of equality.
    """

    accused: str
    measured: float
    bound: float
    case: Any = field(compare=False)
    examples: int
    smallest_lowering: float | None
    seconds: float = field(default=0.0, compare=False)

    @property
    def sentence(self) -> str:
        """What a person needs to know."""
        told = f"No violation of the bound of {self.accused} in {self.examples:,} cases"
        if self.smallest_lowering is None:
            reached = f"the closest reaches {self.measured:.6g} of {self.bound:.6g}"
            return f"{told}; {reached}, where a relative lowering of the bound has no meaning."
        if self.smallest_lowering <= RTOL:
            return (
                f"{told}; one reaches it exactly ({self.measured:.6g}), so no smaller bound holds. A variant that only "
                f"just reaches the bound looks the same: it is below the resolution of this search."
            )
        return (
            f"{told}; the closest reaches {self.measured:.6g} of {self.bound:.6g}. A bound lower by more than "
            f"{100 * self.smallest_lowering:.3g}% would have been broken, a smaller error would not have been seen."
        )

    def __repr__(self) -> str:
        """Whose bound, how close the search came, and its resolution."""
        reached = f"reached {self.measured:.6g} of {self.bound:.6g}"
        if self.smallest_lowering is None:
            return f"Resolution({self.accused}: {reached})"
        if self.smallest_lowering <= RTOL:
            return f"Resolution({self.accused}: {reached}, exactly; a variant that only just reaches it looks the same)"
        lowering = f"would have seen the bound lowered by {100 * self.smallest_lowering:.3g}%"
        return f"Resolution({self.accused}: {reached}; {lowering})"

    def explain(self) -> str:
        """Return the sentence and the case that came closest.

        Returns
        -------
        str
            Two lines.
        """
        return f"{self.sentence}\n  closest   {literal_of(self.case)}"
