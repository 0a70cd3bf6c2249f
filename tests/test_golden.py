"""The games of tests/golden, which the reference engine wrote, as the kernel plays them."""

import ast
import re

import numpy as np
import pytest

import rungenv
from reference import GAMES, Table
from write_golden import GOLDEN, WANTED, written

FILES = sorted(GOLDEN.glob("*.txt"))
ACTION = re.compile(r"(\d) ([A-Z2-9][A-Z_]+)(?:  (to .*))?")


class Golden:
    """A golden game read from its file."""

    def __init__(self, file):
        self.text = file.read_text(encoding="utf-8")
        lines = self.text.splitlines()
        self.title = lines[0]
        self.game, *options = lines[2].split(maxsplit=2)[1:]
        pairs = (
            option.split("=")
            for option in re.split(r"  +", options[0] if options else "")
            if option
        )
        self.options = {key: ast.literal_eval(value) for key, value in pairs}
        self.dealer = int(lines[3].split()[1])
        hands = [rungenv.parse_cards(line[6:]) for line in lines if line.startswith("seat ")]
        self.deals = [hands[first : first + 4] for first in range(0, len(hands), 4)]
        self.result = lines[-3:]
        # one entry an action; what a trick brought about stands behind its last one
        self.actions = []
        for line in lines:
            if line.startswith(("opening", "again", "trick")):
                for seat, name, outcome in re.findall(
                    r"(\d) ([A-Z2-9][A-Z_]+)(?:  (to .*))?", line
                ):
                    self.actions.append((int(seat), rungenv.parse_action(name), outcome))


@pytest.fixture(params=FILES, ids=[file.stem for file in FILES])
def golden(request):
    return Golden(request.param)


def test_there_are_three_games_of_each():
    assert [file.stem for file in FILES] == sorted(WANTED)
    assert sorted(WANTED) == [f"{game}_{i}" for game in sorted(rungenv.VARIANTS) for i in (1, 2, 3)]


def test_reference_writes_this(golden):
    table = Table(GAMES[golden.game] | golden.options, golden.dealer, golden.deals)
    for _, action, _ in golden.actions:
        table.act(action)
    assert written(golden.title, golden.game, table) == golden.text


def test_kernel_plays_this(golden):
    rules = rungenv.variant(golden.game, **golden.options)
    first, *redeals = np.array(golden.deals)
    tables = rungenv.deal_hands(rules, [first], golden.dealer, redeals=[redeals or [first]])
    for seat, action, outcome in golden.actions:
        assert tables.seat[0] == seat
        events = rungenv.step(tables, [action])
        if outcome:
            assert outcome_of(tables) == re.sub(r"to \d, ", "", outcome)
            assert tables.seat[0] in (-1, int(outcome[3]))
    assert result_of(tables, events) == golden.result


def outcome_of(tables):
    told = ["{}-{}".format(*tables.tricks[0])]
    told += [f"pile {tables.pile[0]}"] if tables.rules.collects == "pile" else []
    told += ["tens {}-{}".format(*tables.tens[0])] if tables.rules.goal == "tens" else []
    return "  ".join(told)


def result_of(tables, events):
    kind = rungenv.Kind(tables.kind[0]).name
    return [
        f"result    team {tables.winner[0]}, {kind}",
        "paid      points {}-{}, kots {}-{}".format(*events.points[0], *events.kots[0]),
        f"dealer    {tables.next_dealer[0]} is next",
    ]
