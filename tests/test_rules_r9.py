"""R9, Mendikot: one test for every line."""

import pytest

import rungenv
from tables import NOBODY_VOID, SUITED, Game, at_dealer

ONE_CLUB_EACH = ("AC C AD AH AS", "2C D", "TC H", "3C S")
"""Seat 0 has the aces and ten clubs, the others one club and twelve of a suit."""
TWELVE_TRICKS = " ".join(f"{rank}{suit} . . ." for suit in "CDHS" for rank in "AKQ")

# hands, actions; then the winner, the kind, the points, and how far on the next dealer sits
FINISHES = {
    "three tens": (ONE_CLUB_EACH, "AC 2C TC 3C 4C TD TH TS", 1, "MENDI", 1, 1),
    "three tens of the eldest": (
        (ONE_CLUB_EACH[-1], *ONE_CLUB_EACH[:-1]),
        "3C AC 2C TC 4C TD TH TS",
        *(0, "MENDI", 1, 0),
    ),
    "two tens each": (
        ONE_CLUB_EACH,
        "AC 2C TC 3C 4C TD TH 2S 2D 2H TS AD" + " ." * 24,
        *(1, "TRICKS", 1, 1),
    ),
    "four tens": (
        ("AD C", "D AS", "H", "AC S"),
        "KC TD TH AC AS 2H TS TC 2D 3H 2S AD",
        *(1, "MENDIKOT", 2, 1),
    ),
    "all tricks": (("C", "D", "H", "S"), "AC TD TH TS" + " ." * 48, 1, "WHITEWASH", 3, 1),
    "all tricks of the eldest": (
        ("AC C", "KC D", "H", "S"),
        "AC KC 2H" + " ." * 49,
        *(0, "WHITEWASH", 3, 2),
    ),
}


def finished(how, dealer=3, columns=None, **options):
    hands, actions, *_ = FINISHES[how]
    game = Game("mendikot", deal=at_dealer(dealer, hands), dealer=dealer, **options)
    return game.set(**columns or {}).play(actions)


def test_r9_1_three_tens_win():
    game = finished("three tens")
    assert (game.tens, game.winner, game.tricks) == ([1, 3], 1, [1, 1])


def test_r9_1_four_tens_win():
    game = finished("four tens")
    assert (game.tens, game.winner, game.tricks) == ([0, 4], 1, [1, 2])


def test_r9_1_two_tens_each_leave_it_to_seven_tricks():
    game = finished("two tens each")
    assert (game.tens, game.winner, game.tricks) == ([2, 2], 1, [2, 7])


def test_r9_2_katte_is_the_default_and_cuts():
    assert rungenv.variant("mendikot").trump == "cut"
    game = Game("mendikot", deal=SUITED).play("AC 2D")
    assert (game.trump, game.holder, game.caller) == ("D", 1, None)


def test_r9_2_band_lays_one_of_the_first_five_and_does_not_pass():
    assert rungenv.variant("mendikot", trump="hidden") == rungenv.variant("mendikot_band")
    game = Game("mendikot_band", "2C 3C 4D 5H 6S AS")
    assert game.legal == "2C 3C 4D 5H 6S TIMEOUT"
    game.play("4D")
    assert (game.face_down, game.owner, game.caller, game.seat) == ("4D", 0, 0, 0)


def test_r9_2_on_timeout_the_first_as_dealt_is_laid_and_known():
    game = Game("mendikot_band", "6S 2C 3C 4D 5H AS").play("TIMEOUT")
    assert (game.face_down, game.owner, game.owner_knows) == ("6S", 0, True)
    assert (game.timed_out, game.caller) == (True, 0)
    assert "TIMEOUT" not in Game("mendikot_band", allow_timeout=False).legal


def test_r9_3_it_is_turned_up_before_the_first_void_seat_plays():
    game = Game("mendikot_band", "2S C", "3S 9S D", "AC").play("2S", "2C")
    assert (game.seat, game.shown, game.trump, game.asker) == (1, "2S", "S", 1)
    assert (game.must_trump, game.legal) == (True, "3S 9S")
    assert "2S" in game.hand(0)


