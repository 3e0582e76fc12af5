from __future__ import annotations

import re
import tomllib
from pathlib import Path

from algos.kernel_cache import PACKAGES
from proofs_checks.running import packages

ROOT = Path(__file__).resolve().parent.parent
PRESENT = [name for name in PACKAGES if (ROOT / name / "__init__.py").is_file()]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_list_of_packages_names_those_that_exist() -> None:
    tool = CONFIG["tool"]
    assert list(PACKAGES) == tool["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert tool["mypy"]["packages"] == PRESENT
    assert tool["importlinter"]["root_packages"] == PRESENT
    arrows, *_ = tool["importlinter"]["contracts"]
    layers = {name.strip() for layer in arrows["layers"] for name in layer.split("|")}
    assert layers == set(PRESENT)
    code = re.search(r"^CODE := (.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert code is not None
    assert code[1].split() == PRESENT


def test_the_list_that_cannot_be_imported_is_the_same() -> None:
    assert packages.PACKAGES == PACKAGES


def test_every_package_is_marked_as_typed() -> None:
    for name in PRESENT:
        assert (ROOT / name / "py.typed").is_file()
