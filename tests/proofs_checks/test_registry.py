from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proofs_checks.papers import PAPERS
from proofs_checks.registry import TOPICS, find_claim, load_claims


def test_every_registered_claim_belongs_to_its_topic_and_cites_a_known_paper() -> None:
    for claim in load_claims():
        assert claim.topic in TOPICS
        assert claim.paper in PAPERS
        assert claim.mutants, claim.id


def test_a_prefix_respects_the_dots() -> None:
    assert all(claim.id.startswith("knapsack.mix.") for claim in load_claims(["knapsack.mix"]))
    with pytest.raises(ValueError, match=r"claim = 'knapsack\.mi': no such claim"):
        load_claims(["knapsack.mi"])


def test_claims_of_a_file_are_found_and_a_broken_file_says_what_is_wrong(claim_file: Path) -> None:
    assert find_claim("coins.fair", claim_file).kind == "probability"
    empty = claim_file.with_name("empty.py")
    empty.write_text("x = 1")
    with pytest.raises(ValueError, match="must export CLAIMS"):
        load_claims((), empty)
    wrong = claim_file.with_name("wrong.py")
    wrong.write_text("CLAIMS = [3]")
    with pytest.raises(TypeError, match=r"CLAIMS\[0\] is a int"):
        load_claims((), wrong)
    twice = claim_file.with_name("twice.py")
    twice.write_text(claim_file.read_text() + "\nCLAIMS = CLAIMS + CLAIMS[:1]\n")
    with pytest.raises(ValueError, match="two claims share it"):
        load_claims((), twice)


def test_a_file_that_raises_is_named_with_the_line(claim_file: Path) -> None:
    claim_file.write_text("import math\n\nmath.sqrt(-1)\n")
    with pytest.raises(ValueError, match=r"my_claims\.py, line 3: raised ValueError"):
        load_claims((), claim_file)


@pytest.mark.parametrize(("text", "told"), [("CLAIMS = []", "CLAIMS is empty"), ("CLAIMS = 5", "CLAIMS is a int")])
def test_a_file_without_claims_is_refused(claim_file: Path, text: str, told: str) -> None:
    claim_file.write_text(text)
    with pytest.raises((TypeError, ValueError), match=told):
        load_claims((), claim_file)


def test_an_edited_file_is_loaded_anew(claim_file: Path) -> None:
    assert len(load_claims((), claim_file)) == 5
    claim_file.write_text(claim_file.read_text() + "\nCLAIMS = CLAIMS[:1]\n")
    assert len(load_claims((), claim_file)) == 1


def test_every_claim_can_be_listed_without_torch_and_without_drawing_anything() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from proofs_checks.registry import load_claims\n"
        "load_claims(); print([m for m in ('matplotlib.pyplot', 'hypothesis', 'cvxpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
