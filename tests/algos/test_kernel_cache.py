"""The folder of compiled kernels: it follows every kernel file, and respects what the user chose."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import algos
from algos import kernel_cache
from algos.kernel_cache import kernel_modules, warm

CALLEE = """
from numba import njit

@njit(cache=True)
def answer():
    return {answer}

def warm():
    answer()
"""
CALLER = """
from numba import njit
from algos._kernels import answer

@njit(cache=True)
def ask():
    return answer()

def warm():
    ask()
"""
ASK = """
from algos.kernel_cache import warm
warm()
from learning_augmented.room._kernels import ask
print(ask(), ask.stats.cache_hits[()] if ask.stats.cache_hits else 0)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of packages with our cache module, a kernel, and a kernel in another package that calls it."""
    top = tmp_path / "tree"
    for package in ("algos", "learning_augmented", "learning_augmented/room"):
        (top / package).mkdir(parents=True)
        (top / package / "__init__.py").touch()
    source = Path(kernel_cache.__file__)
    (top / "algos" / "kernel_cache.py").write_bytes(source.read_bytes())
    (top / "algos" / "_kernels.py").write_text(CALLEE.format(answer=1))
    (top / "learning_augmented" / "room" / "_kernels.py").write_text(CALLER)
    return top


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user cache of this test, and nothing chosen yet."""
    import numba

    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("BOUNDLAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def load(tree: Path) -> ModuleType:
    """The tree's own cache module, fresh, as a new process would see it."""
    spec = importlib.util.spec_from_file_location("kernel_cache_of_a_copy", tree / "algos" / "kernel_cache.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def folder_of(tree: Path) -> Path:
    folder = load(tree).use_kernel_cache()
    assert isinstance(folder, Path)
    return folder


def test_the_folder_lies_in_the_users_cache_and_is_told_to_numba(tree: Path, own_cache: Path) -> None:
    import numba

    folder = folder_of(tree)
    assert folder.parent == own_cache / "numba"
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder)
    assert str(folder) == numba.config.CACHE_DIR


def test_asking_twice_changes_nothing(tree: Path, own_cache: Path) -> None:
    module = load(tree)
    folder = module.use_kernel_cache()
    (tree / "algos" / "_kernels.py").write_text(CALLEE.format(answer=2))
    assert module.use_kernel_cache() == folder  # what this process has imported is the old file


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("algos/_kernels.py", CALLEE.format(answer=2)),
        ("learning_augmented/room/_kernels.py", CALLER + "\n"),
        ("graphs/flow/_kernels.py", CALLEE.format(answer=1)),
    ],
)
def test_editing_or_adding_a_kernel_file_changes_the_folder(tree: Path, own_cache: Path, path: str, text: str) -> None:
    before = folder_of(tree)
    (tree / path).parent.mkdir(parents=True, exist_ok=True)
    (tree / path).write_text(text)
    assert folder_of(tree) != before


def test_moving_a_kernel_file_changes_the_folder(tree: Path, own_cache: Path) -> None:
    before = folder_of(tree)
    (tree / "learning_augmented" / "room").rename(tree / "learning_augmented" / "hall")
    assert folder_of(tree) != before


def test_editing_any_other_file_keeps_the_folder(tree: Path, own_cache: Path) -> None:
    before = folder_of(tree)
    (tree / "learning_augmented" / "room" / "policy.py").write_text("LIMIT = 3\n")
    (tree / "elsewhere").mkdir()
    (tree / "elsewhere" / "_kernels.py").write_text(CALLEE.format(answer=3))
    assert folder_of(tree) == before


def test_another_version_of_numba_changes_the_folder(
    tree: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folder_of(tree)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.0.1")
    assert folder_of(tree) != before


def test_a_folder_that_the_user_chose_is_respected(
    tree: Path, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "theirs"))
    assert folder_of(tree) == tmp_path / "theirs"
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "theirs")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "in their session"))
    assert folder_of(tree) == tmp_path / "in their session"
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_a_folder_of_ours_that_was_inherited_from_before_an_edit_is_replaced(tree: Path, own_cache: Path) -> None:
    inherited = folder_of(tree)
    (tree / "algos" / "_kernels.py").write_text(CALLEE.format(answer=2))
    renewed = folder_of(tree)
    assert inherited != renewed
    assert os.environ["NUMBA_CACHE_DIR"] == str(renewed)


def ask(tree: Path, cache: Path, **chosen: str) -> list[int]:
    """The caller's answer in a new process, and how often it came from the disk."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"PYTHONPATH": str(tree), "BOUNDLAB_CACHE": str(cache), **chosen}
    command = [sys.executable, "-c", ASK]
    done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def test_a_cached_caller_gives_the_new_answer_after_its_callee_was_edited(tree: Path, tmp_path: Path) -> None:
    assert ask(tree, tmp_path / "cache") == [1, 0]
    assert ask(tree, tmp_path / "cache") == [1, 1]
    (tree / "algos" / "_kernels.py").write_text(CALLEE.format(answer=2))
    assert ask(tree, tmp_path / "cache") == [2, 0]


def test_numba_by_itself_would_give_the_old_answer(tree: Path, tmp_path: Path) -> None:
    one_folder = str(tmp_path / "one folder for all")
    assert ask(tree, tmp_path, NUMBA_CACHE_DIR=one_folder) == [1, 0]
    (tree / "algos" / "_kernels.py").write_text(CALLEE.format(answer=2))
    assert ask(tree, tmp_path, NUMBA_CACHE_DIR=one_folder) == [1, 1]


def test_the_modules_of_kernels_are_all_files_of_that_name() -> None:
    top = Path(algos.__file__).parent.parent
    packages = ("algos", "learning_augmented", "graphs", "neural", "proofs_checks")
    files = [path.relative_to(top) for package in packages for path in (top / package).glob("**/_kernels.py")]
    assert kernel_modules() == sorted(str(path.with_suffix("")).replace(os.sep, ".") for path in files)


@pytest.mark.parametrize("name", kernel_modules())
def test_warming_a_module_compiles_every_kernel_that_it_exports(name: str) -> None:
    module = importlib.import_module(name)
    module.warm()
    exported = [getattr(module, kernel) for kernel in module.__all__ if kernel != "warm"]
    assert exported
    for kernel in exported:
        assert not hasattr(kernel, "signatures") or len(kernel.signatures) >= 1  # no signatures: numba is disabled


def test_warming_reports_progress_module_by_module(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[str] = []
    monkeypatch.setattr(kernel_cache, "kernel_modules", lambda: ["a._kernels", "b._kernels"])
    monkeypatch.setattr(importlib, "import_module", lambda name: SimpleNamespace(warm=lambda: warmed.append(name)))
    seen: list[tuple[int, int, int]] = []
    warm(lambda done, total: seen.append((done, total, len(warmed))))
    assert warmed == ["a._kernels", "b._kernels"]
    assert seen == [(0, 2, 0), (1, 2, 1), (2, 2, 2)]
