"""The reference engine in positions worked out by hand."""

import pytest

from reference import (
    ACTIONS,
    GAMES,
    Table,
    card,
    count_playouts,
    deal_from_pack,
    deal_of,
    draw_for_eldest,
    in_turn,
    name,
    tens_winner,
)

# every seat holds one whole suit: seat 0 clubs, 1 diamonds, 2 hearts, 3 spades
SUITED = deal_of("C", "D", "H", "S")


def table(game, *hands, dealer=3, deal=None, **options):
    return Table(GAMES[game] | options, dealer, [deal or deal_of(*hands)])


def play(table, text):
    for action in text.split():
        table.act(ACTIONS.index(action))
    return table


def names(table):
    return " ".join(name(action) for action in table.legal())


def test_card_text_goes_both_ways():
    assert [card("2C"), card("AC"), card("2D"), card("AS")] == [0, 12, 13, 51]
    assert all(card(name(number)) == number for number in range(52))
    assert len(set(ACTIONS)) == 61


def test_draw_goes_on_between_the_tied():
    pack = map(card, ("KC", "4D", "KH", "3S", "AC", "AD", "2S", "9S"))
    assert draw_for_eldest(pack) == 2  # 0 and 2 tie with kings, then with aces; 9S beats 2S


def test_deal_is_five_four_four_from_the_eldest_on():
    deal = deal_from_pack(range(52), dealer=1)
    assert deal[2] == [0, 1, 2, 3, 4, 20, 21, 22, 23, 36, 37, 38, 39]
    assert deal[1] == [15, 16, 17, 18, 19, 32, 33, 34, 35, 48, 49, 50, 51]
    assert in_turn(2) == [2, 3, 0, 1]


def test_a_call_names_a_suit_among_the_first_five():
    calls = table("single_sar", "2C 3C 4H 5H 6H AS")
    assert names(calls) == "CALL_C CALL_H PASS"
    with pytest.raises(ValueError, match="CALL_C CALL_H PASS"):
        play(calls, "CALL_S")
    play(calls, "PASS")
    assert (calls.seat, calls.phase, calls.passed) == (2, "PARTNER_CALL", True)
    assert names(calls).endswith("TIMEOUT")
    play(calls, "TIMEOUT")
    assert (name(calls.turned_up), calls.trump, calls.caller, calls.seat) == ("AS", 3, 0, 0)


def test_seven_tricks_in_a_row_are_a_kot_of_the_callers():
    kot = play(table("single_sar", deal=SUITED), "CALL_C " + trick_texts(7))
    assert (kot.phase, kot.winner, kot.kind, kot.tricks) == ("OVER", 0, "KOT", [7, 0])
    assert (kot.paid_points, kot.paid_kots, kot.next_dealer) == ([3, 0], [1, 0], 1)
    assert kot.legal() == []


def trick_texts(count):
    """Tricks led by seat 0 in which everyone plays their lowest card of the suited deal."""
    return " ".join(f"{rank}C {rank}D {rank}H {rank}S" for rank in "23456789TJQKA"[:count])


def test_double_sar_needs_the_same_seat_twice():
    pile = play(table("double_sar", deal=SUITED), "CALL_C " + trick_texts(1))
    assert (pile.tricks, pile.pile, pile.waiting) == ([0, 0], 1, 0)
    play(pile, "3C 3D 3H 3S")
    assert (pile.tricks, pile.pile, pile.waiting) == ([2, 0], 0, None)
    play(pile, "4C 4D 4H 4S")
    assert (pile.tricks, pile.pile, pile.waiting) == ([2, 0], 1, 0)


def test_double_sar_goes_on_while_the_other_team_has_nothing():
    pile = play(table("double_sar", deal=SUITED), "CALL_C " + trick_texts(12))
    assert (pile.phase, pile.tricks) == ("PLAY", [12, 0])
    play(pile, "AC AD AH AS")
    assert (pile.kind, pile.tricks, pile.paid_kots) == ("KOT", [13, 0], [1, 0])


