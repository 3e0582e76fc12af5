"""A backtest as words for the terminal and as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from proofs_checks.command.knapsack.backtest import Backtest
from proofs_checks.command.knapsack.item_table import ItemTable
from proofs_checks.records.storage import write_atomically

__all__ = ["backtest_lines", "write_backtest"]


def backtest_lines(table: ItemTable, result: Backtest) -> list[str]:
    """Return what a person wants to read.

    Parameters
    ----------
    table : ItemTable
        What was read.
    result : Backtest
        What came of it.

    Returns
    -------
    list of str
        What was left out, one line a policy, one sentence a forecast.
    """
    source = ", read off the items in hindsight: give --lower and --upper" if result.range_in_hindsight else ""
    lines = [
        f"{len(table.rows)} items in {len(table)} windows; unit values in [{result.lower:g}, {result.upper:g}]{source}"
    ]
    if table.skipped_rows:
        lines += [f"{table.skipped_rows} rows were skipped:", *(f"  {why}" for why in table.skipped)]
        untold = table.skipped_rows - len(table.skipped)
        lines += [f"  and {untold} more"] if untold else []
    if table.empty_windows:
        names = ", ".join(table.empty_windows[:5]) + (", ..." if len(table.empty_windows) > 5 else "")
        lines += [f"{len(table.empty_windows)} windows have no usable row and are left out: {names}"]
    rows = [("policy", "lost to hindsight", "worst ratio", "in window", "guaranteed", "if right")]
    rows += [
        (
            policy.name,
            f"{policy.lost:.2%}",
            f"{policy.worst_ratio:.4g}",
            policy.worst_window,
            f"{policy.always:.4g}",
            f"{policy.if_right:.4g}",
        )
        for policy in result.policies
    ]
    return [*lines, "", *_aligned(rows), "", *(curve.sentence for curve in result.curves)]


def write_backtest(folder: Path, result: Backtest) -> list[Path]:
    """Write three CSV files: policies, windows, and what trust is worth at each scale of the error.

    Parameters
    ----------
    folder : Path
        Where to.
    result : Backtest
        What to write.

    Returns
    -------
    list of Path
        The files.
    """
    policies = [
        (policy.name, policy.lost, policy.worst_ratio, policy.worst_window, policy.always, policy.if_right)
        for policy in result.policies
    ]
    windows = zip(
        result.windows,
        result.items.tolist(),
        result.hindsight.tolist(),
        result.critical_values.tolist(),
        *(policy.values.tolist() for policy in result.policies),
        strict=True,
    )
    trust = [
        (curve.forecast, scale, curve.error**scale, value, curve.untrusting, curve.stops_at)
        for curve in result.curves
        for scale, value in zip(curve.scales.tolist(), curve.values.tolist(), strict=True)
    ]
    names = [policy.name for policy in result.policies]
    return [
        _write(
            folder / "policies.csv",
            ["policy", "lost_to_hindsight", "worst_ratio", "worst_window", "guaranteed_ratio", "ratio_if_right"],
            policies,
        ),
        _write(folder / "windows.csv", ["window", "items", "hindsight", "critical_value", *names], windows),
        _write(
            folder / "trust.csv",
            ["forecast", "error_scale", "error_factor", "trusting_value", "zcl_value", "stops_paying_at_scale"],
            trust,
        ),
    ]


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write_atomically(path, text.getvalue().encode())
    return path


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns side by side: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(pairs))
        for pairs in (tuple(zip(row, widths, strict=True)) for row in rows)
    ]
