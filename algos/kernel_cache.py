"""Where compiled kernels are kept, and compiling all of them ahead of time.

Numba notices that a cached kernel is stale when its own file changes, not when a kernel that it calls from another file
does: the caller goes on with the old callee. So the cache folder is named by a hash of every kernel file, and any edit
starts an empty one. Compiling ahead, in one process, spares the workers from filling an empty cache all at once.

A kernel file is a module called ``_kernels`` with a plain function ``warm()`` that calls each of its kernels once, on
tiny arguments of the types and layouts of production.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ["kernel_modules", "use_kernel_cache", "warm"]

PACKAGES = ("algos", "learning_augmented", "graphs", "neural", "proofs_checks")
_VARIABLE = "NUMBA_CACHE_DIR"


def use_kernel_cache() -> Path:
    """Make numba keep compiled kernels in the folder that belongs to the present kernel files.

    Call it before a ``_kernels`` module is imported: a kernel keeps the folder that it was created with. Worker
    processes inherit the choice through the environment. A folder that somebody else chose (the variable
    NUMBA_CACHE_DIR, or ``numba.config.CACHE_DIR``) is left alone; one below our own, inherited from a process that
    started before an edit, is replaced. BOUNDLAB_CACHE moves the user's cache folder.

    Returns
    -------
    Path
        The folder in force; numba creates it when it first stores a kernel.

    Examples
    --------
    >>> use_kernel_cache() == use_kernel_cache()
    True
    """
    ours = _user_cache() / "numba"
    numba = sys.modules.get("numba")
    chosen = os.environ.get(_VARIABLE) or (numba.config.CACHE_DIR if numba is not None else "")
    if chosen and not Path(chosen).is_relative_to(ours):
        return Path(chosen)
    folder = ours / _fingerprint(_root())
    os.environ[_VARIABLE] = str(folder)
    if numba is not None:
        numba.config.CACHE_DIR = str(folder)  # read from the environment once, when numba was imported
    return folder


def kernel_modules() -> list[str]:
    """Return the names of all modules of compiled kernels.

    Returns
    -------
    list of str
        Dotted and sorted.

    Examples
    --------
    >>> "algos._kernels" in kernel_modules()
    True
    """
    top = _root()
    return sorted(".".join(path.relative_to(top).with_suffix("").parts) for path in _kernel_files(top))


def warm(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile every kernel and store it on disk; what is stored already is only loaded.

    Parameters
    ----------
    progress : callable, optional
        ``progress(done, total)``, in modules; called before the first one as well.

    Raises
    ------
    AttributeError
        If a module of kernels has no function ``warm``.
    """
    use_kernel_cache()
    names = kernel_modules()
    for done, name in enumerate(names):
        if progress is not None:
            progress(done, len(names))
        importlib.import_module(name).warm()
    if progress is not None:
        progress(len(names), len(names))


def _root() -> Path:
    return Path(__file__).resolve().parent.parent


def _user_cache() -> Path:
    override = os.environ.get("BOUNDLAB_CACHE")
    return Path(override).absolute() if override else user_cache_path("boundlab")


def _kernel_files(top: Path) -> list[Path]:
    return [path for package in PACKAGES for path in sorted((top / package).rglob("_kernels.py"))]


@cache  # one folder for the whole life of a process, whose modules are those of its start
def _fingerprint(top: Path) -> str:
    digest = hashlib.sha256(metadata.version("numba").encode())
    for path in _kernel_files(top):
        digest.update(f"\0{path.relative_to(top).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
