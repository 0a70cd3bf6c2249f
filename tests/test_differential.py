"""The kernel against the reference engine: random rounds of every game under every option.

Each case is one batch of tables, out of step with one another. After every action the legal set,
the seat to act and all public columns of every table must be those of its reference table.
"""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rungenv
from mirror import (
    kernel_columns,
    kernel_history,
    mirror,
    plain_options,
    record,
    reference_columns,
)
from reference import GAMES, NEW_CARDS

TABLES, ROUNDS = 64, 150

HOUSE_RULES = {
    "passing": [True, False],
    "call_any_suit": [False, True],
    "allow_timeout": [True, False],
    "ace_over_ace": [True, False],
    "trump_ace_cannot_seal": [True, False],
    "no_late_pickup": [False, True],
    "play_out": [False, True],
    "change_trump": [False, True],
    "new_cards": [(0, 0, 0, 0), (1, 0, 2, 1)],
    "scoring": ["points", "kots"],
    "points_target": [10, 3],
    "kots_target": [3, 1],
}
AXES = {
    "trump": ["called", "hidden", "cut"],
    "shown": ["on_demand", "first_void"],
    "collects": ["trick", "pile"],
    "goal": ["seven_tricks", "tens"],
}


def permitted(game, **options):
    """The rules, or None where the options contradict each other."""
    try:
        return rungenv.variant(game, **options)
    except ValueError:
        return None


def all_cases():
    """Every game as it stands and with each option changed, then every crossing of the axes."""
    rng = random.Random(20)
    rules = [rungenv.variant(game) for game in rungenv.VARIANTS]
    for game, (option, values) in itertools.product(rungenv.VARIANTS, HOUSE_RULES.items()):
        rules += [permitted(game, **{option: value}) for value in values]
    for values in itertools.product(*AXES.values()):
        axes = dict(zip(AXES, values, strict=True))
        if axes["shown"] == "first_void" and axes["trump"] != "hidden":
            continue  # it says when a hidden trump is shown
        rules.append(rungenv.variant("single_sar", **axes))
        drawn = []
        while len(drawn) < 4:
            house = {option: rng.choice(values) for option, values in HOUSE_RULES.items()}
            drawn += filter(None, [permitted("single_sar", **axes, **house)])
        rules += drawn
    return [rule for rule in dict.fromkeys(rules) if rule is not None]


CASES = all_cases()


@pytest.mark.parametrize("case", range(len(CASES)))
def test_kernel_plays_as_the_reference(case):
    Batch(CASES[case], seed=case, rounds=ROUNDS).play()


class Batch:
    """Tables of the kernel and, one for one, of the reference, played at random."""

    def __init__(self, rules, seed, rounds):
        self.rng = random.Random(seed)
        self.rounds_left = rounds - TABLES
        self.tables = rungenv.deal(rules, TABLES, seed=seed)
        self.put_in_mid_match(range(TABLES))
        self.mirrors = [mirror(self.tables, row) for row in range(TABLES)]

    def play(self):
        self.seen = [None] * TABLES
        while True:
            self.compare()
            if self.rounds_left <= 0 and not any(self.legal):
                return
            self.act()
            self.deal_on()

    def compare(self):
        self.legal = [table.legal() for table in self.mirrors]
        for row, kernel in enumerate(kernel_columns(self.tables)):
            if not self.legal[row] and self.seen[row] == kernel:
                continue  # the round is over, and the table stays as it was
            table, self.seen[row] = self.mirrors[row], kernel
            assert reference_columns(table, self.legal[row]) == kernel, record(table, kernel)

    def act(self):
        """One action at each table."""
        actions = [self.choose(legal) for legal in self.legal]
        events = rungenv.step(self.tables, np.array(actions))
        reported = zip(*(column.tolist() for column in vars(events).values()), strict=True)
        for row, (table, report) in enumerate(zip(self.mirrors, reported, strict=True)):
            played = table.phase != "OVER"
            if played:
                if actions[row] == NEW_CARDS:
                    table.deals.append(self.tables.deal[row].tolist())
                table.act(actions[row])
            over = played and table.phase == "OVER"
            paid = (table.paid_points, table.paid_kots) if over else ([0, 0], [0, 0])
            won = over and table.match_winner is not None
            assert report == (over, won, *paid), record(table)

    def choose(self, legal):
        """Any legal action, now and then the highest; where the round is over, any number."""
        if not legal:
            return self.rng.randrange(61)
        return legal[-1] if self.rng.random() < 0.3 else self.rng.choice(legal)

    def deal_on(self):
        """Deal the next round at some of the tables whose round is over."""
        over = [row for row, table in enumerate(self.mirrors) if table.phase == "OVER"]
        rows = [row for row in over if self.rng.random() < 0.4][: self.rounds_left]
        self.rounds_left -= len(rows)
        for row in rows:
            history = kernel_history(self.tables, row)
            assert history == self.mirrors[row].history, record(self.mirrors[row])
            assert self.tables.deal[row].tolist() == self.mirrors[row].deal
        if not rows:
            return
        hands = [self.lopsided_deal() for _ in rows] if self.rng.random() < 0.3 else None
        self.tables.next_round(np.array(rows), hands)
        for row in rows:
            if self.mirrors[row].match_winner is None:
                self.mirrors[row].next_round([self.tables.deal[row].tolist()])
            else:
                self.put_in_mid_match([row])
                self.mirrors[row] = mirror(self.tables, row)

    def put_in_mid_match(self, rows):
        """Give tables at the start of a match the totals and counts of some later round."""
        rules, rng = self.tables.rules, self.rng
        for row in rows:
            if rng.random() < 0.5:
                self.tables.points[row] = [rng.randrange(rules.points_target) for _ in range(2)]
                self.tables.kots[row] = [rng.randrange(rules.kots_target) for _ in range(2)]
                if rules.goal == "seven_tricks":
                    self.tables.streak[row] = rng.choice([(0, rng.randrange(7)), (6, 0), (5, 0)])

    def lopsided_deal(self):
        """A deal that gives one team most of the high cards, so that kots are common."""
        pack = sorted(range(52), key=lambda card: card % 13 + self.rng.gauss(0, 3))
        low, high = pack[:26], pack[26:]
        self.rng.shuffle(low)
        self.rng.shuffle(high)
        hands = [low[:13], high[:13], low[13:], high[13:]]
        return hands if self.rng.random() < 0.5 else hands[1:] + hands[:1]


@settings(max_examples=60, deadline=None)
@given(
    rules=st.sampled_from(CASES),
    dealer=st.integers(0, 3),
    pack=st.permutations(range(52)),
    choices=st.lists(st.integers(0, 12), min_size=8, max_size=80),
)
def test_a_disagreement_shrinks_to_a_short_record(rules, dealer, pack, choices):
    """One round; where the drawn choices run out, the lowest legal action is taken."""
    deal = [pack[13 * seat : 13 * seat + 13] for seat in range(4)]
    tables = rungenv.deal_hands(rules, [deal], dealer, redeals=[[deal] * 6])
    table = mirror(tables, 0)
    table.deals += [deal] * 6
    for turn in itertools.count():
        legal, kernel = table.legal(), kernel_columns(tables)[0]
        assert reference_columns(table, legal) == kernel, record(table, kernel)
        if not legal:
            break
        action = legal[choices[turn] % len(legal) if turn < len(choices) else 0]
        rungenv.step(tables, [action])
        table.act(action)


def test_options_and_presets_are_those_of_the_reference():
    for game in rungenv.VARIANTS:
        assert plain_options(rungenv.variant(game)) == GAMES[game]
