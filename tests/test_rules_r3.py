"""R3, play of the cards: one test for every line."""

import pytest

from tables import SUITED, Game


def test_r3_1_eldest_leads_whoever_called():
    assert Game("single_sar", deal=SUITED).play("CALL_C").seat == 0
    assert Game("single_sar", deal=SUITED).play("PASS", "CALL_H").seat == 0
    assert Game("hidden_rung", deal=SUITED).play("PASS", "2H").seat == 0
    assert Game("be_ranga", deal=SUITED, dealer=0).seat == 1


def test_r3_1_winner_of_a_trick_leads_the_next():
    game = Game("single_sar", deal=SUITED).play("PASS", "CALL_H", "2C 2D 2H 2S")
    assert (game.seat, game.led, game.trick, game.trick_number) == (2, None, [-1] * 4, 1)
    game.play("3H 3S 3C 3D")
    assert (game.seat, game.trick_number) == (2, 2)


@pytest.mark.parametrize("game", ["single_sar", "double_sar", "be_ranga", "mendikot"])
def test_r3_2_follow_suit_if_able(game):
    game = Game(game, "2C 3C C", "7C AC D", "H", "S")
    game.play("CALL_C" if "CALL_C" in game.legal else "")
    game.play("3C")
    assert game.legal == "7C AC"
    game.play("AC")
    assert (game.voids, game.led) == ([0, 0, 0, 0], "C")


def test_r3_2_otherwise_any_card_and_no_duty_to_trump():
    game = Game("single_sar", "2S 3S C", "4S 5S D", "H", "S").play("CALL_S", "2C")
    assert game.legal == "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD 4S 5S"
    assert game.play("2D").voids == [0, 1, 0, 0]


def test_r3_3_highest_trump_wins():
    game = Game("single_sar", "2S C", "5S D", "4S H", "KC AC").play("CALL_S", "2C 5S")
    assert game.holder == 1
    assert game.play("4S").holder == 1
    assert game.play("AC").seat == 1


def test_r3_3_without_trump_the_highest_of_the_led_suit():
    game = Game("single_sar", "2S C", "KC D", "AC H", "AH S").play("CALL_S", "2C KC AC")
    assert game.holder == 2
    assert game.play("AH").seat == 2
