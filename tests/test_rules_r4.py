"""R4, single sar: one test for every line."""

import pytest

from tables import SUITED, Game, finished


def test_r4_1_seven_tricks_end_the_round():
    game = Game("single_sar", deal=SUITED).play("CALL_C" + " ." * 27)
    assert (game.phase, game.tricks, game.winner) == ("PLAY", [6, 0], None)
    game.play(".")
    assert (game.phase, game.seat, game.tricks, game.winner) == ("OVER", None, [7, 0], 0)
    assert game.legal == ""
    assert game.events.round_over.tolist() == [True]


@pytest.mark.parametrize(("how", "tricks"), [("callers", [7, 2]), ("others", [1, 7])])
def test_r4_1_the_team_with_seven_wins(how, tricks):
    game = finished(how)
    assert (game.kind, game.tricks) == ("WIN", tricks)
    assert game.winner == tricks.index(7)


def test_r4_2_first_seven_in_a_row_are_a_kot():
    assert finished("kot").kind == "KOT"
    assert finished("goon_kot").kind == "GOON_KOT"


def test_r4_2_seven_in_a_row_after_losing_one_are_none():
    game = finished("others")  # the callers took trick 1, the others tricks 2 to 8
    assert (game.kind, game.tricks, game.trick_number) == ("WIN", [1, 7], 8)