def test_r9_3_a_void_seat_without_trumps_plays_any_card():
    game = Game("mendikot_band", deal=SUITED).play("2C", "3C")
    assert (game.shown, len(game.legal.split())) == ("2C", 13)


def test_r9_3_only_the_first_void_seat_must_trump():
    game = Game("mendikot_band", "2S C", "3S 9S D", "4S H", "AC").play("2S", "2C 3S")
    assert (game.must_trump, "2H" in game.legal, "4S" in game.legal) == (False, True, True)


def test_r9_3_nobody_asks_for_it():
    game = Game("mendikot_band", *NOBODY_VOID).play("JS", "AC")
    assert "REVEAL" not in game.legal
    game.play(". . .")
    assert game.legal.endswith("REVEAL")  # R7.4: the owner is about to lead
    game.play("REVEAL")
    assert (game.trump, game.legal) == ("S", "JS QS KS AS")


def test_r9_3_face_down_it_is_not_in_the_hand():
    game = Game("mendikot_band", "2C 2D H", "AD C", "D", "S").play("2C", "2D AD . .", "3C . .")
    assert (game.seat, game.shown, game.legal) == (0, "2C", "2C")  # void, turned up, must trump


def test_r9_3_a_led_suit_that_is_trump_goes_to_its_highest_card():
    game = Game("mendikot_band", "2C 3C AC", "4C C", "D", "KC S").play("2C", "AC 4C . KC")
    assert (game.trump, game.seat) == ("C", 0)


def test_r9_3_an_owner_with_nothing_else_must_show_it():
    game = Game("mendikot_band", *NOBODY_VOID, play_out=True).play("JS", TWELVE_TRICKS)
    assert (game.trick_number, game.seat, game.legal) == (12, 0, "REVEAL")


@pytest.mark.parametrize("how", FINISHES)
def test_r9_4_points(how):
    *_, winner, kind, points, _ = FINISHES[how]
    game = finished(how)
    paid = [0, 0]
    paid[winner] = points
    assert (game.phase, game.winner, game.kind) == ("OVER", winner, kind)
    assert game.paid == (paid, [0, 0])


@pytest.mark.parametrize("how", FINISHES)
def test_r9_5_the_round_ends_as_soon_as_nothing_can_change(how):
    hands, actions, *_ = FINISHES[how]
    words = actions.split()
    game = Game("mendikot", *hands).play(" ".join(words[:-1]))
    assert (game.phase, game.winner) == ("PLAY", None)
    assert game.play(words[-1]).phase == "OVER"


def test_r9_5_a_fourth_ten_or_a_whitewash_may_still_come():
    game = Game("mendikot", deal=SUITED).play("2C TD TH TS")
    assert (game.tens, game.phase) == ([0, 3], "PLAY")  # the fourth is out
    game.play("2D . . TC")
    assert (game.tens, game.phase) == ([0, 4], "PLAY")  # no trick yet for the others


@pytest.mark.parametrize("how", FINISHES)
def test_r9_5_played_out_it_scores_the_same(how):
    hands, actions, winner, kind, points, _ = FINISHES[how]
    game = Game("mendikot", *hands, play_out=True).play(actions)
    game.play(" ." * (52 - game.length))
    assert (game.phase, game.trick_number) == ("OVER", 13)
    assert (game.winner, game.kind, game.paid[0][winner]) == (winner, kind, points)


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("how", FINISHES)
def test_r9_6_next_dealer(how, dealer):
    assert finished(how, dealer).next_dealer == (dealer + FINISHES[how][-1]) % 4


def test_r9_6_no_kots_and_no_streak():
    game = finished("all tricks", columns={"streak": (0, 0)}, points_target=100)
    assert (game.kots, game.streak, game.paid[1]) == ([0, 0], [0, 0], [0, 0])


def test_r9_7_match_to_five():
    assert rungenv.variant("mendikot").points_target == 5
    assert finished("three tens", columns={"points": (4, 3)}).match_winner is None
    game = finished("three tens", columns={"points": (4, 4)})
    assert (game.match_winner, game.points) == (1, [4, 5])


def test_r9_7_newcomers_to_three():
    assert rungenv.variant("mendikot_band").newcomer().points_target == 3
