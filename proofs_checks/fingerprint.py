"""What evidence depends on besides its arguments: our code, our weights, and the numerical packages' versions."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib import metadata
from pathlib import Path

from proofs_checks.packages import PACKAGES, root

__all__ = ["code_fingerprint", "versions"]

_SUFFIXES = (".py", ".npz", ".json")
_NUMERICAL = ("numpy", "scipy", "numba", "torch")


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on.

    Returns
    -------
    dict of str to str
        Python and the numerical packages; "absent" where one is not installed.
    """
    found = {"python": platform.python_version()}
    for name in _NUMERICAL:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def code_fingerprint(source: str | Path | None = None) -> str:
    """Return a hash of all our code and weights, the versions, and a user's claim file.

    Parameters
    ----------
    source : path, optional
        The user's claim file.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256(_ours(root()).encode())
    if source is not None:
        digest.update(Path(source).read_bytes())
    return digest.hexdigest()[:16]


@cache
def _ours(top: Path) -> str:
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((top / package).rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                digest.update(f"{path.relative_to(top).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    for name, version in sorted(versions().items()):
        digest.update(f"{name}={version}\0".encode())
    return digest.hexdigest()
