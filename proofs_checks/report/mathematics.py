"""Statements: Markdown with LaTeX between dollar signs, to HTML with MathML, which browsers draw by themselves."""

from __future__ import annotations

import html
import re
from functools import cache
from typing import Any

__all__ = ["statement_html", "statement_text"]

_WORD = re.compile(r"\\(?:mathrm|operatorname)\{([A-Za-z]{2,})\}")


def statement_html(statement: str) -> str:
    """Return a statement as HTML; tags in it are shown, not obeyed.

    Parameters
    ----------
    statement : str
        Markdown with ``$inline$`` and ``$$display$$`` LaTeX.

    Returns
    -------
    str
        HTML with MathML.

    Examples
    --------
    >>> html = statement_html("at most $x$ & <b>")
    >>> "<mi>x</mi>" in html, html.endswith("&amp; &lt;b&gt;</p>")
    (True, True)
    """
    return str(_markdown().render(statement)).strip()


def statement_text(statement: str) -> str:
    """Return a statement as one line of plain text, for labels that take no markup.

    Parameters
    ----------
    statement : str
        Markdown with LaTeX.

    Returns
    -------
    str
        The LaTeX as it is, without dollar signs.
    """
    return " ".join(statement.replace("$", "").split())


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": False})
    return parser.use(dollarmath_plugin, renderer=_mathml, double_inline=True)


def _mathml(latex: str, options: dict[str, Any]) -> str:
    from latex2mathml.converter import convert

    display = "block" if options.get("display_mode") else "inline"
    try:
        # A word in \mathrm would become one identifier a letter.
        return str(convert(_WORD.sub(r"\\text{\1}", latex), display=display))
    except Exception:  # the converter raises many kinds; the reader still gets the formula, as text
        return f"<code>{html.escape(latex)}</code>"
