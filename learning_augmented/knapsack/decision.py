"""A decision on one item, with the sentence that explains it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Decision", "ItemId", "reason_for"]

ItemId: TypeAlias = str | int | None
"""What a caller calls an item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided on one item, and why.

    Parameters
    ----------
    id : str, int or None
        As it was passed.
    amount : float
        Accepted weight, between 0 and the item's.
    accepted : bool
        Whether any weight was accepted.
    reason : str
        One sentence, from the numbers at hand.
    threshold : float
        The unit value that the item had to pass; infinity when nothing more is accepted, NaN when the policy does not
        tell.
    utilisation : float
        Share of the capacity in use after the decision, in [0, 1].
    guarantee_now : float
        Competitive ratio that holds when the stream ends, now or after any further items within the known range,
        whatever the prediction is worth; infinity where nothing is guaranteed. It counts rejected items as missed.
    guarantee_if_right : float
        The same when the prediction is right for the items that were not rejected.
    """

    id: ItemId
    amount: float
    accepted: bool
    reason: str
    threshold: float
    utilisation: float
    guarantee_now: float
    guarantee_if_right: float


def reason_for(amount: float, weight: float, unit_value: float, threshold: float, utilisation: float) -> str:
    """Say in one sentence why this amount was accepted.

    Parameters
    ----------
    amount, weight : float
        Accepted and offered weight.
    unit_value : float
        Value per weight of the item.
    threshold : float
        What it had to pass; NaN when that is not known.
    utilisation : float
        Share of the capacity in use after the decision.

    Returns
    -------
    str
        A sentence.

    Examples
    --------
    >>> reason_for(0.0, 0.5, unit_value=2.0, threshold=3.25, utilisation=0.4)
    'Refused: its unit value 2 does not pass the threshold 3.25.'
    """
    passes = "suits the policy" if math.isnan(threshold) else f"passes the threshold {threshold:.4g}"
    price = f"its unit value {unit_value:.4g}"
    if amount >= weight:
        return f"Accepted whole: {price} {passes}, and {utilisation:.1%} of the capacity is in use now."
    if amount > 0:
        rest = "the knapsack is full now" if utilisation >= 1 - 1e-12 else "the room that is left asks for more"
        return f"Accepted {amount:.4g} of {weight:.4g}: {price} {passes}, and {rest}."
    if utilisation >= 1 - 1e-12 or threshold == math.inf:
        return f"Refused: nothing more is accepted, with {utilisation:.1%} of the capacity in use."
    if math.isnan(threshold):
        return f"Refused: the policy accepts nothing at {price[4:]}, with {utilisation:.1%} of the capacity in use."
    if unit_value <= threshold * (1 + 1e-9):
        return f"Refused: {price} does not pass the threshold {threshold:.4g}."
    return f"Refused: {price} passes the threshold {threshold:.4g}, but no room is kept for it."
