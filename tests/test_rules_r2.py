"""R2, calling the trump: one test for every line."""

import pytest

import rungenv
from tables import SUITED, Game

FIVE = "2C 3C 4H 5H 6H", "", "7C 8C 9S TS JS"
"""First fives in which seat 0 may call clubs or hearts, and its partner clubs or spades."""


def test_r2_1_eldest_calls_or_passes_once():
    game = Game("single_sar", *FIVE)
    assert (game.phase, game.seat, game.legal) == ("CALL", 0, "CALL_C CALL_H PASS")
    game.play("PASS")
    assert (game.phase, game.seat, game.passed, game.caller) == ("PARTNER_CALL", 2, True, None)
    game.play("CALL_S")
    assert (game.phase, game.seat, game.caller, game.trump) == ("PLAY", 0, 2, "S")


def test_r2_1_eldest_call_leaves_the_partner_out():
    game = Game("double_sar", *FIVE).play("CALL_H")
    assert (game.phase, game.seat, game.caller, game.trump) == ("PLAY", 0, 0, "H")
    assert not game.passed


@pytest.mark.parametrize("dealer", range(4))
def test_r2_1_eldest_sits_after_the_dealer(dealer):
    game = Game("single_sar", deal=SUITED, dealer=dealer)
    assert game.seat == (dealer + 1) % 4
    assert game.play("PASS").seat == (dealer + 3) % 4


def test_r2_1_time_run_out_is_a_pass():
    assert "TIMEOUT" not in Game("single_sar", *FIVE).legal
    assert "TIMEOUT" not in Game("hidden_rung", *FIVE).legal


def test_r2_1_limits_of_20_and_10_seconds():
    rules = rungenv.variant("single_sar")
    assert rules.call_seconds == 20
    assert rules.newcomer().call_seconds == 20
    assert rules.newcomer(first_game=True).call_seconds == 10
    hurried = rungenv.variant("single_sar", call_seconds=5)
    assert hurried.newcomer(first_game=True).call_seconds == 5


def test_r2_2_partner_may_not_pass_but_run_out_of_time():
    game = Game("single_sar", *FIVE).play("PASS")
    assert game.legal == "CALL_C CALL_S TIMEOUT"
    game.play("TIMEOUT")
    assert (game.timed_out, game.phase, game.seat) == (True, "PLAY", 0)
    game = Game("single_sar", *FIVE, allow_timeout=False).play("PASS")
    assert game.legal == "CALL_C CALL_S"


def test_r2_2_no_passing_leaves_the_eldest_hand_the_timeout():
    game = Game("single_sar", *FIVE, passing=False)
    assert game.legal == "CALL_C CALL_H TIMEOUT"
    assert game.play("TIMEOUT").phase == "PLAY"


def test_r2_3_a_suit_of_the_callers_own_five():
    game = Game("single_sar", "2C 3C 4C 5C 6C AS")
    assert game.legal == "CALL_C PASS"  # spades came as the sixth card
    with pytest.raises(rungenv.IllegalAction):
        rungenv.step(game.tables, [55])


def test_r2_3_call_any_suit():
    game = Game("single_sar", *FIVE, call_any_suit=True)
    assert game.legal == "CALL_C CALL_D CALL_H CALL_S PASS"
    assert game.play("PASS").legal == "CALL_C CALL_D CALL_H CALL_S TIMEOUT"


def test_r2_4_the_sixth_card_is_turned_up():
    game = Game("single_sar", FIVE[0] + " AS KS", "", FIVE[2]).play("PASS", "TIMEOUT")
    assert (game.turned_up, game.trump, game.caller) == ("AS", "S", 0)
    assert "AS" in game.hand(0)
    assert "AS" in game.legal  # and it may be played


def test_r2_4_the_turned_up_card_is_of_the_eldest_hand_wherever_it_sits():
    game = Game("double_sar", "2C 3C 4C 5C 6C 7D", dealer=1, deal=SUITED).play("PASS", "TIMEOUT")
    assert (game.turned_up, game.trump, game.caller, game.seat) == ("7H", "H", 2, 2)
