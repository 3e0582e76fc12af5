"""Compiled loops of the offline knapsack: weighted selection of the critical value, and the exact 0/1 searches.

Layout: vectors are C-contiguous float64; inputs are read-only, outputs belong to the caller. The selection's loops over
all items have no branch that is hard to predict, and sum in blocks, so that the rounding error is that of a block and
not of the whole. It takes the items, in descending order of unit value, before which the knapsack is not full: full is
when less than `speck` of the capacity is left.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

__all__ = ["branch_and_bound", "critical_item", "fill_table", "open_bound", "take", "warm"]

_BLOCK = 1024
_SAMPLED = 4096  # from this many items on, a sample brackets the critical value first


@njit(cache=True)
def _weigh(values, weights, low, high):
    """Weight and number of the items dearer than `high`, then of those at least as dear as `low`."""
    weight_above = weight_upto = 0.0
    above = upto = 0
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        prices, sizes = values[block], weights[block]
        block_above = block_upto = 0.0
        for i in range(len(prices)):
            is_above = prices[i] > high
            is_upto = prices[i] >= low
            block_above += sizes[i] * is_above
            block_upto += sizes[i] * is_upto
            above += is_above
            upto += is_upto
        weight_above += block_above
        weight_upto += block_upto
    return weight_above, above, weight_upto, upto


@njit(cache=True)
def _keep(values, weights, low, high, kept_values, kept_weights):
    """Copy the items from `low` to `high` to the front of `kept_*`, one place longer than they; may be in place."""
    kept = 0
    for i in range(len(values)):
        kept_values[kept] = values[i]
        kept_weights[kept] = weights[i]
        kept += (values[i] >= low) & (values[i] <= high)
    return kept


@njit(cache=True)
def _side(values, weights, low, high, capacity, speck, taken):
    """Where the critical item lies: 1 above `high`, 0 between, -1 below `low`.

    Also the weight taken before the items of that side, and their number, which is never 0. When everything fits, the
    critical item is the cheapest.
    """
    weight_above, above, weight_upto, upto = _weigh(values, weights, low, high)
    if above and (capacity - (taken + weight_above) < speck or above == len(values)):
        return 1, taken, above
    if upto > above and (capacity - (taken + weight_upto) < speck or upto == len(values)):
        return 0, taken + weight_above, upto - above
    return -1, taken + weight_upto, len(values) - upto


@njit(cache=True)
def _median(a, b, c):
    return max(min(a, b), min(max(a, b), c))


@njit(cache=True)
def _ninther(values):
    """Median of three medians of three; the nine places are spread evenly."""
    last = len(values) - 1
    first = _median(values[0], values[last // 8], values[2 * last // 8])
    second = _median(values[3 * last // 8], values[4 * last // 8], values[5 * last // 8])
    third = _median(values[6 * last // 8], values[7 * last // 8], values[last])
    return _median(first, second, third)


@njit(cache=True)
def _between(low, high, ends):
    """The number halfway between two positive ones when floats are counted one by one; `ends` is work space."""
    ends[0], ends[1] = low, high
    bits = ends.view(np.int64)
    bits[0] += (bits[1] - bits[0]) // 2
    return ends[0]


@njit(cache=True)
def _select(values, weights, capacity, speck, taken):
    """Critical value, weight of the items dearer than it, and comparisons made; destroys its arrays.

    Quickselect in three ways around a ninther. A ninther that spares more than 7/8 of the items is followed by halving
    the range of floats that the critical value may lie in, until that helps: at most 63 times in all, so that no order
    of the items makes the work more than linear.
    """
    low, high = 0.0, math.inf
    ends = np.empty(2)
    compared = 0
    halve = False
    while True:
        pivot = _between(low, high, ends) if halve else _ninther(values)
        compared += len(values)
        side, taken, kept = _side(values, weights, pivot, pivot, capacity, speck, taken)
        if side == 0:
            return pivot, taken, compared
        if side > 0:
            low = np.nextafter(pivot, math.inf)
        else:
            high = np.nextafter(pivot, 0.0)
        _keep(values, weights, low, high, values, weights)
        halve = 8 * kept > 7 * len(values)
        values, weights = values[:kept], weights[:kept]


@njit(cache=True)
def _bracket(values, weights, capacity):
    """Two numbers that hold the critical value between them almost surely, from about n**(2/3) items; comparisons."""
    size = int(len(values) ** (2 / 3))
    stride = len(values) // size
    sample_values, sample_weights = np.empty(size), np.empty(size)
    total = squares = 0.0
    for i in range(size):
        sample_values[i], sample_weights[i] = values[i * stride], weights[i * stride]
        total += sample_weights[i]
        squares += sample_weights[i] ** 2
    share = capacity * (size / len(values))
    margin = 3.0 * math.sqrt(squares)  # three standard deviations of the sampled weight above any value
    low, high, compared = 0.0, math.inf, size
    if share > margin:
        high, _, more = _select(sample_values.copy(), sample_weights.copy(), share - margin, 0.0, 0.0)
        compared += more
    if total > share + margin:
        low, _, more = _select(sample_values, sample_weights, share + margin, 0.0, 0.0)
        compared += more
    return low, high, compared


@njit(cache=True)
def critical_item(values, weights, capacity, speck):
    """Critical value of at least one item, weight of the dearer items, and the number of comparisons."""
    if len(values) < _SAMPLED:
        return _select(values.copy(), weights.copy(), capacity, speck, 0.0)
    low, high, compared = _bracket(values, weights, capacity)
    side, taken, kept = _side(values, weights, low, high, capacity, speck, 0.0)
    if side > 0:
        low, high = np.nextafter(high, math.inf), math.inf
    elif side < 0:
        low, high = 0.0, np.nextafter(low, 0.0)
    kept_values, kept_weights = np.empty(kept + 1), np.empty(kept + 1)
    _keep(values, weights, low, high, kept_values, kept_weights)
    critical, taken, more = _select(kept_values[:kept], kept_weights[:kept], capacity, speck, taken)
    return critical, taken, compared + len(values) + more


@njit(cache=True)
def take(values, weights, critical, tied_low, tied_high, room, speck, accepted):
    """Write the accepted weights, `room` being what the items dearer than `critical` leave.

    Returns the value, then the weight of the ties of the critical value, the weight and the value of all above them.
    """
    value = weight_tied = weight_above = value_above = 0.0
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        prices, sizes, amounts = values[block], weights[block], accepted[block]
        block_value = block_tied = block_weight = block_above = 0.0
        for i in range(len(prices)):
            unit_value, weight = prices[i], sizes[i]
            amount = weight * (unit_value > critical)
            if unit_value == critical:
                amount = min(weight, room) * (room >= speck)
                room -= weight
            amounts[i] = amount
            above = weight * (unit_value > tied_high)
            block_value += unit_value * amount
            block_tied += weight * ((unit_value >= tied_low) & (unit_value <= tied_high))
            block_weight += above
            block_above += unit_value * above
        value += block_value
        weight_tied += block_tied
        weight_above += block_weight
        value_above += block_above
    return value, weight_tied, weight_above, value_above


@njit(cache=True)
def _without(room, rest, weight):
    """Return ``room + rest - weight``, again as a float and the rest that it cannot hold (Knuth's exact sum)."""
    left = room - weight
    gone = room - left
    error = (room - (left + gone)) + (gone - weight) + rest
    rounded = left + error
    return rounded, error - (rounded - left)


@njit(cache=True)
def _dantzig(values, weights, value_sums, weight_sums, item, room):
    """Most value that `room` can hold of the items from `item` on, the last one cut; densest items come first."""
    reach = weight_sums[item] + room
    low, high = item, len(values)  # the last place up to which everything fits
    while low < high:
        middle = (low + high + 1) // 2
        if weight_sums[middle] <= reach:
            low = middle
        else:
            high = middle - 1
    bound = value_sums[low] - value_sums[item]
    if low < len(values):
        bound += (reach - weight_sums[low]) * (values[low] / weights[low])
    return bound


@njit(cache=True)
def branch_and_bound(values, weights, value_sums, weight_sums, step, budget, best, place, chosen, kept, stack):
    """Search for `budget` decisions and to the end of a run of takes; return the best value, and whether all is done.

    Depth first, taking before leaving. `chosen[:depth]` are the items taken so far; row k of `stack` holds the room,
    its rest and the value after the first k of them, so that nothing is ever added back. `place` is (next item, depth,
    number of items in `kept`, the best selection). A branch is cut off when its bound is not above best + step.
    """
    item, depth = place[0], place[1]
    while budget > 0:
        bound = stack[depth, 2] + _dantzig(values, weights, value_sums, weight_sums, item, stack[depth, 0])
        if bound > best + step:
            while item < len(values):
                room, rest = _without(stack[depth, 0], stack[depth, 1], weights[item])
                budget -= 1
                if room < 0.0:
                    break
                chosen[depth] = item
                depth += 1
                stack[depth, 0], stack[depth, 1], stack[depth, 2] = room, rest, stack[depth - 1, 2] + values[item]
                item += 1
            if item < len(values):
                item += 1
                continue
            if stack[depth, 2] > best:
                best, place[2] = stack[depth, 2], depth
                kept[:depth] = chosen[:depth]
        if depth == 0:
            return best, True
        depth -= 1
        item = chosen[depth] + 1
        budget -= 1
    place[0], place[1] = item, depth
    if stack[depth, 2] > best:  # what was taken so far is a selection too
        best, place[2] = stack[depth, 2], depth
        kept[:depth] = chosen[:depth]
    return best, False


@njit(cache=True)
def open_bound(values, weights, value_sums, weight_sums, place, chosen, stack):
    """Most value that any branch can hold which an interrupted search has not looked at yet."""
    item, depth = place[0], place[1]
    bound = stack[depth, 2] + _dantzig(values, weights, value_sums, weight_sums, item, stack[depth, 0])
    for k in range(depth):
        left_out = _dantzig(values, weights, value_sums, weight_sums, chosen[k] + 1, stack[k, 0])
        bound = max(bound, stack[k, 2] + left_out)
    return bound


@njit(cache=True)
def fill_table(values, weights, first, last, best, taken):
    """Dynamic program over the items first..last - 1: `best[c]` is the most value of weight at most c.

    Bit c of row i of `taken` says that item i belongs to the best selection among the items up to i at c.
    """
    for i in range(first, last):
        for c in range(len(best) - 1, weights[i] - 1, -1):
            with_item = best[c - weights[i]] + values[i]
            better = with_item > best[c]
            best[c] = max(best[c], with_item)
            taken[i, c >> 3] |= better << (c & 7)


def warm() -> None:
    """Compile every kernel for the layout in which `algos.knapsack` calls it."""
    items = np.ones(2)
    items.flags.writeable = False
    critical_item(items, items, 1.0, 1e-12)
    take(items, items, 1.0, 1.0, 1.0, 1.0, 1e-12, np.empty(2))
    ordered, sums, stack = np.ones(2), np.arange(3.0), np.zeros((3, 3))
    place, chosen, kept = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    branch_and_bound(ordered, ordered, sums, sums, 0.0, 1, 0.0, place, chosen, kept, stack)
    open_bound(ordered, ordered, sums, sums, place, chosen, stack)
    fill_table(ordered, np.ones(2, np.int64), 0, 1, np.zeros(2), np.zeros((2, 1), np.uint8))
