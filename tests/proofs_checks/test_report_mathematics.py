from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from proofs_checks.registry import load_claims
from proofs_checks.report.mathematics import statement_html, statement_text

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    r"$\text{<script>alert(1)</script>}$",
    r"$\mathrm{<img src=x onerror=alert(1)>}$",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\style{background:url(https://outside.example)}{x}$",
    r"$$\text{</math><script>alert(1)</script>}$$",
    "![picture](https://outside.example/picture.png)",
    "[link](javascript:alert(1))",
    "`$<script>`",
)


def parsed(statement: str) -> ElementTree.Element:
    """The HTML as a tree; what comes out must be well formed."""
    return ElementTree.fromstring(f"<div>{statement_html(statement)}</div>")


@pytest.mark.parametrize("statement", HOSTILE)
def test_what_a_statement_says_is_shown_and_never_obeyed(statement: str) -> None:
    for element in parsed(statement).iter():
        tag = element.tag.rpartition("}")[2]
        assert tag not in ("script", "img")
        assert not {"src", "style", "onerror"} & set(element.attrib)
        assert "href" not in element.attrib or (tag == "a" and element.attrib["href"].startswith("https://"))


def test_a_citation_may_be_a_link() -> None:
    assert '<a href="https://doi.org/10.1000/1">' in statement_html("see [there](https://doi.org/10.1000/1)")


def test_signs_that_html_knows_are_shown_in_words_and_in_formulas() -> None:
    assert "".join(parsed(r"R&D if $x<y$ and $\text{a < b & c}$").itertext()) == "R&D if x<y and a\xa0<\xa0b\xa0&\xa0c"


def test_headings_stay_text_so_that_the_page_keeps_its_outline() -> None:
    assert not re.search(r"<h\d", statement_html("# one\n\ntwo\n---\n"))


def test_display_formulas_stay_inside_their_paragraph() -> None:
    html = statement_html("so $$x^2$$ follows")
    assert 'display="block"' in html
    assert "<div" not in html
    assert 'display="block"' in statement_html("$$\nx^2\n$$")


def test_a_bracket_or_full_stop_does_not_start_the_line_after_its_formula() -> None:
    assert re.search(r'<span class="together">\(<math.*</math>\),</span>', statement_html("a ($x$), b"))
    assert "together" not in statement_html("a $x$ b")


def test_function_names_are_spaced_and_words_are_identifiers() -> None:
    formula = parsed(r"$K \min(1, x) \le \mathrm{OPT}/\mathrm{ALG}$")
    spaced = {element.text: element.get("lspace") for element in formula.iter() if element.get("lspace")}
    assert spaced == {"min": "0.167em"}
    words = [element.text for element in formula.iter() if element.tag.endswith("}mi")]
    assert words == ["K", "x", "OPT", "ALG"]


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\undefined{x}", r"\begin{cases}", r"\left( x"])
def test_latex_that_cannot_be_converted_is_shown_as_it_is(latex: str) -> None:
    text = "".join(parsed(f"see ${latex}$ there").itertext())
    assert text == f"see {latex} there"


def test_a_label_in_plain_text_has_characters_for_greek_letters() -> None:
    assert statement_text(r"trust $\lambda$ of *Mix* & co") == "trust λ of Mix & co"


def test_every_registered_statement_becomes_mathml_without_leftover_latex() -> None:
    for claim in load_claims():
        for text in (claim.statement, *claim.assumptions):
            assert statement_html(text).count("<code>") == text.count("`") / 2, (claim.id, "a formula stayed LaTeX")
            html = re.sub(r"<code>[^<]*</code>", "", statement_html(text))
            assert "\\" not in html, (claim.id, html)
            assert "$" not in html, (claim.id, html)
