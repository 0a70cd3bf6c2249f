"""R8, be-ranga: one test for every line."""

import pytest

from tables import NOBODY_VOID, SUITED, Game

SEVEN_TRICKS = "AC . . . KC . . . QC . . . AD . . . KD . . . QD . . . AH . . ."


@pytest.mark.parametrize("dealer", range(4))
def test_r8_1_no_call(dealer):
    game = Game("be_ranga", deal=SUITED, dealer=dealer)
    assert (game.phase, game.seat) == ("PLAY", (dealer + 1) % 4)
    assert (game.caller, game.trump) == (None, None)


def test_r8_1_the_eldest_hands_team_counts_as_the_callers():
    kot = Game("be_ranga", *NOBODY_VOID).play(SEVEN_TRICKS)
    assert (kot.kind, kot.winner, kot.paid) == ("KOT", 0, ([3, 0], [1, 0]))
    goon_kot = Game("be_ranga", deal=SUITED).play("2C . . .", " ." * 24)
    assert (goon_kot.kind, goon_kot.winner, goon_kot.paid) == ("GOON_KOT", 1, ([0, 4], [0, 3]))


def test_r8_2_the_first_card_off_the_led_suit_sets_the_trump_for_that_trick_too():
    game = Game("be_ranga", deal=SUITED).play("AC 2D")
    assert (game.trump, game.holder) == ("D", 1)
    game.play("AH AS")
    assert (game.trump, game.seat) == ("D", 1)


def test_r8_2_a_later_one_does_not_change_it():
    game = Game("be_ranga", deal=SUITED).play("AC 2D AH AS", "3D 3H")
    assert (game.trump, game.holder) == ("D", 1)


def test_r8_2_a_higher_card_of_the_cut_suit_wins():
    game = Game("be_ranga", "C", "2D H", "AD S").play("2C 2D AD .")
    assert (game.trump, game.seat) == ("D", 2)


def test_r8_2_a_round_without_such_a_card_has_no_trump():
    game = Game("be_ranga", *NOBODY_VOID).play(SEVEN_TRICKS)
    assert (game.phase, game.trump, game.tricks) == ("OVER", None, [7, 0])
