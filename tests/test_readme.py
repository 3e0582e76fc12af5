from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from proofs_checks.cli import main
from proofs_checks.command.terminal import claims_markdown
from proofs_checks.registry import load_claims

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def test_the_table_of_claims_is_what_the_command_prints() -> None:
    table = re.search(r"<!-- claims: .*? -->\n(.*?)\n<!-- end of claims -->", README, re.S)
    assert table is not None
    assert table[1] == claims_markdown(load_claims()), "replace the table with the output of: boundlab list --markdown"


def test_the_python_examples_run_and_print_what_they_say() -> None:
    examples = [block for block in re.findall(r"```python\n(.*?)```", README, re.S) if ">>>" in block]
    assert len(examples) >= 3
    known: dict[str, object] = {}  # a reader goes from top to bottom, so later examples see earlier names
    for number, block in enumerate(examples):
        test = doctest.DocTestParser().get_doctest(block, known, f"README example {number}", "README.md", 0)
        told: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        failed = runner.run(test, out=told.append, clear_globs=False).failed
        assert not failed, "".join(told)
        known = test.globs


@pytest.mark.parametrize("line", re.findall(r"^(?:\$ )?(boundlab .+)$", README, re.M))
def test_every_command_in_the_readme_exists_with_its_options(line: str) -> None:
    words = shlex.split(line.partition("#")[0])
    command, path = main.commands[words[1]], [words[1]]
    if isinstance(command, click.Group):
        command, path = command.commands[words[2]], words[1:3]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words[2:] if word.startswith("--")} <= known
    assert CliRunner().invoke(main, [*path, "--help"]).exit_code == 0


def test_every_relative_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)]+)\)", README):
        assert (ROOT / target).exists(), target
    for target in re.findall(r'src="(?!https?://)([^"]+)"', README):
        assert (ROOT / target).exists(), target


def test_make_help_names_every_phony_target_that_a_person_would_call() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in ("report", "test", "lint", "bench", "notebooks", "warm", "weights", "clean", "help"):
        assert re.search(rf"^{target}:.*## \S", makefile, re.M), target
