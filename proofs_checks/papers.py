"""The papers behind the claims: one entry a paper, only papers that a claim cites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

__all__ = ["PAPERS", "Paper"]

Entry: TypeAlias = Literal["inproceedings", "article"]

_VENUE_FIELD: Mapping[Entry, str] = MappingProxyType({"inproceedings": "booktitle", "article": "journal"})


@dataclass(frozen=True, slots=True)
class Paper:
    """A citation.

    Parameters
    ----------
    key : str
        Citation key, also the key in `PAPERS`.
    authors : tuple of str
        Full names, in the paper's order.
    title, venue : str
        As published.
    year : int
        Of publication.
    url : str
        Where a reader finds it.
    note : str
        Anything a reader should know, such as an earlier title.
    entry : {"inproceedings", "article"}
        BibTeX entry type.

    Examples
    --------
    >>> print(PAPERS["zhou2008"])
    Zhou, Chakrabarty, Lukose (2008): Budget Constrained Bidding in Keyword Auctions and Online Knapsack Problems
    """

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    url: str
    note: str = ""
    entry: Entry = "inproceedings"

    def __str__(self) -> str:
        """Family names, year and title."""
        family = ", ".join(author.split()[-1] for author in self.authors)
        return f"{family} ({self.year}): {self.title}"

    def bibtex(self) -> str:
        """Return the BibTeX entry.

        Returns
        -------
        str
            Several lines, no newline at the end.

        Examples
        --------
        >>> print(PAPERS["purohit2018"].bibtex())
        @inproceedings{purohit2018,
          author = {Manish Purohit and Zoya Svitkina and Ravi Kumar},
          title = {{Improving Online Algorithms via ML Predictions}},
          booktitle = {Advances in Neural Information Processing Systems 31},
          year = {2018},
          url = {https://arxiv.org/abs/2407.17712},
        }
        """
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            _VENUE_FIELD[self.entry]: self.venue,
            "year": str(self.year),
            "url": self.url,
        }
        if self.note:
            fields["note"] = self.note
        lines = [f"  {name} = {{{text}}}," for name, text in fields.items()]
        return "\n".join([f"@{self.entry}{{{self.key},", *lines, "}"])


_ALL = (
    Paper(
        key="zhou2008",
        authors=("Yunhong Zhou", "Deeparnab Chakrabarty", "Rajan Lukose"),
        title="Budget Constrained Bidding in Keyword Auctions and Online Knapsack Problems",
        venue="Internet and Network Economics (WINE 2008)",
        year=2008,
        url="https://doi.org/10.1007/978-3-540-92185-1_63",
    ),
    Paper(
        key="purohit2018",
        authors=("Manish Purohit", "Zoya Svitkina", "Ravi Kumar"),
        title="Improving Online Algorithms via ML Predictions",
        venue="Advances in Neural Information Processing Systems 31",
        year=2018,
        url="https://arxiv.org/abs/2407.17712",
    ),
    Paper(
        key="daneshvaramoli2025",
        authors=(
            "Mohammadreza Daneshvaramoli",
            "Helia Karisani",
            "Adam Lechowicz",
            "Bo Sun",
            "Cameron Musco",
            "Mohammad Hajiesmaili",
        ),
        title="Near-Optimal Consistency-Robustness Trade-Offs for Learning-Augmented Online Knapsack Problems",
        venue="Proceedings of the 42nd International Conference on Machine Learning",
        year=2025,
        url="https://arxiv.org/abs/2406.18752",
        note="First version (2024): Competitive Algorithms for Online Knapsack with Succinct Predictions",
    ),
    Paper(
        key="im2021",
        authors=("Sungjin Im", "Ravi Kumar", "Mahshid Montazer Qaem", "Manish Purohit"),
        title="Online Knapsack with Frequency Predictions",
        venue="Advances in Neural Information Processing Systems 34",
        year=2021,
        url="https://proceedings.neurips.cc/paper/2021",
    ),
)

PAPERS: Mapping[str, Paper] = MappingProxyType({paper.key: paper for paper in _ALL})
"""Every cited paper, by key."""
