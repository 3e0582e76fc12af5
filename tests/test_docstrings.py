"""Public docstrings, checked on the imported objects: signatures and properties are known there."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from numpydoc.validate import validate

from algos.kernel_cache import PACKAGES

CHECKED = {"GL08", "SS01", "SS02", "SS03", "PR01", "PR02", "PR03", "RT01", "RT03"}


def public_objects() -> Iterator[str]:
    """Dotted names of everything in the `__all__` of a module of ours, methods included."""
    for name in PACKAGES:
        if importlib.util.find_spec(name) is None:
            continue
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".claims." in module.name or module.name.rsplit(".", 1)[-1].startswith("_"):
                continue
            loaded = importlib.import_module(module.name)
            for name in getattr(loaded, "__all__", ()):
                thing = getattr(loaded, name)
                ours = getattr(thing, "__module__", None) == module.name and callable(thing)
                if ours and not getattr(thing, "_is_protocol", False):
                    yield f"{module.name}.{name}"
                    yield from (f"{module.name}.{name}.{method}" for method in methods_of(thing))


def methods_of(thing: Any) -> Iterator[str]:
    """Public methods that a class defines itself."""
    if inspect.isclass(thing):
        for name, member in vars(thing).items():
            if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, (property, classmethod))):
                yield name


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_a_public_docstring_gives_summary_parameters_and_returns(name: str) -> None:
    found = [f"{code} {text}" for code, text in validate(name)["errors"] if code in CHECKED]
    assert found == []
