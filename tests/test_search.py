"""Search: legal everywhere, a function of the view, and it finds what a plan finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
import rungenv
from agents.candidates import candidates, one_of_each
from rungenv.cards import card_set, cards_text
from tables import Game
from test_agents import any_rules, mixed_view, play_out

RNG = np.random.default_rng(0)


@settings(max_examples=6)
@given(rules=any_rules(), seed=st.integers(0, 2**32))
def test_search_plays_legally_under_any_rules(rules, seed):
    tables = play_out(rules, agents.make("search:worlds=2"), 2, seed)
    assert (tables.winner >= 0).all()


@pytest.mark.parametrize("game", rungenv.VARIANTS)
@pytest.mark.parametrize("rollout", ["greedy", "random"])
def test_search_decides_alone_as_in_any_batch(game, rollout):
    view = mixed_view(rungenv.variant(game, new_cards=1), n=6)
    search = agents.make(f"search:worlds=3,rollout={rollout}")
    together = search.act(view, RNG)
    rows = range(len(view))
    assert together.tolist() == [search.act(view.take(slice(i, i + 1)), RNG)[0] for i in rows]
    assert together.dtype == np.int64
    assert (view.legal & rungenv.bits.BIT[together] != 0).all()


def test_of_cards_that_come_to_the_same_one_is_tried():
    hand = "2C 3C 5C 9C TC JC 2D 4D AH 2S"
    others = card_set("4C 3H 8D")

    def tried(game, hand):
        rules = rungenv.variant(game)
        return cards_text(one_of_each(rules, np.array([card_set(hand)]), np.array([others]))[0])

    assert tried("single_sar", hand) == "2S AH 2D 5C 2C"
    assert tried("mendikot", "8C 9C TC JC QC") == "JC TC 8C"  # a ten counts
    assert tried("double_sar", "QC KC AC 2D 3D") == "2D AC QC"  # so does an ace


def test_the_preferred_card_stands_for_its_like():
    game = Game("single_sar", "2C 3C 4C 9D H S").play("CALL_H")
    view = rungenv.observe(game.tables)
    preferred = np.array([rungenv.parse_action("3C")])
    assert "3C" in cards_text(candidates(view, preferred)[0])
    assert "2C" not in cards_text(candidates(view, preferred)[0])
