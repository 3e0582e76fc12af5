from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def dry_run(*arguments: str) -> str:
    """What make would do, in an environment that has nothing yet."""
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", *arguments]
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")  # this test itself may run under make
    clean = {name: value for name, value in os.environ.items() if name not in outer}
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("torch", "expected"), [("1", True), ("0", False)])
def test_torch_is_installed_unless_it_is_declined(torch: str, expected: bool) -> None:
    installed = re.search(r'--editable "\.\[([a-z,]+)\]"', dry_run("environment", f"TORCH={torch}"))
    assert installed is not None
    extras = installed[1].split(",")
    assert set(extras) <= set(EXTRAS)
    assert ("neural" in extras) == expected


def test_the_two_commands_run_what_the_readme_says() -> None:
    assert "proofs_checks.cli validate --effort quick --mutants --out build/report" in dry_run("report")
    plan = dry_run("test")
    for part in ("ruff format --check", "ruff check", "-m mypy", "numpydoc lint", "importlinter", "--doctest-modules"):
        assert part in plan
    assert re.search(r"-m pytest -n 2 --dist loadfile", plan)


def test_every_path_in_the_environment_recipe_is_relative() -> None:
    assert str(ROOT) not in dry_run("environment")
