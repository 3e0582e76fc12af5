from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_folder_of_ones_own_that_shadows_ours_is_named(tmp_path: Path) -> None:
    intruder = tmp_path / "learning_augmented"
    intruder.mkdir()
    (intruder / "__init__.py").write_text("")
    command = [sys.executable, "-c", "import proofs_checks.cli"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"package 'learning_augmented': Python finds {intruder.resolve()}" in done.stderr
    assert "virtual environment of its own" in done.stderr


def test_even_the_first_package_that_is_imported_is_named(tmp_path: Path) -> None:
    (tmp_path / "algos").mkdir()
    (tmp_path / "algos" / "__init__.py").write_text("")
    command = [sys.executable, "-c", "import proofs_checks.cli"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert f"package 'algos': Python finds {tmp_path / 'algos'}" in done.stderr


def test_a_folder_of_a_name_that_we_do_not_use_is_nobodys_business(tmp_path: Path) -> None:
    (tmp_path / "experiments").mkdir()
    subprocess.run([sys.executable, "-c", "import proofs_checks.cli"], cwd=tmp_path, check=True)
