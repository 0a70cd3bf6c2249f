"""Every numbered line of RULES.md has a test that is named after it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = (TESTS.parent / "rungenv" / "RULES.md").read_text(encoding="utf-8")


def rule_numbers():
    """(section, line) of every rule, which RULES.md writes as "- **R6.3** ..."."""
    return [
        tuple(map(int, number)) for number in re.findall(r"^- \*\*R(\d+)\.(\d+)\*\*", RULES, re.M)
    ]


def test_the_rules_have_all_their_lines():
    lines = [3, 4, 3, 2, 6, 7, 8, 2, 7, 2]
    sections = enumerate(lines, start=1)
    assert rule_numbers() == [(section, line + 1) for section, n in sections for line in range(n)]


@pytest.mark.parametrize(("section", "line"), rule_numbers())
def test_rule_has_a_test(section, line):
    text = (TESTS / f"test_rules_r{section}.py").read_text(encoding="utf-8")
    assert re.search(rf"^def test_r{section}_{line}_", text, re.MULTILINE)
