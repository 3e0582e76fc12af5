"""What a user brings along: an algorithm, or a charge, named on the command line."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from typing import Any

__all__ = ["load_subject"]


def load_subject(name: str) -> Any:
    """Import an object that the user names, from the current folder or from what is installed.

    Parameters
    ----------
    name : str
        ``module:name``, both dotted where need be. The current folder is put first on the import path, as
        ``python -m`` does.

    Returns
    -------
    object
        The object.

    Raises
    ------
    ValueError
        If `name` has another form, there is no such module, or nothing of that name in it.

    Examples
    --------
    >>> load_subject("math:floor")
    <built-in function floor>
    >>> load_subject("math:flor")
    Traceback (most recent call last):
    ...
    ValueError: subject = 'math:flor': module math has no 'flor'; did you mean floor?
    """
    module_name, colon, path = name.partition(":")
    parts = [*module_name.split("."), *path.split(".")]
    if not colon or not all(part.isidentifier() for part in parts):
        raise ValueError(f"subject = {name!r}: must have the form module:name, such as my_policies:late_buyer")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    importlib.invalidate_caches()
    found: Any = _imported(name, module_name)
    for part in path.split("."):
        if not hasattr(found, part):
            raise ValueError(f"subject = {name!r}: {_missing_in(found, module_name, part)}")
        found = getattr(found, part)
    return found


def _imported(name: str, module_name: str) -> Any:
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        packages = [module_name[:end] for end, char in enumerate(module_name + ".") if char == "."]
        if error.name in packages:  # the module itself, not something that it imports
            where = f"neither in {os.getcwd()} nor among what is installed"
            raise ValueError(f"subject = {name!r}: no module {error.name}, {where}") from error
        error.add_note(f"raised while importing the subject {name!r}")
        raise
    except SystemExit as error:
        raise ValueError(f"subject = {name!r}: importing {module_name} called exit({error.code!r})") from error


def _missing_in(found: Any, module_name: str, part: str) -> str:
    near = difflib.get_close_matches(part, dir(found), n=3)
    return f"module {module_name} has no {part!r}" + (f"; did you mean {', '.join(near)}?" if near else "")
