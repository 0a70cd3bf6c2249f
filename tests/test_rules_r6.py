"""R6, double sar: one test for every line."""

import pytest

from tables import SUITED, Game

TRICK = " . . . ."
ALL_BUT_TWO = ("2D 3D AC KC QC JC TC 9C 8C 7C 6C 5C 4C", "2C 3C D", "H", "S")
"""Seat 0 loses two tricks of diamonds and then, with clubs as trump, takes all that come."""


def test_r6_1_a_won_trick_goes_to_the_pile():
    game = Game("double_sar", deal=SUITED).play("CALL_C", "TC TD TH TS")
    assert (game.tricks, game.pile, game.tens, game.pile_tens) == ([0, 0], 1, [0, 0], 4)
    assert (game.waiting, game.seat) == (0, 0)


def test_r6_2_two_in_a_row_pick_up_the_pile_from_trick_2_on():
    game = Game("double_sar", deal=SUITED).play("CALL_C", TRICK * 2)
    assert (game.tricks, game.pile, game.waiting) == ([2, 0], 0, None)


def test_r6_2_the_tens_in_the_pile_come_with_it():
    game = Game("double_sar", deal=SUITED).play("CALL_C", "TC TD 2H 2S", "2C 2D 3H TS")
    assert (game.tens, game.pile_tens) == ([3, 0], 0)


def test_r6_2_a_partner_does_not_make_it_two():
    hands = ("AC KC 2D C", "QC D", "AD KD QD H", "S")
    game = Game("double_sar", *hands).play("PASS", "CALL_H", "AC . . .", "2D . AD .")
    assert (game.tricks, game.pile, game.waiting) == ([0, 0], 2, 2)
    game.play("KD . . .")
    assert (game.tricks, game.pile) == ([3, 0], 0)


def test_r6_3_third_in_a_row_picks_nothing_up():
    game = Game("double_sar", deal=SUITED).play("CALL_C", TRICK * 3)
    assert (game.tricks, game.pile, game.waiting) == ([2, 0], 1, 0)
    assert game.play(TRICK).tricks == [4, 0]


def test_r6_4_trick_13_takes_all_whatever_the_house_rules():
    game = Game("double_sar", deal=SUITED, no_late_pickup=True).play("CALL_C", TRICK * 12)
    assert (game.tricks, game.pile) == ([10, 0], 2)
    game.play("AC . . .")  # the ace of trump, which could not seal
    assert (game.tricks, game.pile, game.phase) == ([13, 0], 0, "OVER")


def test_r6_5_seven_end_the_round_when_the_others_have_one():
    game = Game("double_sar", *ALL_BUT_TWO).play("CALL_C 2D 4D . .", "5D . . 3D", "6D . . .")
    assert (game.tricks, game.pile) == ([0, 2], 1)
    game.play(TRICK * 5)
    assert (game.tricks, game.pile, game.phase) == ([6, 2], 0, "PLAY")
    game.play(TRICK * 2)
    assert (game.tricks, game.kind, game.winner) == ([8, 2], "WIN", 0)
    assert game.paid == ([1, 0], [0, 0])


def test_r6_5_play_goes_on_while_the_others_have_none():
    game = Game("double_sar", deal=SUITED).play("CALL_C", TRICK * 12)
    assert (game.tricks, game.phase) == ([12, 0], "PLAY")


def test_r6_6_all_thirteen_are_a_kot():
    game = Game("double_sar", deal=SUITED).play("CALL_C", TRICK * 13)
    assert (game.kind, game.winner, game.paid) == ("KOT", 0, ([3, 0], [1, 0]))


def test_r6_6_or_a_goon_kot():
    game = Game("double_sar", "2S C", "S", "H", "AC D").play("CALL_S 2C 3S . .")
    game.play(" ".join(f"{rank}S . . ." for rank in "456789TJQKA"), "2D . . .")
    assert (game.kind, game.winner, game.paid) == ("GOON_KOT", 1, ([0, 4], [0, 3]))


def test_r6_6_also_when_trick_13_gives_all_thirteen():
    hands = ("2C 4C 6C 8C TC QC AC 2D 4D 6D 8D TD QD", "H", "KC JC 9C 7C 5C 3C D", "S")
    game = Game("double_sar", *hands).play("CALL_C")
    # the partners beat each other, so nobody wins two in a row
    game.play("2C . 3C .", "5C . 6C .", "4C . 7C .", "9C . TC .", "8C . JC .", "KC . AC .")
    game.play("2D . 3D .", "5D . 6D .", "4D . 7D .", "9D . TD .", "8D . KD .", "JD . QD .")
    assert (game.tricks, game.pile) == ([0, 0], 12)
    game.play("QC . AD .")
    assert (game.tricks, game.kind, game.paid) == ([13, 0], "KOT", ([3, 0], [1, 0]))


ACES = ("AC AD KC AH S", "C", "D", "H")


def test_r6_7_ace_over_ace_picks_nothing_up():
    game = Game("double_sar", *ACES).play("CALL_S", "AC . . .", "AD . . .")
    assert (game.tricks, game.pile, game.waiting_ace) == ([0, 0], 2, True)
    assert game.play("AH . . .").tricks == [0, 0]  # A, A, A


def test_r6_7_each_adjacent_pair_of_aces_is_judged_by_itself():
    game = Game("double_sar", *ACES).play("CALL_S", "AC . . .", "AD . . .", "KC . . .")
    assert (game.tricks, game.pile) == ([3, 0], 0)  # A, A, K


def test_r6_7_ace_over_ace_off():
    game = Game("double_sar", *ACES, ace_over_ace=False).play("CALL_S", "AC . . .", "AD . . .")
    assert game.tricks == [2, 0]


def test_r6_7_ace_of_trump_cannot_seal():
    game = Game("double_sar", deal=SUITED).play("CALL_C", "KC . . .", "AC . . .")
    assert (game.tricks, game.pile, game.waiting) == ([0, 0], 2, 0)
    assert game.play("QC . . .").tricks == [3, 0]  # the blocked trick is the next pair's first


def test_r6_7_ace_of_trump_can_be_the_first():
    game = Game("double_sar", deal=SUITED).play("CALL_C", "AC . . .", "KC . . .")
    assert game.tricks == [2, 0]


def test_r6_7_ace_of_trump_may_seal_when_the_option_is_off():
    game = Game("double_sar", deal=SUITED, trump_ace_cannot_seal=False)
    assert game.play("CALL_C", "KC . . .", "AC . . .").tricks == [2, 0]


def test_r6_7_another_ace_seals():
    game = Game("double_sar", *ACES).play("CALL_S", "KC . . .", "AC . . .")
    assert game.tricks == [2, 0]


@pytest.mark.parametrize(("option", "tricks"), [(False, [11, 0]), (True, [9, 0])])
def test_r6_7_no_pick_up_at_trick_11(option, tricks):
    game = Game("double_sar", deal=SUITED, no_late_pickup=option)
    game.play("CALL_C", "KC . . .", "AC . . .", "QC . . .", TRICK * 8)  # picked up at 3, 5, 7, 9
    assert game.tricks == tricks


@pytest.mark.parametrize(("option", "tricks"), [(False, [12, 0]), (True, [10, 0])])
def test_r6_7_no_pick_up_at_tricks_11_and_12(option, tricks):
    game = Game("double_sar", deal=SUITED, no_late_pickup=option).play("CALL_C", TRICK * 12)
    assert game.tricks == tricks