def test_a_card_thrown_before_the_trump_is_shown_is_no_trump():
    hidden = table("hidden_rung", "2D 2C 3C 4C 5C", "6C 7C 8C 9C TC", "3D 4D", "KD AD")
    play(hidden, "2D")
    assert card("2D") not in hidden.hands[0]
    play(hidden, "5C 6C 3D")  # seat 2 is void in clubs and throws a diamond
    assert names(hidden).split()[-1] == "REVEAL"
    play(hidden, "REVEAL")
    assert (hidden.trump, hidden.shown, hidden.asker) == (1, card("2D"), 3)
    assert card("2D") in hidden.hands[0]
    assert all(action.endswith("D") for action in names(hidden).split())
    play(hidden, names(hidden).split()[0])
    assert hidden.seat == 3  # its diamond is a trump, seat 2's is not


def test_an_owner_left_with_the_face_down_card_must_show_it():
    hidden = play(table("hidden_rung", deal=SUITED), "3C 2C 2D 2H 2S")
    assert names(hidden).split()[-1] == "REVEAL"  # about to lead
    play(hidden, "REVEAL")
    assert names(hidden) == " ".join(f"{rank}C" for rank in "3456789TJQKA")


def test_the_first_card_off_the_suit_cuts():
    cut = play(table("be_ranga", deal=SUITED), "2C AD AH AS")
    assert (cut.trump, cut.seat, cut.tricks) == (1, 1, [0, 1])


def test_band_turns_the_card_up_before_the_first_void_seat_plays():
    band = play(table("mendikot_band", deal=SUITED), "TIMEOUT 3C")
    assert (band.trump, band.asker, band.shown, band.must_trump) == (0, 1, card("2C"), True)
    assert len(band.legal()) == 13  # seat 1 has no trump


def test_a_mendikot_round_ends_when_nothing_can_change_it():
    assert tens_winner([6, 7], [2, 2]) == (1, "TRICKS")
    assert tens_winner([13, 0], [4, 0]) == (0, "WHITEWASH")
    whitewash = play(table("mendikot", deal=SUITED), "AC 2D 2H 2S")
    assert whitewash.tens == [0, 0]
    play(whitewash, "TD TH TS TC")  # all four tens, and team 0 has no trick: a whitewash may come
    assert (whitewash.phase, whitewash.tens) == ("PLAY", [0, 4])
    rest = [f"{rank}{suit}" for rank in "3456789JQKA" for suit in "DHSC"]
    rest[-1] = "2C"
    play(whitewash, " ".join(rest))
    assert (whitewash.kind, whitewash.paid_points) == ("WHITEWASH", [0, 3])


def test_seventh_win_in_a_row_pays_two_more():
    seventh = Table(GAMES["single_sar"], 3, [deal_of()], streak=(6, 0))
    seventh._end_round(0, "WIN")
    assert (seventh.paid_points, seventh.streak) == ([3, 0], [0, 0])


def test_new_cards_begin_the_round_anew():
    options = GAMES["single_sar"] | {"new_cards": (0, 1, 0, 2), "change_trump": True}
    fresh = Table(options, 3, [SUITED, deal_of("AS")])
    play(fresh, "CALL_C")
    assert (fresh.phase, fresh.seat, names(fresh)) == ("NEW_CARDS", 1, "KEEP NEW_CARDS")
    play(fresh, "KEEP NEW_CARDS")
    assert (fresh.phase, fresh.seat, fresh.trump) == ("CALL", 0, None)
    assert (fresh.new_cards_left, fresh.deal[0][0]) == ([0, 1, 0, 1], card("AS"))
    play(fresh, "CALL_S KEEP KEEP")
    assert (fresh.phase, names(fresh)) == ("CHANGE_TRUMP", "CALL_C CALL_D CALL_H KEEP")


def test_play_outs_of_an_ending_are_counted():
    ending = play(table("single_sar", deal=SUITED), "PASS CALL_H " + "2C 2D 2H 2S")
    play(ending, " ".join(f"{r}H {r}S {r}C {r}D" for r in "34567"))
    assert (ending.phase, ending.tricks) == ("PLAY", [6, 0])
    assert count_playouts(ending) == 7**4
