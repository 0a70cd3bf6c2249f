"""The luck of the cards after the call: that its mean is 0, and what taking it out gains."""

import numpy as np
import pytest

import agents
import rungenv
from agents.greedy import Greedy
from rungenv.actions import PASS
from rungenv.bits import BIT, lowest
from train import deals
from train.arena.control import controlled
from train.arena.duplicate import play
from train.arena.piece import Piece
from train.arena.played import Played

SEED = deals.seed("training", 12)
CALLED = [game for game in rungenv.VARIANTS if rungenv.variant(game).calls]


class Bold(Greedy):
    """Greedy that never leaves the call to its partner, and calls or hides by the lowest number."""

    name = "bold"

    def act(self, view, rng):
        calling = view.phase <= 1
        any_call = lowest(view.legal & ~BIT[PASS]).astype(np.int64)
        return np.where(calling, any_call, super().act(view, rng))


def piece(game, stop, start=0, dealt_anew=8):
    return Piece(rungenv.variant(game), "a", "b", SEED, start, stop, dealt_anew=dealt_anew)


def test_every_game_with_a_call_is_here():
    assert CALLED == ["single_sar", "double_sar", "hidden_rung", "mendikot_band"]


@pytest.mark.parametrize("game", CALLED)
def test_its_mean_is_0_and_taking_it_out_makes_the_figure_steadier(game):
    played = play(piece(game, 600), Bold(), Greedy())
    luck = played.luck
    assert (luck != 0).mean() > 0.3
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))
    found = controlled(played.pairs, luck, None, ("luck",))
    assert found.weight > 0
    assert found.variance < 0.95
    assert abs(found.points - played.pairs.mean()) < played.pairs.std() / np.sqrt(600)


@pytest.mark.parametrize("game", CALLED)
def test_its_mean_is_0_however_few_cards_are_dealt_anew(game):
    """Deals that are dealt anew themselves: the mean over all is 0 within what chance allows."""
    luck = play(piece(game, 1500, dealt_anew=1), Bold(), Greedy()).luck
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))


def test_it_is_none_where_both_called_alike():
    assert not play(piece("single_sar", 40), Greedy(), Greedy()).luck.any()
    late = agents.make("random")
    played = play(piece("hidden_rung", 60), Bold(), late)
    timed_out = played.rounds.timed_out.reshape(2, 60).any(axis=0)
    assert timed_out.any()
    assert not played.luck[timed_out].any()


@pytest.mark.parametrize("game", ["double_sar", "mendikot_band"])
def test_it_is_the_same_whatever_the_pieces(game):
    whole = play(piece(game, 16), Bold(), Greedy()).luck
    parts = [
        play(piece(game, stop, start), Bold(), Greedy()).luck for start, stop in [(0, 7), (7, 16)]
    ]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    one = play(piece(game, 9), Bold(), Greedy())
    np.testing.assert_array_equal(Played.from_bytes(one.to_bytes()).luck, whole[:9])
    assert play(piece(game, 3, dealt_anew=0), Bold(), Greedy()).luck is None
