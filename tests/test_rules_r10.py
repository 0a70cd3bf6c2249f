"""R10, the extras: one test for every line."""

import numpy as np
import pytest

import rungenv
from reference import deal_of
from tables import SUITED, Game


def change(game, *hands, **options):
    return Game(game, *hands, change_trump=True, **options)


def test_r10_1_the_caller_may_change_the_trump_before_the_first_card():
    game = change("single_sar", deal=SUITED).play("CALL_C")
    assert (game.phase, game.seat, game.trump) == ("CHANGE_TRUMP", 0, "C")
    assert game.legal == "CALL_D CALL_H CALL_S KEEP"  # any other suit
    game.play("CALL_S")
    assert (game.phase, game.seat, game.trump, game.caller) == ("PLAY", 0, "S", 0)


def test_r10_1_the_partner_changes_what_it_called_and_the_eldest_leads():
    game = change("double_sar", deal=SUITED).play("PASS CALL_H")
    assert (game.phase, game.seat) == ("CHANGE_TRUMP", 2)
    game.play("CALL_C")
    assert (game.phase, game.seat, game.trump) == ("PLAY", 0, "C")


def test_r10_1_declining_is_keep():
    game = change("single_sar", deal=SUITED).play("CALL_C KEEP")
    assert (game.phase, game.seat, game.trump) == ("PLAY", 0, "C")


def test_r10_1_after_a_turned_up_card_the_eldest_hand_may():
    game = change("single_sar", deal=SUITED).play("PASS TIMEOUT")
    assert (game.phase, game.seat, game.turned_up, game.trump) == ("CHANGE_TRUMP", 0, "7C", "C")
    game.play("CALL_H")
    assert (game.turned_up, game.trump) == ("7C", "H")


def test_r10_1_hidden_another_of_the_five_goes_down_and_the_old_one_returns():
    game = change("hidden_rung", deal=SUITED).play("3C")
    assert game.legal == "2C 4C 5C 6C KEEP"
    game.play("5C")
    assert (game.face_down, game.owner, game.owner_knows, game.seat) == ("5C", 0, True, 0)
    assert "3C" in game.hand(0)
    assert "5C" not in game.hand(0)


def test_r10_1_hidden_keep():
    game = change("hidden_rung", deal=SUITED).play("3C KEEP")
    assert (game.phase, game.face_down) == ("PLAY", "3C")


def test_r10_1_nobody_called_the_eldest_hand_may_change_the_unseen_card():
    game = change("hidden_rung", "2C 3C 4C 5C 6C AS").play("PASS TIMEOUT")
    assert (game.seat, game.legal) == (0, "2C 3C 4C 5C 6C KEEP")
    game.play("2C")
    assert (game.face_down, game.owner_knows) == ("2C", True)
    assert "AS" in game.hand(0)


@pytest.mark.parametrize("game", ["be_ranga", "mendikot", "mendikot_band"])
def test_r10_1_not_in_be_ranga_nor_mendikot(game):
    with pytest.raises(ValueError, match="change_trump"):
        rungenv.variant(game, change_trump=True)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_r10_1_and_r10_2_are_off_by_default(game):
    rules = rungenv.variant(game)
    assert (rules.change_trump, rules.new_cards) == (False, (0, 0, 0, 0))


def test_r10_2_asked_in_turn_from_the_eldest_hand_and_before_r10_1():
    game = change("single_sar", deal=SUITED, new_cards=(0, 1, 2, 1), dealer=1).play("CALL_H")
    asked = []
    while game.phase == "NEW_CARDS":
        asked.append(game.seat)
        assert game.legal == "KEEP NEW_CARDS"
        game.play("KEEP")
    assert asked == [2, 3, 1]
    assert (game.phase, game.seat, game.trick_number) == ("CHANGE_TRUMP", 2, 0)
    assert game.new_cards_left == [0, 1, 2, 1]


