"""How an assert fails: the data, a line to paste, and a file that holds the case."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.claim import Sides
from proofs_checks.records.encoding import decode, encode
from proofs_checks.records.naming import literal_of
from proofs_checks.records.replay_file import ReplayFile, read_replay, write_replay
from proofs_checks.records.storage import slug

__all__ = ["FOLDER", "fail", "read_case"]

FOLDER = "build/replays"
"""Where failed asserts write their cases, below the current folder."""
_LITERAL = 20_000


def fail(
    accused: str,
    told: str,
    case: Any,
    sides: Sides,
    folder: str | os.PathLike[str],
    facts: Mapping[str, Any],
    example: str | None = None,
) -> NoReturn:
    """Write the case down and raise.

    Parameters
    ----------
    accused, told : str
        Who failed, and how, in a sentence.
    case : object
        What it failed on; must have a form as plain data.
    sides : Sides
        What was measured, and what should have been.
    folder : path
        Where the case is written.
    facts : mapping
        More that a person wants to see.
    example : str, optional
        Arguments of the line to paste; by default the case.

    Raises
    ------
    AssertionError
        Always.
    """
    plain = encode(case)
    mark = hashlib.sha256(json.dumps([accused, plain]).encode()).hexdigest()[:8]
    file = Path(folder) / f"{slug(accused) or 'case'}-{mark}.json"
    measured, bound = sides.measured, sides.bound
    write_replay(file, ReplayFile(kind="problem", subject=accused, measured=measured, bound=bound, instance=plain))
    lines = [f"{accused}: {told}", *(f"  {name}: {fact}" for name, fact in facts.items())]
    if example is None:
        lines.append(f"  @example({literal_of(case, _LITERAL)})")
    else:
        lines.append(f"  @example({example})")
    lines.append(f"  the case as data: {file}")
    raise AssertionError("\n".join(lines))


def read_case(path: str | os.PathLike[str], types: Sequence[type] = (OnlineKnapsackInstance,)) -> Any:
    """Read the case that a failed assert has written.

    Parameters
    ----------
    path : path
        The file.
    types : sequence of type
        The dataclasses that it may rebuild.

    Returns
    -------
    object
        The case: an instance, a pair (instance, prediction), or a mapping.

    Raises
    ------
    ValueError
        If it is no such file.
    """
    return decode(read_replay(path).instance, types)
