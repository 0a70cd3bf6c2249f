"""R1, table and deal: one test for every line."""

import numpy as np
import pytest

import rungenv
from reference import deal_from_pack, draw_for_eldest, in_turn
from rungenv import dealing
from tables import SUITED, Game


@pytest.fixture(scope="module")
def packs():
    return np.random.default_rng(3).permuted(np.tile(np.arange(52), (500, 1)), axis=1)


def test_r1_1_turn_order():
    game = Game("single_sar", deal=SUITED, dealer=1).play("CALL_H")
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.play(".")
    assert seats == in_turn(2)


def test_r1_1_partners_sit_opposite():
    for winner in range(4):  # whose suit is trump, and so takes the trick
        game = Game("single_sar", deal=SUITED, dealer=3, call_any_suit=True)
        game.play("CALL_" + "CDHS"[winner], ". . . .")
        assert game.seat == winner
        assert game.tricks.index(1) == winner % 2


def test_r1_2_the_highest_card_drawn_is_eldest_hand(packs):
    drawn = dealing.draw_for_eldest(packs)
    assert drawn.tolist() == [draw_for_eldest(pack) for pack in packs.tolist()]


def test_r1_2_the_tied_draw_again_and_the_others_are_out():
    for ties, eldest in (
        ("AC KD AH KS 2C 3D", 2),  # 0 and 2 tie; 3D beats 2C
        ("5C AS 4D AD 9H 9S QC KD", 3),  # 1 and 3 tie twice
        ("9H 9S 9C 9D 8H 7S 7D 8C 2C 3C", 3),  # all four, then 0 and 3
    ):
        pack = rungenv.parse_cards(ties)
        pack += sorted(set(range(52)) - set(pack))
        assert dealing.draw_for_eldest(np.array([pack])).tolist() == [eldest]
        assert draw_for_eldest(pack) == eldest


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_r1_2_the_first_dealer_sits_just_before(game):
    tables = rungenv.deal(rungenv.variant(game), 2000, seed=1)
    assert np.bincount(tables.dealer, minlength=4).min() > 400
    # the draw is the same in every variant
    assert (tables.dealer == rungenv.deal(rungenv.variant("be_ranga"), 2000, seed=1).dealer).all()
    assert (tables.seat == (tables.dealer + 1) % 4).all()


def test_r1_3_five_then_four_then_four(packs):
    dealer = np.arange(len(packs)) % 4
    deals = dealing.deal_packs(packs, dealer)
    assert deals.tolist() == list(map(deal_from_pack, packs.tolist(), dealer.tolist()))


def test_r1_3_the_first_five_are_the_first_received():
    game = Game("single_sar", "AS KS QS JS TS 9S 8S").tables
    assert game.first_five[0, 0] == sum(1 << card for card in game.deal[0, 0, :5].tolist())
    assert game.deal[0, 0, :7].tolist() == rungenv.parse_cards("AS KS QS JS TS 9S 8S")
