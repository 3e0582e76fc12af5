"""The citations: complete, well-formed, and each of them used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import proofs_checks
from proofs_checks.papers import PAPERS, Paper
from proofs_checks.registry import load_claims

_CLAIMS_FOLDER = Path(proofs_checks.__path__[0], "claims")


def test_every_claim_cites_a_known_paper() -> None:
    assert {claim.paper for claim in load_claims()} <= set(PAPERS)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS.keys())
def test_every_paper_is_cited_in_the_claims(paper: Paper) -> None:
    text = " ".join(file.read_text() for file in sorted(_CLAIMS_FOLDER.rglob("*.py")))
    first_author = paper.authors[0].split()[-1]
    assert f'paper="{paper.key}"' in text or re.search(rf"{first_author}\b[^.]*\({paper.year}\)", text)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS.keys())
def test_a_bibtex_entry_has_balanced_braces_and_all_fields(paper: Paper) -> None:
    entry = paper.bibtex()
    assert entry.count("{") == entry.count("}")
    assert entry.startswith(f"@{paper.entry}{{{paper.key},")
    for field in ("author", "title", "year", "url"):
        assert re.search(rf"^  {field} = \{{.+\}},$", entry, flags=re.MULTILINE)
    assert entry.count(" and ") >= len(paper.authors) - 1


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS.keys())
def test_a_paper_is_found_under_its_own_key_and_has_a_web_address(paper: Paper) -> None:
    assert PAPERS[paper.key] is paper
    assert paper.url.startswith("https://")
    assert str(paper.year) in str(paper)


def test_an_article_names_its_journal() -> None:
    paper = Paper(
        "turing1937", ("Alan Turing",), "On Computable Numbers", "Proc. LMS", 1937, "https://x", entry="article"
    )
    assert "  journal = {Proc. LMS}," in paper.bibtex()
