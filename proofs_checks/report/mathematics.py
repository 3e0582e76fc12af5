"""Statements: Markdown with LaTeX between dollar signs, to HTML with MathML, which browsers draw by themselves.

A statement may come from a stranger's file: tags in it are shown, not obeyed, in formulas as well, and it cannot make
the page load anything.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

__all__ = ["statement_html", "statement_text"]

_WORD = re.compile(r"\\(?:mathrm|operatorname)\{([A-Za-z]{2,})\}")
_FOREIGN = ("class", "href", "id", "style")
"""Attributes that LaTeX can ask for (\\href, \\style…) and that have no business in a statement."""
_NOT_PARTED = re.compile(r"([(\[]?)(<math[^>]*>(?:(?!</math>).)*</math>)([)\].,;:!?]+|)", re.S)


def statement_html(statement: str) -> str:
    """Return a statement as HTML.

    Parameters
    ----------
    statement : str
        Markdown with ``$inline$`` and ``$$display$$`` LaTeX; headings and images have no meaning in it.

    Returns
    -------
    str
        HTML with MathML; LaTeX that cannot be converted is shown as it is.

    Examples
    --------
    >>> html = statement_html("at most $x$ & <b>")
    >>> "<mi>x</mi>" in html, html.endswith("&amp; &lt;b&gt;</p>")
    (True, True)
    """
    return _NOT_PARTED.sub(_together, str(_markdown().render(statement)).strip())


def statement_text(statement: str) -> str:
    """Return a statement as one line of plain text, for labels that take no markup.

    Parameters
    ----------
    statement : str
        Markdown with LaTeX.

    Returns
    -------
    str
        The same words; Greek letters and signs as characters.

    Examples
    --------
    >>> statement_text(r"trust $\\lambda$ of the *policy*")
    'trust λ of the policy'
    """
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", statement_html(statement))).split())


def _together(found: re.Match[str]) -> str:
    """A bracket or full stop must not start the line after its formula."""
    if not found[1] and not found[3]:
        return found[0]
    return f'<span class="together">{found[0]}</span>'


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": False}).disable(["heading", "image", "lheading"])
    parser.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    # The plugin's own rules put a <div> into a paragraph, which ends the paragraph.
    parser.add_render_rule("math_inline", lambda _, tokens, index, *rest: _mathml(tokens[index].content, "inline"))
    for rule in ("math_inline_double", "math_block"):
        parser.add_render_rule(rule, lambda _, tokens, index, *rest: _mathml(tokens[index].content, "block"))
    return parser


def _mathml(latex: str, display: str) -> str:
    from latex2mathml.converter import convert_to_element

    try:
        # A word in \mathrm would become one identifier a letter.
        element = convert_to_element(_WORD.sub(r"\\text{\1}", latex), display=display)
        _settle(element)
    except Exception:  # the converter raises many kinds; the reader still gets the formula, as text
        return f"<code>{html.escape(latex)}</code>"
    return ElementTree.tostring(element, encoding="unicode")


def _settle(element: ElementTree.Element) -> None:
    """Make texts characters, so that serialising escapes them; drop foreign attributes; space names as TeX does."""
    for parent in element.iter():
        parent.text = html.unescape(parent.text) if parent.text else parent.text
        if parent.text and "\\" in parent.text:
            raise ValueError(f"{parent.text}: unknown command")
        for name in _FOREIGN:
            parent.attrib.pop(name, None)
    for parent in element.iter():
        children = list(parent)
        for before, child, after in zip([None, *children], children, [*children[1:], None], strict=False):
            if child.tag in ("mi", "mo") and re.fullmatch("[A-Za-z]{2,}", child.text or ""):
                child.tag = "mo"
                opens = after is None or (after.text or "") in ("(", "[", "{")
                child.set("lspace", "0" if before is None or before.tag == "mo" else "0.167em")
                child.set("rspace", "0" if opens else "0.167em")
            elif child.tag == "mtext" and (child.text or "").isalpha():
                child.tag = "mi"  # to MathML a text is a space, so OPT/ALG would be one wide operator
                child.set("mathvariant", "normal")
