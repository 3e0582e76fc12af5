"""What a comparison of policies found: tidy rows, and what people make of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algos.statistics import Interval, empirical_bernstein_interval
from algos.validation import require_one_of
from proofs_checks.claim import Table
from proofs_checks.papers import PAPERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLUMNS", "Comparison", "Standing", "Summary"]

COLUMNS: Mapping[str, str] = {
    "policy": "name of the policy",
    "family": "label of the family of instances; empty if there is only one",
    "instance": "number of the instance, from 0",
    "error": "name of the level of error",
    "error_size": "the level's place on the axis of a plot",
    "prediction": "what the policies were told: a number, or the lower end of an interval; NaN for anything else",
    "prediction_upper": "the same number, or the upper end of the interval",
    "prediction_error": "ln(prediction / critical value)",
    "optimum": "fractional offline optimum",
    "value": "what the policy collected",
    "ratio": "optimum / value; infinity if nothing was collected, 1 if there was nothing to collect",
    "fraction": "value / optimum; 1 if there was nothing to collect",
    "guaranteed": "the ratio that theory grants; infinity for nothing, NaN for unknown",
    "upper_over_lower": "U/L, the known range of unit values",
    "critical_weight": "weight offered at the critical value, in capacities",
}
"""Columns of the rows of a comparison."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one policy did at one level of error.

    Parameters
    ----------
    policy, error : str
        Who, and at which level.
    instances : int
        How many.
    mean_fraction : float
        Mean fraction of the optimum collected.
    against_baseline : Interval or None
        Of the mean difference to the baseline's fraction on the same instances (empirical Bernstein, valid at any
        number of instances that are independent draws); None for the baseline itself, and below two instances.
    median_ratio, worst_ratio : float
        Of OPT / ALG.
    worst_instance : int
        Number of the first instance with the worst ratio.
    """

    policy: str
    error: str
    instances: int
    mean_fraction: float
    against_baseline: Interval | None
    median_ratio: float
    worst_ratio: float
    worst_instance: int


_TITLES = ("policy", "error", "instances", "mean fraction", "minus baseline", "median ratio", "worst ratio", "at")


@dataclass(frozen=True, slots=True, repr=False)
class Summary:
    """All standings, level by level; printed as a table.

    Parameters
    ----------
    baseline : str
        The policy that the others are held against.
    confidence : float
        Of each interval by itself.
    standings : tuple of Standing
        The rows.
    """

    baseline: str
    confidence: float
    standings: tuple[Standing, ...]

    def __repr__(self) -> str:
        """A table in plain text."""
        body = [_TITLES, *(_cells(standing, "–") for standing in self.standings)]
        widths = [max(len(row[column]) for row in body) for column in range(len(_TITLES))]
        lines = []
        for row in body:
            left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
            right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
            lines.append("  ".join([*left, *right]).rstrip())
        lines.append(f"baseline: {self.baseline}; intervals of {self.confidence:.4g} confidence, each by itself")
        return "\n".join(lines)

    def to_latex(self) -> str:
        """Return a table for LaTeX; it needs the package booktabs.

        Returns
        -------
        str
            A tabular environment.
        """
        lines = [r"\begin{tabular}{llrrrrrr}", r"\toprule", " & ".join(_TITLES) + r" \\", r"\midrule"]
        for standing in self.standings:
            policy, error, *numbers = _cells(standing, "--")
            numbers = [
                cell.replace("inf", r"$\infty$").replace("-", "$-$") if cell != "--" else cell for cell in numbers
            ]
            lines.append(" & ".join([_escaped(policy), _escaped(error), *numbers]) + r" \\")
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Every policy on the same instances under the same predictions.

    Parameters
    ----------
    table : mapping of str to ndarray, shape (rows,)
        Tidy rows, one for each instance, level of error and policy, in this order; see `COLUMNS`.
    policies, errors : tuple of str
        Names, in the order that was asked for.
    error_kinds : mapping of str to str
        Which model of error a level is of; levels of one kind have a common axis of sizes. Empty for no error.
    asked, seed : int
        Instances that were asked for, and the seed of all streams: as `rng` it repeats the comparison.
    complete : bool
        False if it was interrupted; the rows are then those of the instances finished before.
    papers : frozenset of str
        Keys of the papers that the policies are from.

    See Also
    --------
    proofs_checks.compare.compare : Makes one.
    """

    table: Table
    policies: tuple[str, ...]
    errors: tuple[str, ...]
    error_kinds: Mapping[str, str]
    asked: int
    seed: int
    complete: bool = True
    papers: frozenset[str] = field(default_factory=frozenset)

    @property
    def finished(self) -> int:
        """Number of instances with rows."""
        return len(np.unique(self.table["instance"]))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.table["ratio"])

    def __repr__(self) -> str:
        """Policies, instances and levels."""
        levels = f", {len(self.errors)} levels of error" if len(self.errors) > 1 else ""
        left = "" if self.complete else f", interrupted: {self.asked} were asked for"
        return f"Comparison({', '.join(self.policies)}: {self.finished} instances{levels}{left})"

    def only(self, **columns: Any) -> Comparison:
        """Return the rows with the given entries.

        Parameters
        ----------
        **columns
            For a column, the entry, or a list of entries, to keep.

        Returns
        -------
        Comparison
            With the policies and levels that are left.

        Raises
        ------
        ValueError
            If there is no such column, or no row with such an entry.
        """
        keep = np.ones(len(self), dtype=bool)
        for name, wanted in columns.items():
            require_one_of("column", name, tuple(self.table))
            entries = np.atleast_1d(wanted)
            for entry in entries.tolist():
                if entry not in self.table[name]:
                    raise ValueError(f"{name} = {entry!r}: no row has it")
            keep &= np.isin(self.table[name], entries)
        table = {name: column[keep] for name, column in self.table.items()}
        return replace(
            self,
            table=table,
            policies=tuple(name for name in self.policies if name in table["policy"]),
            errors=tuple(name for name in self.errors if name in table["error"]),
        )

    def values(self, column: str, policy: str, error: str | None = None) -> NDArray[Any]:
        """Return a column of one policy, in the order of the instances.

        Parameters
        ----------
        column : str
            One of `COLUMNS`.
        policy : str
            Its name.
        error : str, optional
            Level of error; may be left out where there is only one.

        Returns
        -------
        ndarray, shape (instances,)
            The entries.

        Raises
        ------
        ValueError
            If there is no such column, policy or level, or the level is left out and there are several.
        """
        require_one_of("column", column, tuple(self.table))
        require_one_of("policy", policy, self.policies)
        if error is None and len(self.errors) > 1:
            raise ValueError(f"error: name one of {', '.join(self.errors)}")
        level = require_one_of("error", self.errors[0] if error is None else error, self.errors)
        rows = (self.table["policy"] == policy) & (self.table["error"] == level)
        return np.asarray(self.table[column][rows])

    def summary(self, baseline: str | None = None, confidence: float = 0.95) -> Summary:
        """Sum up each policy at each level: mean fraction, paired interval, median and worst ratio.

        Parameters
        ----------
        baseline : str, optional
            The policy that the others are held against; by default the first.
        confidence : float
            Of each paired interval by itself: with many policies, ask for more.

        Returns
        -------
        Summary
            Fractions of the optimum are averaged, not ratios: a single instance on which nothing is collected makes
            every mean ratio infinite.

        Raises
        ------
        ValueError
            If there is no such policy, or there are no rows.
        """
        name = require_one_of("baseline", self.policies[0] if baseline is None else baseline, self.policies)
        if not len(self):
            raise ValueError("the comparison was interrupted before the first instance was finished: it has no rows")
        standings = []
        for error in self.errors:
            base = self.values("fraction", name, error)
            for policy in self.policies:
                fraction, ratio = self.values("fraction", policy, error), self.values("ratio", policy, error)
                paired = policy != name and len(base) > 1
                worst = int(np.argmax(ratio))
                standings.append(
                    Standing(
                        policy=policy,
                        error=error,
                        instances=len(ratio),
                        mean_fraction=float(np.mean(fraction)),
                        against_baseline=_difference(fraction - base, confidence) if paired else None,
                        median_ratio=float(np.median(ratio)),
                        worst_ratio=float(ratio[worst]),
                        worst_instance=int(self.values("instance", policy, error)[worst]),
                    )
                )
        return Summary(name, confidence, tuple(standings))

    def to_pandas(self) -> Any:
        """Return the rows as a data frame.

        Returns
        -------
        pandas.DataFrame
            With the columns of `COLUMNS`.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        try:
            import pandas
        except ModuleNotFoundError:
            raise ModuleNotFoundError("to_pandas needs pandas: pip install pandas; `table` holds the rows") from None
        return pandas.DataFrame(dict(self.table))

    def to_latex(self, baseline: str | None = None, confidence: float = 0.95) -> str:
        """Return the summary as a table for LaTeX; it needs the package booktabs.

        Parameters
        ----------
        baseline, confidence
            As in `summary`.

        Returns
        -------
        str
            A tabular environment.
        """
        return self.summary(baseline, confidence).to_latex()

    def cite(self) -> str:
        """Return the papers that the policies are from.

        Returns
        -------
        str
            BibTeX entries; empty where no policy is from a paper that is known here.
        """
        return "\n\n".join(PAPERS[key].bibtex() for key in sorted(self.papers))

    def plot(
        self,
        x: str = "ratio",
        y: str = "ratio",
        stat: str | float = "median",
        ax: Axes | None = None,
        bounds: bool = True,
    ) -> Axes:
        """Draw the distribution of a column, or a statistic of it against another column.

        Parameters
        ----------
        x : str
            "ratio" or "fraction" draws its distribution, at a single level of error. Anything else is the column to
            draw against: "error" (the levels), "prediction_error", "upper_over_lower", "critical_weight", "family"; a
            column with many distinct numbers is cut into groups of equally many rows.
        y : {"ratio", "fraction"}
            What is drawn against x.
        stat : {"median", "mean", "max", "min"} or float
            Statistic of y over the rows at each x; a number in (0, 1) is a quantile.
        ax : Axes, optional
            Where to draw; by default a figure of its own, in the look of the laboratory.
        bounds : bool
            Whether what is guaranteed is drawn as well, dashed in the policy's colour, where it is known and finite.

        Returns
        -------
        Axes
            Its `figure` shows it in a notebook.

        Raises
        ------
        ValueError
            If there is no such column or statistic, there are no rows, or a distribution is asked of several levels.
        """
        from proofs_checks.plots.comparison import draw

        return draw(self, x, y, stat, ax, bounds)


def _difference(differences: NDArray[np.float64], confidence: float) -> Interval:
    return empirical_bernstein_interval(np.clip(differences, -1.0, 1.0), -1.0, 1.0, confidence)  # rounding only


def _cells(standing: Standing, nothing: str) -> tuple[str, ...]:
    paired = standing.against_baseline
    return (
        standing.policy,
        standing.error,
        str(standing.instances),
        f"{standing.mean_fraction:.4f}",
        nothing if paired is None else f"[{paired.low:+.4f}, {paired.high:+.4f}]",
        _number(standing.median_ratio),
        _number(standing.worst_ratio),
        str(standing.worst_instance),
    )


def _number(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else str(value)


def _escaped(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(letter, f"\\{letter}" if letter in "&%$#_{}" else letter) for letter in text)
