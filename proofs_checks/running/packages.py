"""The five import packages have generic names; this says so when another package of that name gets in the way."""

from __future__ import annotations

import importlib.util
from pathlib import Path

__all__ = ["PACKAGES", "refuse_intruders", "root"]


PACKAGES = ("algos", "learning_augmented", "graphs", "neural", "proofs_checks")
"""As in `algos.kernel_cache`, which cannot be imported from here: it may be what is shadowed."""


def root() -> Path:
    """Return the folder that holds our packages.

    Returns
    -------
    Path
        Of this installation.
    """
    return Path(__file__).resolve().parents[2]


def refuse_intruders() -> None:
    """Raise if importing one of our package names would bring somebody else's package.

    Raises
    ------
    ImportError
        Naming the package, where it was found and where ours lies.
    """
    top = root()
    for name in PACKAGES:
        ours = top / name
        if not ours.is_dir():
            continue
        spec = importlib.util.find_spec(name)
        found = [Path(place).resolve() for place in (spec.submodule_search_locations or ())] if spec else []
        if found != [ours]:
            where = str(found[0]) if found else (spec.origin if spec and spec.origin else "nowhere")
            raise ImportError(
                f"package {name!r}: Python finds {where}, boundlab's own is {ours}. Something else of that name "
                f"shadows it: run from another folder, or install boundlab in a virtual environment of its own."
            )