def test_r10_2_the_whole_pack_afresh_and_calling_starts_again():
    fresh = deal_of("AS KS QS JS TS")
    game = Game("single_sar", deal=SUITED, redeals=[fresh], new_cards=1).play("PASS CALL_H")
    game.play("KEEP NEW_CARDS")
    assert (game.phase, game.seat, game.dealer, game.legal) == ("CALL", 0, 3, "CALL_S PASS")
    assert (game.deal, game.new_cards_left, game.redeal) == (fresh, [1, 0, 1, 1], 1)
    assert (game.trump, game.caller, game.passed) == (None, None, False)
    game.play("CALL_S")
    assert (game.phase, game.seat) == ("NEW_CARDS", 0)
    assert game.play("KEEP").seat == 2  # seat 1 has none left


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_r10_2_in_all_variants(game):
    game = Game(game, deal=SUITED, new_cards=1)
    game.play("" if game.phase == "NEW_CARDS" else ".")
    assert (game.phase, game.legal) == ("NEW_CARDS", "KEEP NEW_CARDS")
    game.play("KEEP KEEP KEEP KEEP")
    assert (game.phase, game.seat) == ("PLAY", 0)


def test_r10_2_the_number_is_for_the_whole_match():
    rules = rungenv.variant("be_ranga", new_cards=1)
    tables = rungenv.deal(rules, 1, seed=5)
    rungenv.step(tables, [60])
    left = tables.new_cards_left[0].tolist()
    assert sum(left) == 3
    while tables.phase[0] != rungenv.Phase.OVER:
        rungenv.step(tables, [int(np.flatnonzero(tables.legal_mask()[0])[0])])
    tables.next_round()
    assert tables.new_cards_left[0].tolist() == left
    tables.new_match()
    assert tables.new_cards_left[0].tolist() == [1, 1, 1, 1]


def test_r10_2_the_fresh_deal_comes_from_the_tables_own_seed():
    rules = rungenv.variant("be_ranga", new_cards=2)
    tables = rungenv.deal(rules, 3, seed=9)
    again = rungenv.deal(rules, 3, seed=9)
    first = tables.deal.copy()
    rungenv.step(tables, [60, 60, 60])
    assert not (tables.deal == first).all(axis=(1, 2)).any()
    rungenv.step(again, [60, 59, 60])  # table 1 keeps, and table 2's deal is the same
    assert (again.deal[2] == tables.deal[2]).all()
    second = tables.deal.copy()
    rungenv.step(tables, [60, 60, 60])
    assert not (tables.deal == second).all(axis=(1, 2)).any()


def test_r10_2_an_explicit_deal_needs_next_deals_or_a_seed():
    rules = rungenv.variant("be_ranga", new_cards=1)
    with pytest.raises(ValueError, match="new_cards"):
        rungenv.deal_hands(rules, [SUITED], 3)
    seeded = rungenv.deal_hands(rules, [SUITED], 3, seed=4)
    rungenv.step(seeded, [60])
    assert sorted(seeded.deal[0].ravel().tolist()) == list(range(52))


def test_r10_2_next_deals_are_those_of_one_round():
    rules = rungenv.variant("be_ranga", new_cards=1)
    fresh = deal_of("AS KS QS JS TS")
    tables = rungenv.deal_hands(rules, [SUITED], 3, seed=4, redeals=[[fresh]])
    rungenv.step(tables, [60])
    while tables.phase[0] != rungenv.Phase.OVER:
        rungenv.step(tables, [int(np.flatnonzero(tables.legal_mask()[0])[0])])
    tables.next_round()
    rungenv.step(tables, [60])
    assert tables.deal[0].tolist() != fresh


def test_r10_2_the_history_keeps_the_calls_of_every_deal():
    game = Game("single_sar", deal=SUITED, new_cards=1).play("CALL_C NEW_CARDS CALL_C KEEP")
    past = game.tables.history[0, : game.length].tolist()
    assert [(entry >> 6, rungenv.action_name(entry & 63)) for entry in past] == [
        (0, "CALL_C"),
        (0, "NEW_CARDS"),
        (0, "CALL_C"),
        (1, "KEEP"),
    ]
