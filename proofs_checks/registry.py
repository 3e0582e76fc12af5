"""Where claims come from: the topics of this toolkit, or a user's own file.

A topic's module is imported only when one of its claims is asked for, and no claim module imports torch, so that claims
about neural code can be listed without it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType

from proofs_checks.claim import Claim

__all__ = ["EXTRAS", "TOPICS", "find_claim", "how_to_install", "load_claims", "missing_packages"]

TOPICS: Mapping[str, str] = MappingProxyType({"knapsack": "proofs_checks.claims.knapsack"})
"""Module that exports `CLAIMS`, by topic."""

EXTRAS: Mapping[str, str] = MappingProxyType({"torch": "neural", "arch": "data"})
"""The extra of the distribution that brings an optional package, by import name."""


def load_claims(prefixes: Sequence[str] = (), source: str | Path | None = None) -> tuple[Claim, ...]:
    """Return the claims whose id starts with one of `prefixes`, sorted by id.

    Parameters
    ----------
    prefixes : sequence of str
        Whole ids or leading parts, dots respected: ``knapsack.mix`` finds ``knapsack.mix.robustness`` but not
        ``knapsack.mixture``. Empty means all.
    source : path, optional
        A Python file that exports `CLAIMS`; without it, the toolkit's own topics.

    Returns
    -------
    tuple of Claim
        At least one.

    Raises
    ------
    ValueError
        If a prefix matches nothing, or two claims share an id.

    Examples
    --------
    >>> [claim.id for claim in load_claims(["knapsack.zcl.ratio"])]
    ['knapsack.zcl.ratio']
    """
    everything = _from_file(source) if source is not None else _registered(_topics_of(prefixes))
    if not prefixes:
        return everything
    chosen: dict[str, Claim] = {}
    for prefix in prefixes:
        found = [claim for claim in everything if claim.id == prefix or claim.id.startswith(prefix.rstrip(".") + ".")]
        if not found:
            raise ValueError(f"claim = {prefix!r}: {_no_such_claim(prefix, source)}")
        chosen |= {claim.id: claim for claim in found}
    return tuple(chosen[name] for name in sorted(chosen))


def find_claim(claim_id: str, source: str | Path | None = None) -> Claim:
    """Return one claim by its whole id.

    Parameters
    ----------
    claim_id : str
        The id.
    source : path, optional
        A Python file that exports `CLAIMS`.

    Returns
    -------
    Claim
        The claim.

    Raises
    ------
    ValueError
        If there is no such claim; near misses are named.

    Examples
    --------
    >>> find_claim("knapsack.zcl.ration")
    Traceback (most recent call last):
    ...
    ValueError: claim = 'knapsack.zcl.ration': no such claim; did you mean knapsack.zcl.ratio?
    """
    topic = () if source is not None else (claim_id.partition(".")[0],)
    for claim in _registered(topic) if topic and topic[0] in TOPICS else load_claims((), source):
        if claim.id == claim_id:
            return claim
    raise ValueError(f"claim = {claim_id!r}: {_no_such_claim(claim_id, source)}")


def missing_packages(claim: Claim) -> tuple[str, ...]:
    """Return the optional packages that the claim needs and this environment lacks.

    Parameters
    ----------
    claim : Claim
        The claim.

    Returns
    -------
    tuple of str
        Import names.
    """
    return tuple(name for name in claim.needs if importlib.util.find_spec(name) is None)


def how_to_install(packages: Sequence[str]) -> str:
    """Return the command that brings the packages.

    Parameters
    ----------
    packages : sequence of str
        Import names.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> how_to_install(["arch"])
    'pip install "boundlab[data]"'
    """
    extras = sorted({EXTRAS[name] for name in packages if name in EXTRAS})
    parts = [f'"boundlab[{",".join(extras)}]"'] if extras else []
    parts += [name for name in packages if name not in EXTRAS]
    return "pip install " + " ".join(parts)


def _topics_of(prefixes: Sequence[str]) -> tuple[str, ...]:
    wanted = {prefix.partition(".")[0] for prefix in prefixes}
    known = tuple(topic for topic in TOPICS if topic in wanted)
    return known if len(known) == len(wanted) and known else tuple(TOPICS)


@cache
def _registered(topics: tuple[str, ...]) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for topic in topics:
        claims += _exported(importlib.import_module(TOPICS[topic]), TOPICS[topic])
    return _sorted_once(claims)


def _from_file(source: str | Path) -> tuple[Claim, ...]:
    path = Path(source).resolve()
    if not path.is_file():
        raise ValueError(f"source = {str(source)!r}: no such file")
    return _loaded_file(path, hashlib.sha256(path.read_bytes()).hexdigest())


@cache
def _loaded_file(path: Path, digest: str) -> tuple[Claim, ...]:
    name = f"claims_of_a_user_{path.stem}_{digest[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"source = {str(path)!r}: must be a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # so that a claim file may import what lies beside it, now and later
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        line = next(
            (frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)), 0
        )
        raise ValueError(f"{path}, line {line}: raised {type(error).__name__}: {error}") from error
    return _sorted_once(_exported(module, str(path)))


def _exported(module: ModuleType, where: str) -> list[Claim]:
    claims = getattr(module, "CLAIMS", None)
    if claims is None:
        raise ValueError(f"{where}: must export CLAIMS, a sequence of Claim")
    try:
        listed = list(claims)
    except TypeError as error:
        raise TypeError(f"{where}: CLAIMS is a {type(claims).__name__}, must be a sequence of Claim") from error
    if not listed:
        raise ValueError(f"{where}: CLAIMS is empty")
    for position, claim in enumerate(listed):
        if not isinstance(claim, Claim):
            raise TypeError(f"{where}: CLAIMS[{position}] is a {type(claim).__name__}, must be a Claim")
    return listed


def _sorted_once(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    by_id: dict[str, Claim] = {}
    for claim in claims:
        if claim.id in by_id:
            raise ValueError(f"id = {claim.id!r}: two claims share it")
        by_id[claim.id] = claim
    return tuple(by_id[name] for name in sorted(by_id))


def _no_such_claim(wanted: str, source: str | Path | None) -> str:
    import difflib

    names = [claim.id for claim in load_claims((), source)]
    near = difflib.get_close_matches(wanted, names, n=1, cutoff=0.6)
    return "no such claim" + (
        f"; did you mean {', '.join(near)}?"
        if near
        else f"; known are {', '.join(names[:5])}{' …' if len(names) > 5 else ''}"
    )
