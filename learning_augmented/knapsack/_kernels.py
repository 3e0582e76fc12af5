"""Compiled loops of the online knapsack policies.

Layout: every array is C-contiguous float64; inputs are read-only, outputs are allocated by the caller. Amounts are in
units of weight. One step of a policy is one function here, shared by its single-run and its batch kernel.

A single run goes over the items in blocks and keeps its state in an array, so that a long stream can be handed over
piece by piece. Most blocks are plain: no item is cut, so that each is accepted by one rule, without a look at the item
before. Such a block is tried first, several items at a time, and is done when the state after it proves that nothing
was cut; otherwise the steps are taken one by one. Both ways do the same additions in the same order.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

__all__ = [
    "ipa",
    "ipa_rows",
    "mix",
    "only_inside",
    "pp_advanced",
    "pp_advanced_rows",
    "pp_basic",
    "pp_basic_rows",
    "pp_naive",
    "pp_naive_rows",
    "round_whole",
    "rows_within",
    "sentinel",
    "warm",
    "zcl",
    "zcl_integral",
    "zcl_integral_rows",
    "zcl_rows",
]


_BLOCK = 256  # few enough items that most blocks are plain
_BEYOND = 1.0 + 2.0**-50  # a factor that no rounding of a sum makes up for


@njit(cache=True)
def _zcl_step(threshold, weight, filled):
    # The amounts filled, threshold and filled + weight: the next one is the middle, two instructions after the last.
    accepted = max(0.0, min(weight, threshold - filled))
    return accepted, min(filled + weight, max(filled, threshold))


@njit(cache=True)
def _zcl_plain(thresholds, unit_values, weights, filled, value, accepted):
    """Take what is above the fill in whole; return the state after, and whether no threshold lies within it."""
    after = filled
    for i in range(len(accepted)):
        accepted[i] = weights[i] * (thresholds[i] > filled)
        after += accepted[i]
        value += unit_values[i] * accepted[i]
    cut = 0
    for i in range(len(accepted)):
        cut += (thresholds[i] > filled) != (thresholds[i] >= after * _BEYOND)
    return after, value, cut == 0


@njit(cache=True)
def zcl(log_values, unit_values, weights, log_lower, scale, capacity, state, accepted):
    """Run ZCL over some items from `state`, (filled, value), and leave there the state after; spoils `log_values`."""
    filled, value = state[0], state[1]
    for start in range(0, len(accepted), _BLOCK):
        block = slice(start, start + _BLOCK)
        thresholds, prices, sizes, amounts = log_values[block], unit_values[block], weights[block], accepted[block]
        for i in range(len(amounts)):
            thresholds[i] = min((1.0 + (thresholds[i] - log_lower)) * scale, capacity)
        after, total, plain = _zcl_plain(thresholds, prices, sizes, filled, value, amounts)
        if plain:
            filled, value = after, total
            continue
        for i in range(len(amounts)):
            amounts[i], filled = _zcl_step(thresholds[i], sizes[i], filled)
            value += prices[i] * amounts[i]
    state[0], state[1] = filled, value


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
def _pp_plain(unit_values, weights, low, high, share, above, value, accepted):
    """Take `share` of what is dearer than `high`; return weight above and value after, and whether nothing is tied."""
    ties = 0
    for i in range(len(accepted)):
        is_above = unit_values[i] > high
        ties += (unit_values[i] >= low) != is_above
        dearer = weights[i] * is_above
        above += dearer
        accepted[i] = dearer * share
        value += unit_values[i] * accepted[i]
    return above, value, ties == 0


@njit(cache=True)
def pp_basic(unit_values, weights, low, high, capacity, state, accepted):
    """Run PPBasic over some items from `state`, (filled, critical, value), and leave there the state after."""
    filled, critical, value = state[0], state[1], state[2]
    for start in range(0, len(accepted), _BLOCK):
        if filled >= capacity:
            accepted[start:] = 0.0
            break
        block = slice(start, start + _BLOCK)
        prices, sizes, amounts = unit_values[block], weights[block], accepted[block]
        # The sum of halves is half of the sum, to the last bit: what is filled is twice that of weight above.
        above, total, plain = _pp_plain(prices, sizes, low, high, 0.5, 2.0 * filled, value, amounts)
        if plain and 0.5 * above * _BEYOND <= capacity:
            filled, value = 0.5 * above, total
            continue
        for i in range(len(amounts)):
            amounts[i], filled, critical = _pp_basic_step(prices[i], sizes[i], low, high, capacity, filled, critical)
            value += prices[i] * amounts[i]
    state[0], state[1], state[2] = filled, critical, value


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
def pp_advanced(unit_values, weights, low, high, capacity, state, accepted):
    """Run PPAdvanced over some items from `state`, (above, critical, share, value), and leave there the state after."""
    above, critical, share, value = state[0], state[1], state[2], state[3]
    for start in range(0, len(accepted), _BLOCK):
        if above >= capacity:
            accepted[start:] = 0.0
            break
        block = slice(start, start + _BLOCK)
        prices, sizes, amounts = unit_values[block], weights[block], accepted[block]
        after, total, plain = _pp_plain(prices, sizes, low, high, share, above, value, amounts)
        if plain and after * _BEYOND <= capacity:
            above, value = after, total
            continue
        for i in range(len(amounts)):
            amounts[i], above, critical, share = _pp_advanced_step(
                prices[i], sizes[i], low, high, capacity, above, critical, share
            )
            value += prices[i] * amounts[i]
    state[0], state[1], state[2], state[3] = above, critical, share, value


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


@njit(cache=True)
def rows_within(rows, lows, highs, within):
    """Write whether all entries of each row lie between its two ends, which NaN does not; one thread keeps up."""
    for row in range(len(within)):
        outside = 0
        for i in range(rows.shape[1]):
            outside += not ((rows[row, i] >= lows[row]) & (rows[row, i] <= highs[row]))
        within[row] = outside == 0


@njit(cache=True)
def mix(trust, trusted, robust):
    """Replace `trusted` by the convex combination of both."""
    for i in range(len(trusted)):
        trusted[i] = trust * trusted[i] + (1.0 - trust) * robust[i]


@njit(cache=True)
def _zcl_integral_step(threshold, weight, filled, capacity, slack):
    if filled <= threshold + slack and filled + weight <= capacity + slack:
        return weight, min(filled + weight, capacity)
    return 0.0, filled


@njit(cache=True)
def zcl_integral(log_values, unit_values, weights, log_lower, scale, capacity, slack, state, accepted):
    """Run ZCLIntegral over some items from `state`, (filled, value), and leave there the state after."""
    filled, value = state[0], state[1]
    for i in range(len(accepted)):
        threshold = (1.0 + (log_values[i] - log_lower)) * scale
        accepted[i], filled = _zcl_integral_step(threshold, weights[i], filled, capacity, slack)
        value += unit_values[i] * accepted[i]
    state[0], state[1] = filled, value


@njit(cache=True, parallel=True)
def zcl_integral_rows(unit_values, weights, log_lowers, scales, capacity, slack, totals):
    """Write the value of ZCLIntegral on each row into `totals`."""
    for row in prange(len(totals)):
        filled = 0.0
        value = 0.0
        for i in range(unit_values.shape[1]):
            threshold = (1.0 + (math.log(unit_values[row, i]) - log_lowers[row])) * scales[row]
            accepted, filled = _zcl_integral_step(threshold, weights[row, i], filled, capacity, slack)
            value += unit_values[row, i] * accepted
        totals[row] = value


@njit(cache=True)
def _pp_naive_step(unit_value, weight, high, capacity, filled):
    amount = weight * (unit_value > high)
    return min(amount, capacity - filled), min(filled + amount, capacity)


@njit(cache=True)
def pp_naive(unit_values, weights, low, high, capacity, state, accepted):
    """Run PPNaive over some items from `state`, (filled, value), and leave there the state after."""
    filled, value = state[0], state[1]
    for i in range(len(accepted)):
        accepted[i], filled = _pp_naive_step(unit_values[i], weights[i], high, capacity, filled)
        value += unit_values[i] * accepted[i]
    state[0], state[1] = filled, value


@njit(cache=True, parallel=True)
def pp_naive_rows(unit_values, weights, lows, highs, capacity, totals):
    """Write the value of PPNaive on each row into `totals`."""
    for row in prange(len(totals)):
        filled = 0.0
        value = 0.0
        for i in range(unit_values.shape[1]):
            accepted, filled = _pp_naive_step(unit_values[row, i], weights[row, i], highs[row], capacity, filled)
            value += unit_values[row, i] * accepted
        totals[row] = value


@njit(cache=True)
def only_inside(unit_values, low, high, log_values):
    """Make the logarithms of prices outside the interval so small that ZCL accepts nothing there."""
    for i in range(len(log_values)):
        is_inside = (unit_values[i] >= low) & (unit_values[i] <= high)
        log_values[i] = log_values[i] if is_inside else -np.inf


@njit(cache=True)
def ipa(unit_values, weights, high, dear_share, inside_share, inside, capacity, state, accepted):
    """Run IPA over some items from `state`, (filled, value), and leave there the state after.

    `inside` holds what the interval's own policy accepted of each item, 0 outside the interval.
    """
    filled, value = state[0], state[1]
    for start in range(0, len(accepted), _BLOCK):
        if filled >= capacity:
            accepted[start:] = 0.0
            break
        block = slice(start, start + _BLOCK)
        prices, sizes, taken, amounts = unit_values[block], weights[block], inside[block], accepted[block]
        after, total = filled, value
        for i in range(len(amounts)):
            amounts[i] = sizes[i] * (prices[i] > high) * dear_share + taken[i] * inside_share
            after += amounts[i]
            total += prices[i] * amounts[i]
        if after * _BEYOND <= capacity:
            filled, value = after, total
            continue
        for i in range(len(amounts)):
            amount = amounts[i]
            amounts[i] = min(amount, capacity - filled)
            filled = min(filled + amount, capacity)
            value += prices[i] * amounts[i]
    state[0], state[1] = filled, value


@njit(cache=True, parallel=True)
def ipa_rows(unit_values, weights, lows, highs, log_lows, ratios, capacity, totals):
    """Write the value of IPA, with ZCL on the interval, on each row into `totals`."""
    for row in prange(len(totals)):
        dear_share = 1.0 / (ratios[row] + 1.0)
        inside_share = ratios[row] * dear_share
        scale = capacity / ratios[row]
        filled = 0.0
        virtual = 0.0
        value = 0.0
        for i in range(unit_values.shape[1]):
            unit_value = unit_values[row, i]
            amount = 0.0
            if unit_value > highs[row]:
                amount = weights[row, i] * dear_share
            elif unit_value >= lows[row]:
                threshold = min((1.0 + (math.log(unit_value) - log_lows[row])) * scale, capacity)
                taken, virtual = _zcl_step(threshold, weights[row, i], virtual)
                amount = taken * inside_share
            value += unit_value * min(amount, capacity - filled)
            filled = min(filled + amount, capacity)
        totals[row] = value


@njit(cache=True)
def round_whole(unit_values, weights, fractional, classes, share, reserve, tolerance, capacity, gaps, state, accepted):
    """Run Fr2Int over some items from `gaps` and `state`, (filled, value), and leave there the state after.

    `fractional` holds what the fractional policy accepted of the items, `gaps` for each class of prices what it has
    accepted so far (times `share`) minus what was taken whole.
    """
    filled, value = state[0], state[1]
    for i in range(len(accepted)):
        weight, price_class = weights[i], classes[i]
        gap = gaps[price_class] + share * fractional[i]
        if (gap > tolerance * weight) if reserve else (gap >= weight - tolerance * weight):
            gap -= weight
            accepted[i] = weight
            filled = min(filled + weight, capacity)
            value += unit_values[i] * weight
        else:
            accepted[i] = 0.0
        gaps[price_class] = gap
    state[0], state[1] = filled, value


@njit(cache=True)
def sentinel(unit_values, weights, classes, rooms, state, accepted):
    """Run Sentinel over some items from `rooms`, left at each price, and `state`, (filled, value)."""
    filled, value = state[0], state[1]
    for i in range(len(accepted)):
        left = weights[i]
        amount = 0.0
        for price in range(classes[i], -1, -1):
            taken = min(left, rooms[price])
            rooms[price] -= taken
            amount += taken
            left -= taken
            if left <= 0.0:
                break
        accepted[i] = min(amount, weights[i])
        filled += accepted[i]
        value += unit_values[i] * accepted[i]
    state[0], state[1] = filled, value


def warm() -> None:
    """Compile every kernel for the layout in which the policies call it."""
    items = np.ones(2)
    rows = np.ones((1, 2))
    for array in (items, rows):
        array.flags.writeable = False
    each = np.ones(1)
    state = np.ones(4)
    zcl(np.zeros(2), items, items, 1.0, 1.0, 1.0, state, np.empty(2))
    zcl_rows(rows, rows, each, each, 1.0, np.empty(1))
    pp_basic(items, items, 1.0, 1.0, 1.0, state, np.empty(2))
    pp_basic_rows(rows, rows, each, each, 1.0, np.empty(1))
    pp_advanced(items, items, 1.0, 1.0, 1.0, state, np.empty(2))
    pp_advanced_rows(rows, rows, each, each, 1.0, np.empty(1))
    rows_within(rows, each, each, np.empty(1, np.bool_))
    mix(0.5, np.zeros(2), np.zeros(2))
    zcl_integral(np.zeros(2), items, items, 1.0, 1.0, 1.0, 0.0, state, np.empty(2))
    zcl_integral_rows(rows, rows, each, each, 1.0, 0.0, np.empty(1))
    pp_naive(items, items, 1.0, 1.0, 1.0, state, np.empty(2))
    pp_naive_rows(rows, rows, each, each, 1.0, np.empty(1))
    only_inside(items, 1.0, 1.0, np.zeros(2))
    ipa(items, items, 1.0, 1.0, 1.0, np.ones(2), 1.0, state, np.empty(2))
    ipa_rows(rows, rows, each, each, each, each, 1.0, np.empty(1))
    classes = np.zeros(2, dtype=np.int64)
    round_whole(items, items, np.ones(2), classes, 1.0, False, 0.0, 1.0, np.zeros(1), state, np.empty(2))
    sentinel(items, items, classes, np.ones(1), state, np.empty(2))
