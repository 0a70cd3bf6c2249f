"""The worst deals of a duel: their games are the duel's own, and part where agents disagree."""

import numpy as np
import pytest

import agents
import rungenv
from rungenv import VARIANTS, variant
from train.arena.duplicate import play
from train.arena.piece import Piece
from train.arena.swings import worst_deals

GREEDY, EXPERT, RANDOM = map(agents.make, ("greedy", "expert", "random"))


@pytest.mark.parametrize("game", VARIANTS)
def test_the_worst_deals_are_those_of_the_duel(game):
    """Where chance has a part in it too: random plays the same again, block by block."""
    rules = variant(game)
    swings = worst_deals(rules, GREEDY, RANDOM, 30, 3, seed=5, first_table=2040)
    pieces = [Piece(rules, "greedy", "random", 5, *ends) for ends in ((2040, 2048), (2048, 2070))]
    played = np.concatenate([play(piece, GREEDY, RANDOM).pairs for piece in pieces])
    assert [swing.points for swing in swings] == sorted(played)[:3]
    for swing in swings:
        assert played[swing.table - 2040] == swing.points
        results = [game.rounds[0].result for game in swing.games]
        paid = [result["points"][0] - result["points"][1] for result in results]
        assert swing.points == (paid[0] - paid[1]) / 2
        assert [game.agents[0] for game in swing.games] == ["greedy", "random"]
        for record in swing.games:
            record.verify()


@pytest.mark.parametrize("game", VARIANTS)
def test_games_part_where_agents_that_know_the_same_choose_differently(game):
    for swing in worst_deals(variant(game), GREEDY, EXPERT, 20, 3, seed=6):
        parting = swing.parting()
        view = rungenv.observe(parting.position)
        assert int(view.seat[0]) == parting.seat
        rng = np.random.default_rng(0)
        chosen = [int(agent.act(view, rng)[0]) for agent in (GREEDY, EXPERT)]
        assert chosen == list(parting.chosen)
        assert chosen[0] != chosen[1]


def test_games_of_agents_that_agree_do_not_part():
    (swing,) = worst_deals(variant("mendikot"), GREEDY, GREEDY, 3, 1, seed=7)
    assert swing.points == 0
    assert swing.parting() is None
