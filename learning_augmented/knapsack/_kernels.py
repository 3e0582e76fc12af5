"""Compiled loops of the online knapsack policies.

Layout: every array is C-contiguous float64; inputs are read-only, outputs are allocated by the caller. Amounts are in
units of weight. One step of a policy is one function here, shared by its single-run and its batch kernel.

The clamps are written without branches where the recurrence is sequential: in `_zcl_step` the only chain from item to
item is filled -> max(filled, min(filled + weight, threshold)), three instructions long.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

__all__ = [
    "pp_advanced",
    "pp_advanced_rows",
    "pp_basic",
    "pp_basic_rows",
    "warm",
    "zcl",
    "zcl_rows",
]


@njit(cache=True)
def _zcl_step(threshold, weight, filled):
    accepted = max(0.0, min(weight, threshold - filled))
    return accepted, max(filled, min(filled + weight, threshold))


@njit(cache=True)
def zcl(log_values, unit_values, weights, log_lower, scale, capacity, filled, value, accepted):
    """Run ZCL over one block of items, from the state `filled`, `value`; return the state after it."""
    for i in range(len(unit_values)):
        threshold = min((1.0 + (log_values[i] - log_lower)) * scale, capacity)
        accepted[i], filled = _zcl_step(threshold, weights[i], filled)
        value += unit_values[i] * accepted[i]
    return filled, value


@njit(cache=True, parallel=True)
def zcl_rows(unit_values, weights, log_lowers, scales, capacity, totals):
    """Write the value of ZCL on each row into `totals`."""
    for row in prange(len(totals)):
        filled = 0.0
        value = 0.0
        for i in range(unit_values.shape[1]):
            log_value = math.log(unit_values[row, i])
            threshold = min((1.0 + (log_value - log_lowers[row])) * scales[row], capacity)
            accepted, filled = _zcl_step(threshold, weights[row, i], filled)
            value += unit_values[row, i] * accepted
        totals[row] = value


@njit(cache=True)
def _pp_basic_step(unit_value, weight, low, high, capacity, filled, critical):
    if unit_value > high:
        half = 0.5 * weight
    elif unit_value >= low:
        half = 0.5 * min(weight, capacity - critical)
        critical = min(critical + weight, capacity)
    else:
        half = 0.0
    return min(half, capacity - filled), min(filled + half, capacity), critical


@njit(cache=True)
def pp_basic(unit_values, weights, low, high, capacity, accepted):
    """Run PPBasic; return the filled weight and the value."""
    filled = 0.0
    critical = 0.0
    value = 0.0
    for i in range(len(unit_values)):
        accepted[i], filled, critical = _pp_basic_step(
            unit_values[i], weights[i], low, high, capacity, filled, critical
        )
        value += unit_values[i] * accepted[i]
    return filled, value


@njit(cache=True, parallel=True)
def pp_basic_rows(unit_values, weights, lows, highs, capacity, totals):
    """Write the value of PPBasic on each row into `totals`."""
    for row in prange(len(totals)):
        filled = 0.0
        critical = 0.0
        value = 0.0
        for i in range(unit_values.shape[1]):
            accepted, filled, critical = _pp_basic_step(
                unit_values[row, i], weights[row, i], lows[row], highs[row], capacity, filled, critical
            )
            value += unit_values[row, i] * accepted
        totals[row] = value


@njit(cache=True)
def _pp_advanced_step(unit_value, weight, low, high, capacity, above, critical, share):
    # share = 1 / (1 + critical / capacity) is carried along: it changes at critical items only.
    if unit_value > high:
        accepted = min(weight, capacity - above) * share
        above = min(above + weight, capacity)
    elif unit_value >= low:
        taken = min(weight, capacity - critical)
        critical = min(critical + weight, capacity)
        accepted = (capacity - above) * share * (taken / (capacity + critical))
        share = 1.0 / (1.0 + critical / capacity)
    else:
        accepted = 0.0
    return accepted, above, critical, share


@njit(cache=True)
def pp_advanced(unit_values, weights, low, high, capacity, accepted):
    """Run PPAdvanced; return the filled weight and the value."""
    above = 0.0
    critical = 0.0
    share = 1.0
    value = 0.0
    for i in range(len(unit_values)):
        accepted[i], above, critical, share = _pp_advanced_step(
            unit_values[i], weights[i], low, high, capacity, above, critical, share
        )
        value += unit_values[i] * accepted[i]
    return capacity - (capacity - above) * share, value


@njit(cache=True, parallel=True)
def pp_advanced_rows(unit_values, weights, lows, highs, capacity, totals):
    """Write the value of PPAdvanced on each row into `totals`."""
    for row in prange(len(totals)):
        above = 0.0
        critical = 0.0
        share = 1.0
        value = 0.0
        for i in range(unit_values.shape[1]):
            accepted, above, critical, share = _pp_advanced_step(
                unit_values[row, i], weights[row, i], lows[row], highs[row], capacity, above, critical, share
            )
            value += unit_values[row, i] * accepted
        totals[row] = value


def warm() -> None:
    """Compile every kernel for the layout in which the policies call it."""
    items = np.ones(2)
    rows = np.ones((1, 2))
    for array in (items, rows):
        array.flags.writeable = False
    each = np.ones(1)
    zcl(np.zeros(2), items, items, 1.0, 1.0, 1.0, 0.0, 0.0, np.empty(2))
    zcl_rows(rows, rows, each, each, 1.0, np.empty(1))
    pp_basic(items, items, 1.0, 1.0, 1.0, np.empty(2))
    pp_basic_rows(rows, rows, each, each, 1.0, np.empty(1))
    pp_advanced(items, items, 1.0, 1.0, 1.0, np.empty(2))
    pp_advanced_rows(rows, rows, each, each, 1.0, np.empty(1))
