"""Tables: columns of equal length by name, made from rows and from other tables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.claim import Table

__all__ = ["as_table", "joined", "length"]


def as_table(rows: Sequence[Mapping[str, float]]) -> dict[str, NDArray[Any]]:
    """Return rows as columns; what a row lacks is NaN.

    Parameters
    ----------
    rows : sequence of mapping
        Numbers by column name.

    Returns
    -------
    dict of str to ndarray of float64
        In order of first appearance.

    Examples
    --------
    >>> as_table([{"a": 1.0}, {"a": 2.0, "b": 3.0}])["b"]
    array([nan,  3.])
    """
    names = list(dict.fromkeys(itertools.chain.from_iterable(rows)))
    return {name: np.array([float(row.get(name, math.nan)) for row in rows]) for name in names}


def joined(tables: Sequence[Table]) -> dict[str, NDArray[Any]]:
    """Return tables one below the other.

    Parameters
    ----------
    tables : sequence of mapping
        Their columns may differ.

    Returns
    -------
    dict of str to ndarray of float64
        All columns; NaN where a table lacks one.
    """
    names = list(dict.fromkeys(itertools.chain.from_iterable(tables)))
    lengths = [length(table) for table in tables]
    return {
        name: np.concatenate(
            [table.get(name, np.full(length, math.nan)) for table, length in zip(tables, lengths, strict=True)]
        )
        for name in names
    }


def length(table: Table) -> int:
    """Return the number of rows.

    Parameters
    ----------
    table : mapping of str to ndarray
        Columns of equal length.

    Returns
    -------
    int
        0 for a table without columns.
    """
    return max((len(column) for column in table.values()), default=0)
