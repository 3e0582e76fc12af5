from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from algos.kernel_cache import PACKAGES

ROOT = Path(__file__).resolve().parent.parent


def call(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run with nothing of this repository on the path."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds only the built wheel; the dependencies are lent by this one, ours is not."""
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (wheel,) = folder.glob("boundlab-*.whl")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    site = sysconfig.get_path("purelib", vars={"base": str(folder / "env"), "platbase": str(folder / "env")})
    # A path named in a .pth file is searched, but its own .pth files are not read: the editable install stays out.
    (Path(site) / "lent_dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    call(sys.executable, "-m", "pip", f"--python={python}", "install", "--no-deps", "--no-index", wheel, cwd=folder)
    return folder / "env" / "bin"


def test_the_wheel_alone_lists_its_claims_and_judges_one_with_its_report(installed: Path, tmp_path: Path) -> None:
    where = call(installed / "python", "-c", "import proofs_checks; print(proofs_checks.__file__)", cwd=tmp_path)
    assert where.stdout.startswith(str(installed.parent))
    assert "knapsack.zcl.ratio" in call(installed / "boundlab", "list", cwd=tmp_path).stdout.split()
    call(installed / "boundlab", "validate", "knapsack.zcl.ratio", "--effort", "smoke", "--jobs", "2", cwd=tmp_path)
    assert "knapsack.zcl.ratio" in (tmp_path / "build" / "report" / "index.html").read_text()


def test_the_wheel_alone_breaks_the_bound_without_its_1_and_replays_the_counterexample(
    installed: Path, tmp_path: Path
) -> None:
    search = [
        installed / "boundlab",
        "falsify",
        "knapsack.zcl.logarithm_alone",
        "--seconds",
        "20",
        "--out",
        "found.json",
    ]
    done = subprocess.run(search, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    (tmp_path / "elsewhere").mkdir()
    replayed = call(installed / "boundlab", "replay", tmp_path / "found.json", cwd=tmp_path / "elsewhere")
    assert "violated" in replayed.stdout


def test_the_wheel_carries_the_marker_for_type_checkers_in_every_package(installed: Path) -> None:
    site = next((installed.parent / "lib").glob("python*/site-packages"))
    for package in PACKAGES:
        assert (site / package / "py.typed").is_file() == (ROOT / package).is_dir()
    assert not (site / "tests").exists()
