"""R7, hidden rung: one test for every line."""

import pytest

from tables import SUITED, Game

CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"


def test_r7_1_the_caller_lays_one_of_the_first_five():
    game = Game("hidden_rung", "2C 3C 4D 5H 6S AS", "", "7C 8C 9C TC JC")
    assert game.legal == "2C 3C 4D 5H 6S PASS"
    game.play("5H")
    assert (game.face_down, game.owner, game.caller, game.owner_knows) == ("5H", 0, 0, True)
    assert (game.phase, game.seat, game.trump, game.shown) == ("PLAY", 0, None, None)


def test_r7_1_passing_and_time_as_in_r2_1():
    game = Game("hidden_rung", "", "", "7C 8C 9C TC JC").play("PASS")
    assert (game.seat, game.legal) == (2, "7C 8C 9C TC JC TIMEOUT")
    game.play("8C")
    assert (game.face_down, game.owner, game.caller, game.seat) == ("8C", 2, 2, 0)


def test_r7_1_ends_and_scores_as_single_sar():
    game = Game("hidden_rung", deal=SUITED).play("2C", "AC . . .", " ." * 24)
    assert (game.kind, game.tricks, game.paid) == ("KOT", [7, 0], ([3, 0], [1, 0]))


def test_r7_2_face_down_it_cannot_be_played():
    game = Game("hidden_rung", deal=SUITED).play("2C")
    assert "2C" not in game.hand(0)
    assert game.legal == CLUBS.removeprefix("2C ") + " REVEAL"


def test_r7_2_nor_does_it_count_for_following_suit():
    game = Game("hidden_rung", "2C 2D H", "AD C", "D", "S").play("2C", "2D AD . .", "3C . .")
    assert game.seat == 0  # its only club lies face down
    assert game.legal == "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH REVEAL"


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_r7_3_any_seat_that_cannot_follow_may_ask(turns):
    """Seat 0's card lies down; it leads, and one of the others, having no clubs, asks."""
    asker = turns + 1
    hands = ["2S C", "3S D", "4S H", "5S S"]
    hands[1 if asker == 3 else 3] += " AC"
    game = Game("hidden_rung", *hands).play("2S", "2C", " ." * turns)
    assert (game.seat, game.legal.split()[-1]) == (asker, "REVEAL")
    game.play("REVEAL")
    assert (game.seat, game.asker, game.shown, game.trump) == (asker, asker, "2S", "S")
    assert (game.face_down, game.owner) == (None, 0)
    assert "2S" in game.hand(0)


def test_r7_3_the_owner_may_ask():
    game = Game("hidden_rung", "2S 2D H", "AD C", "D", "S").play("2S", "2D AD . .", "2C . .")
    assert (game.seat, game.legal.split()[-1]) == (0, "REVEAL")
    game.play("REVEAL")
    assert (game.asker, game.legal) == (0, "2S")  # and must play it


def test_r7_3_a_seat_that_can_follow_may_not_ask():
    game = Game("hidden_rung", "2S C", "AC D").play("2S", "2C")
    assert game.legal == "AC"


def test_r7_3_the_asker_must_trump_with_any_trump():
    game = Game("hidden_rung", "2S C", "4S 9S D").play("2S", "2C", "REVEAL")
    assert (game.must_trump, game.legal) == (True, "4S 9S")
    game.play("4S")
    assert (game.must_trump, game.holder) == (False, 1)


def test_r7_3_an_asker_without_trumps_may_play_any_card():
    game = Game("hidden_rung", deal=SUITED).play("2C", "3C", "REVEAL")
    assert game.legal == CLUBS.replace("C", "D")
    assert game.asker == 1


def test_r7_3_only_the_asker_and_only_in_that_trick_must_trump():
    game = Game("hidden_rung", "2S C", "4S 9S D", "5S 6S H").play("2S", "2C REVEAL 4S")
    assert game.legal == "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH 5S 6S"  # no need to trump
    game = Game("hidden_rung", "2S C", "4S 9S D", "AS 6S H", "C").play("2S", "2C REVEAL 4S AS .")
    game.play("2H .", "3C")
    assert (game.seat, "2D" in game.legal, "9S" in game.legal) == (1, True, True)


def test_r7_3_an_owner_who_did_not_follow_is_not_void_when_the_card_is_back():
    game = Game("hidden_rung", "2C 2D H", "AD C", "D", "S").play("2C", "2D AD . .", "3C . . 2H")
    assert game.voids[0] == 1  # it failed to follow clubs
    game.play("4C REVEAL")
    assert (game.shown, game.voids[0]) == ("2C", 0)


def test_r7_4_the_owner_may_show_it_when_about_to_lead_and_must_lead_a_trump():
    game = Game("hidden_rung", "2S 5S C").play("2S")
    assert game.legal.split()[-1] == "REVEAL"
    game.play("REVEAL")
    assert (game.trump, game.asker, game.legal) == ("S", 0, "2S 5S")
    assert game.play("5S").must_trump is False


def test_r7_4_nobody_else_may_show_it_when_leading():
    game = Game("hidden_rung", "2S 2C H", "AC D").play("2S", "2C AC . .")
    assert (game.seat, "REVEAL" in game.legal) == (1, False)


def test_r7_5_a_card_thrown_before_is_no_trump():
    game = Game("hidden_rung", "2S C", "AS D", "4S H").play("2S", "2C AS")
    assert game.holder == 0
    game.play("REVEAL 4S .")
    assert game.seat == 2


def test_r7_5_if_the_led_suit_is_trump_its_highest_card_wins_whenever_played():
    game = Game("hidden_rung", "2C 3C AC", "4C C", "D", "KC S").play("3C", "AC 4C")
    assert game.seat == 2  # seat 2 has no club
    game.play("REVEAL . KC")
    assert (game.trump, game.seat) == ("C", 0)


def test_r7_6_the_owner_of_nothing_else_must_show_it():
    lead = Game("hidden_rung", deal=SUITED, collects="pile").play("2C", " ." * 48)
    assert (lead.trick_number, lead.seat, lead.legal) == (12, 0, "REVEAL")
    assert lead.play("REVEAL").legal == "2C"
    follow = Game("hidden_rung", deal=SUITED, collects="pile").play("PASS", "2H", " ." * 50)
    assert (follow.seat, follow.legal) == (2, "REVEAL")
    assert follow.play("REVEAL").legal == "2H"


def test_r7_7_nobody_called_the_sixth_card_goes_down_unseen():
    game = Game("hidden_rung", "2C 3C 4C 5C 6C AS").play("PASS", "TIMEOUT")
    assert (game.face_down, game.owner, game.caller) == ("AS", 0, 0)
    assert (game.owner_knows, game.timed_out) == (False, True)
    assert (game.turned_up, game.trump) == (None, None)
    assert len(game.hand(0).split()) == 12


def test_r7_7_the_owner_may_show_the_card_it_does_not_know():
    game = Game("hidden_rung", "2C 3C 4C 5C 6C AS C").play("PASS", "TIMEOUT", "REVEAL")
    assert (game.trump, game.shown, game.legal) == ("S", "AS", "AS")


def test_r7_8_unshown_at_the_end_it_is_turned_up():
    game = Game("hidden_rung", deal=SUITED).play("2C", "AC . . .", " ." * 24)
    assert (game.phase, game.shown, game.face_down, game.trump) == ("OVER", "2C", None, None)
    assert "2C" in game.hand(0)
    assert (game.asker, game.owner) == (None, 0)
