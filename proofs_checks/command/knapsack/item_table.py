"""Items, arrival windows and forecasts from a CSV file of the user's: own column names, errors with row and column.

Row 1 is the first row below the header. A blank line is no row. A window is a number of consecutive rows, or the
consecutive rows that agree in a column. A window's forecast stands in its first row: that is when it must be known.
"""

from __future__ import annotations

import csv
import difflib
import io
import math
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algos.validation import require_integer

__all__ = ["ColumnChoice", "ItemTable", "read_items", "window_slices"]

_REPORT_EVERY: Final = 20_000  # rows between two calls of `progress`
_TOLD: Final = 10  # skipped rows that are told one by one

Progress = Callable[[float, float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnChoice:
    """Which columns hold what.

    Parameters
    ----------
    value : str
        Value of the whole item, or per weight.
    weight : str, optional
        Weight; without it every row weighs 1.
    per_weight : bool
        Whether the value column is per weight, as a price is.
    forecasts : sequence of str
        Forecasts of the window's critical value (per weight).
    window_rows : int, optional
        Rows in a window; the last one may be shorter. By default the whole file is one window.
    window_column : str, optional
        Rows with the same text in it, one after the other, are a window.
    """

    value: str = "value"
    weight: str | None = None
    per_weight: bool = False
    forecasts: Sequence[str] = ()
    window_rows: int | None = None
    window_column: str | None = None

    def __post_init__(self) -> None:
        if self.window_rows is not None:
            require_integer("window_rows", self.window_rows, minimum=1)
            if self.window_column is not None:
                raise ValueError(f"window_rows = {self.window_rows}, window_column = {self.window_column!r}: give one")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ItemTable:
    """What was read; windows without a usable row are left out and named.

    Parameters
    ----------
    unit_values, weights : ndarray of float64, shape (n,)
        The items of all windows, in the order of the file.
    rows : ndarray of int64, shape (n,)
        The row of each item.
    starts : ndarray of int64, shape (k + 1,)
        Window j has the items from ``starts[j]`` to before ``starts[j + 1]``.
    windows : tuple of str, length k
        Their names.
    forecasts : dict of str to ndarray of float64, shape (k,)
        By column.
    skipped_rows : int
        How many rows were skipped.
    skipped : tuple of str
        Why, for the first ten of them, a sentence each.
    empty_windows : tuple of str
        Names of windows of which every row was skipped.
    """

    unit_values: NDArray[np.float64]
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    windows: tuple[str, ...]
    forecasts: dict[str, NDArray[np.float64]]
    skipped_rows: int = 0
    skipped: tuple[str, ...] = ()
    empty_windows: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of windows with items."""
        return len(self.windows)

    def __repr__(self) -> str:
        """Counts."""
        left_out = f", {self.skipped_rows} rows skipped" if self.skipped_rows else ""
        return f"ItemTable({len(self.rows)} items in {len(self)} windows{left_out})"


def read_items(
    path: Path,
    columns: ColumnChoice,
    *,
    delimiter: str = ",",
    skip_bad_rows: bool = False,
    progress: Progress | None = None,
) -> ItemTable:
    """Read items from a CSV file, UTF-8 with or without a byte order mark.

    Parameters
    ----------
    path : Path
        The file; its first row names the columns.
    columns : ColumnChoice
        Which ones to read; the spaces around a name do not matter.
    delimiter : str
        One character.
    skip_bad_rows : bool
        Whether a row that cannot be read is counted and left out; otherwise it is an error.
    progress : callable of (done, total), optional
        Told the bytes that were read.

    Returns
    -------
    ItemTable
        Items in windows.

    Raises
    ------
    ValueError
        If a column is missing or named twice, a cell is no positive finite number, a row has too few or too many
        cells, a window begins a second time, there is no usable row, or the file is no CSV in UTF-8. The message has
        the row, the line and the column.
    """
    if len(delimiter) != 1:
        raise ValueError(f"delimiter = {delimiter!r}: must be one character")
    total = os.path.getsize(path)
    with path.open("rb") as binary, io.TextIOWrapper(binary, encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        builder = None
        try:
            header = next((row for row in reader if row), None)
            if header is None:
                raise ValueError(f"{path.name}: empty, not even a header")
            builder = _Builder(path.name, _Places.find(path.name, header, columns), columns, skip_bad_rows)
            for row in reader:
                if row:
                    builder.add(row, reader.line_num)
                    if progress is not None and builder.row % _REPORT_EVERY == 0:
                        progress(binary.tell(), total)
        except csv.Error as error:
            raise ValueError(f"{path.name}: line {reader.line_num}: no CSV: {error}") from None
        except UnicodeDecodeError as error:
            after = f"after row {builder.row}" if builder is not None else "in the header"
            raise ValueError(f"{path.name}: {after}: not UTF-8: {error.reason}") from None
    if progress is not None:
        progress(total, total)
    return builder.table()


@dataclass(frozen=True, slots=True)
class _Places:
    """Positions of the columns in a row."""

    cells: int
    value: int
    weight: int | None
    window: int | None
    forecasts: tuple[int, ...]

    @classmethod
    def find(cls, file: str, header: Sequence[str], columns: ColumnChoice) -> _Places:
        names = [name.strip() for name in header]

        def place(wanted: str) -> int:
            found = [index for index, name in enumerate(names) if name == wanted.strip()]
            if len(found) == 1:
                return found[0]
            if found:
                places = ", ".join(str(index + 1) for index in found)
                raise ValueError(f"{file}: column {wanted!r} is there {len(found)} times (columns {places})")
            near = difflib.get_close_matches(wanted, names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
                hint = "; is the delimiter another one?"
            raise ValueError(f"{file}: no column {wanted!r} among {', '.join(map(repr, names))}{hint}")

        return cls(
            cells=len(names),
            value=place(columns.value),
            weight=None if columns.weight is None else place(columns.weight),
            window=None if columns.window_column is None else place(columns.window_column),
            forecasts=tuple(place(name) for name in columns.forecasts),
        )


@dataclass(slots=True)
class _Builder:
    """Collects rows; one at a time, in flat arrays."""

    file: str
    places: _Places
    columns: ColumnChoice
    skip: bool
    row: int = 0
    unit_values: array[float] = field(default_factory=lambda: array("d"))
    weights: array[float] = field(default_factory=lambda: array("d"))
    rows: array[int] = field(default_factory=lambda: array("q"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    windows: list[str] = field(default_factory=list)
    forecasts: list[tuple[float, ...]] = field(default_factory=list)
    skipped_rows: int = 0
    skipped: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    window: str | None = None
    pending: bool = False  # the window has begun, and has no item yet

    def add(self, cells: Sequence[str], line: int) -> None:
        self.row += 1
        try:
            if self.places.window is None:
                self._enter(self._counted_window())
            if len(cells) != self.places.cells:
                raise ValueError(f"has {len(cells)} cells, the header has {self.places.cells}")
            if self.places.window is not None:
                self._enter(self._named_window(cells[self.places.window].strip()))
            unit_value, weight = self._item(cells)
            forecasts = self._forecasts(cells) if self.pending else ()
        except ValueError as error:
            told = f"row {self.row} (line {line}): {error}"
            if not self.skip or isinstance(error, _WindowAgain):
                raise ValueError(f"{self.file}: {told}") from None
            self.skipped_rows += 1
            if len(self.skipped) < _TOLD:
                self.skipped.append(told)
            return
        if self.pending:
            self.windows.append(self.window or "")
            self.starts.append(len(self.rows))
            self.forecasts.append(forecasts)
            self.pending = False
        self.unit_values.append(unit_value)
        self.weights.append(weight)
        self.rows.append(self.row)

    def _counted_window(self) -> str:
        size = self.columns.window_rows
        if size is None:
            return "all rows"
        first = (self.row - 1) // size * size + 1
        return f"rows {first}-{first + size - 1}"

    def _named_window(self, name: str) -> str:
        if not name:
            raise ValueError(f"column {self.columns.window_column!r}: must not be empty")
        if name != self.window:
            if name in self.seen:
                raise _WindowAgain(f"window {name!r} begins again: its rows must follow each other")
            self.seen.add(name)
        return name

    def _enter(self, name: str) -> None:
        if name != self.window:
            self._leave_window()
            self.window, self.pending = name, True

    def _leave_window(self) -> None:
        if self.pending:
            self.empty.append(self.window or "")
            self.pending = False

    def _item(self, cells: Sequence[str]) -> tuple[float, float]:
        value = _positive(self.columns.value, cells[self.places.value])
        weight = 1.0
        if self.places.weight is not None:
            weight = _positive(str(self.columns.weight), cells[self.places.weight])
        unit_value = value if self.columns.per_weight else value / weight
        if not 0.0 < unit_value < math.inf:
            raise ValueError(
                f"column {self.columns.value!r}: value / weight = {unit_value}: must be positive and finite"
            )
        return unit_value, weight

    def _forecasts(self, cells: Sequence[str]) -> tuple[float, ...]:
        places = zip(self.columns.forecasts, self.places.forecasts, strict=True)
        return tuple(_positive(name, cells[place]) for name, place in places)

    def table(self) -> ItemTable:
        self._leave_window()
        if not self.windows:
            why = f": {self.skipped_rows} were skipped, the first: {self.skipped[0]}" if self.skipped else ""
            raise ValueError(f"{self.file}: no usable row below the header{why}")
        self.starts.append(len(self.rows))
        by_column = np.array(self.forecasts, dtype=np.float64).reshape(len(self.windows), -1).T
        return ItemTable(
            unit_values=np.array(self.unit_values),
            weights=np.array(self.weights),
            rows=np.array(self.rows, dtype=np.int64),
            starts=np.array(self.starts, dtype=np.int64),
            windows=tuple(self.windows),
            forecasts=dict(zip(self.columns.forecasts, by_column, strict=True)),
            skipped_rows=self.skipped_rows,
            skipped=tuple(self.skipped),
            empty_windows=tuple(self.empty),
        )


class _WindowAgain(ValueError):
    """No bad row, but a wrong order: not to be skipped."""


def _positive(column: str, cell: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        raise ValueError(f"column {column!r} = {cell!r}: must be a number") from None
    if not 0.0 < number < math.inf:
        raise ValueError(f"column {column!r} = {cell.strip()!r}: must be positive and finite")
    return number


def window_slices(table: ItemTable) -> Iterator[slice]:
    """Yield the items of each window.

    Parameters
    ----------
    table : ItemTable
        The table.

    Yields
    ------
    slice
        Into its arrays.
    """
    for start, end in zip(table.starts[:-1].tolist(), table.starts[1:].tolist(), strict=True):
        yield slice(start, end)
