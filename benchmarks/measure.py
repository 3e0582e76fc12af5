"""Time two pieces of code side by side, and say how busy the machine was."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Measurement", "measure"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Median times of two pieces of code, taken in turns.

    Parameters
    ----------
    label : str
        What was measured.
    ours, reference : float
        Median seconds per item.
    """

    label: str
    ours: float
    reference: float

    @property
    def ratio(self) -> float:
        """Our time over the reference's: below 1 we are faster."""
        return self.ours / self.reference


def measure(
    label: str,
    ours: Callable[[], object],
    reference: Callable[[], object],
    repeats: int = 7,
    *,
    ours_items: int = 1,
    reference_items: int = 1,
) -> Measurement:
    """Time `ours` and `reference` in turns, and print median times, their ratio and the load average.

    Parameters
    ----------
    label : str
        What is measured.
    ours, reference : callable
        The two pieces of code. Each is called once beforehand, to compile and to touch its memory.
    repeats : int
        Timed calls of each.
    ours_items, reference_items : int
        Items that one call works through; times and ratio are per item.

    Returns
    -------
    Measurement
        The medians.
    """
    ours()
    reference()
    times = [(_seconds(ours), _seconds(reference)) for _ in range(repeats)]
    ours_times, reference_times = zip(*times, strict=True)
    result = Measurement(
        label, statistics.median(ours_times) / ours_items, statistics.median(reference_times) / reference_items
    )
    print(
        f"{label:<44} {_shown(result.ours)}  against {_shown(result.reference)}  ratio {result.ratio:8.4f}"
        f"  load {os.getloadavg()[0]:.2f}",
        flush=True,
    )
    return result


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _shown(seconds: float) -> str:
    for unit, size in (("s ", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:8.3f} {unit}"
    return f"{seconds / 1e-9:8.3f} ns"
