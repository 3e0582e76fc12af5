"""What evidence depends on besides its arguments: our code, weights and data, and the versions of what we require."""

from __future__ import annotations

import hashlib
import platform
import re
from functools import cache
from importlib import metadata
from pathlib import Path

from proofs_checks.registry import EXTRAS
from proofs_checks.running.packages import PACKAGES, root

__all__ = ["code_fingerprint", "versions"]

_COMPILED = ("__pycache__",)
_TOLD = ("numpy", "scipy", "numba", "torch")


def versions() -> dict[str, str]:
    """Return the versions that a reader wants to know.

    Returns
    -------
    dict of str to str
        Python and the numerical packages; "absent" where one is not installed.
    """
    return {"python": platform.python_version()} | {name: _version(name) for name in _TOLD}


def code_fingerprint(source: str | Path | None = None) -> str:
    """Return a hash of every file that we ship, the versions of what we require, and a user's Python files.

    Parameters
    ----------
    source : path, optional
        The user's claim file; the Python files beside it count as well.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256(_ours(root()).encode())
    if source is not None:
        for path in sorted(Path(source).resolve().parent.glob("*.py")):  # it may import what lies beside it
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _ours(top: Path) -> str:
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((top / package).rglob("*")):
            if path.is_file() and not set(_COMPILED) & set(path.parts):
                digest.update(f"{path.relative_to(top).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    digest.update(platform.python_version().encode())
    for name in _required():
        digest.update(f"{name}={_version(name)}\0".encode())
    return digest.hexdigest()


def _required() -> list[str]:
    """Distributions that claims may compute with: our dependencies and those of the extras that claims name."""
    wanted = {*_TOLD, *EXTRAS}
    for requirement in metadata.requires("boundlab") or ():
        name, _, condition = requirement.partition(";")
        if "extra" not in condition:
            wanted.add(re.split(r"[^A-Za-z0-9_.-]", name.strip())[0])
    return sorted(wanted)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "absent"
