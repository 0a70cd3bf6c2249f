"""Exact values of plans against brute force over all plans, and a case of strategy fusion."""

import itertools

import numpy as np
import pytest

import rungenv
from agents.endgame import solve
from agents.payoffs import points
from endings import endings
from rungenv.bits import members
from rungenv.cards import parse_cards
from train.fusion import action_values, distinct_worlds

PLAYED = """CALL_S 9H 5H JH 8H 9S 3S 7S 4S 4D TD 8D 6D JC 9C 6C 8C JD 7D 5D AD
TH 6H 7H 4H AS 2S TS KS JS 6S TC QS 8S 3H 7C AH 5S 9D KC QC"""
HANDS = """5D 4H 4S 5S 8S KS 6C 5H QS 6D AC QH QD
TH 9D 8C 4D 9S JS 3H AS JH AD {} 4C 5C
KC 7C JD 6H 8H JC 3S TD 6S 2S {} 3D 3C
7H 8D TS 9H TC 7D AH 7S QC 9C 2H 2D 2C"""


def two_worlds():
    """Seat 0 leads from AC QH QD; one red king is with the next seat, one with the partner."""
    dealt = [
        [parse_cards(hand) for hand in HANDS.format(*kings).splitlines()]
        for kings in (("KH", "KD"), ("KD", "KH"))
    ]
    tables = rungenv.deal_hands(rungenv.variant("single_sar"), dealt, dealer=2)
    for action in PLAYED.split():
        rungenv.step(tables, [rungenv.parse_action(action)] * 2)
    return tables


def test_to_cash_the_ace_is_a_guess_and_to_keep_it_is_none():
    values = {rungenv.card_name(value.action): value for value in action_values(two_worlds())}
    assert all(value.seen.tolist() == [2, 2] for value in values.values())
    assert sorted(values["AC"].planned) == [-1, 2]
    assert values["QH"].planned.tolist() == values["QD"].planned.tolist() == [2, 2]


def by_brute_force(tables, seat):
    """The best mean over all plans: an action for each look that the table can have to the seat."""
    sign = -1 if seat % 2 else 1
    looks = {}

    def collect(position):
        if position.seat[0] >= 0:
            if position.seat[0] == seat:
                looks.setdefault(look(position), members(position.legal_set[0]))
            for action in members(position.legal_set[0]):
                collect(after(position, action))

    def look(position):
        view = rungenv.observe(position, seat)
        return view.sets.tobytes(), view.smalls.tobytes(), view.history.tobytes()

    def worth(position, plan):
        if position.seat[0] < 0:
            return sign * points(position)[0]
        if position.seat[0] == seat:
            return worth(after(position, plan[look(position)]), plan)
        best = max if (position.seat[0] - seat) % 2 == 0 else min
        legal = members(position.legal_set[0])
        return best(worth(after(position, action), plan) for action in legal)

    worlds = [tables.take([row]) for row in range(len(tables))]
    for world in worlds:
        collect(world)
    plans = [dict(zip(looks, chosen, strict=True)) for chosen in itertools.product(*looks.values())]
    return max(np.mean([worth(world, plan) for world in worlds]) for plan in plans)


def after(position, action):
    later = position.copy()
    rungenv.step(later, [action])
    return later


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_plans_are_worth_what_the_best_of_all_plans_is(game):
    tables = endings(rungenv.variant(game), 6, 2, seed=1)
    rng = np.random.default_rng(0)
    compared = 0
    for row in range(len(tables)):
        ending = tables.take([row])
        worlds, _ = distinct_worlds(rungenv.observe(ending), 3, rng)
        best = max(value.planned.mean() for value in action_values(worlds))
        assert best == by_brute_force(worlds, int(ending.seat[0]))
        compared += len(worlds) > 1
    assert compared


def test_what_is_seen_is_what_the_worlds_are_solved_to():
    tables = endings(rungenv.variant("double_sar"), 4, 3, seed=2)
    for row in range(len(tables)):
        worlds, _ = distinct_worlds(
            rungenv.observe(tables.take([row])), 4, np.random.default_rng(0)
        )
        sign = -1 if worlds.seat[0] % 2 else 1
        best = np.max([value.seen for value in action_values(worlds)], axis=0)
        assert best.tolist() == (sign * solve(worlds, points)).tolist()


def test_tables_that_can_be_told_apart_are_refused():
    tables = rungenv.deal(rungenv.variant("be_ranga"), 2, seed=1, dealer=3)
    with pytest.raises(ValueError, match="worlds of one view"):
        action_values(tables)
