"""The expert as a player: better than greedy, and the same alone as in a batch."""

import numpy as np
import pytest

import agents
import rungenv
from agents.expert.agent import Expert, best, decisive, judgement_names
from agents.expert.situations import SITUATIONS, judgements
from agents.expert.weights import all_weights, every_game, game_of
from agents.plays import cutter, led_by
from rungenv import action_name
from rungenv.cards import card_set
from tables import Game
from test_agents import mixed_view
from train import arena, deals
from train.worth import worths


def expert_plays(game):
    view = rungenv.observe(game.tables)
    return action_name(agents.make("expert").act(view, np.random.default_rng(0))[0])


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_it_beats_greedy(game):
    pairs = 2500 if game in ("single_sar", "hidden_rung", "mendikot_band") else 400
    rules = rungenv.variant(game)
    expert, greedy = agents.make("expert"), agents.make("greedy")
    score = arena.duel(rules, expert, greedy, pairs, seed=deals.seed("validation", 1))
    assert score.low > 0.02


@pytest.mark.parametrize("rules", every_game(), ids=game_of)
def test_it_decides_alone_as_in_any_batch(rules):
    view = mixed_view(rules)
    rng = np.random.default_rng(0)
    expert = agents.make("expert")
    together = expert.act(view, rng)
    alone = [expert.act(view.take(slice(i, i + 1)), rng)[0] for i in range(len(view))]
    assert together.tolist() == alone
    assert together.dtype == np.int64


@pytest.mark.parametrize("rules", every_game(), ids=game_of)
def test_every_judgement_of_every_game_has_a_weight(rules):
    weights = all_weights()[game_of(rules)]
    for situation in weights:
        assert list(weights[situation]) == [
            judge.__name__ for judge in judgements(rules, situation)
        ]
    assert set(weights) <= set(SITUATIONS)


def test_a_judgement_is_switched_off_by_its_name():
    assert agents.make("expert:without=draw_trumps+play_low").without == ("draw_trumps", "play_low")
    with pytest.raises(ValueError, match="no judgement 'draw_trump'; nearest: draw_trumps"):
        agents.make("expert:without=draw_trump")
    rules = rungenv.variant("single_sar")
    asked, _ = Expert("draw_trumps").plan(rules, "lead")
    assert "draw_trumps" not in {judge.__name__ for judge in asked}


def test_every_judgement_says_why():
    assert all(len(judge.__doc__ or "") > 10 for judge in judgement_names().values())


def test_the_highest_sum_is_chosen_and_of_equals_the_lowest():
    answers = np.array([[0b0110], [0b0100], [0b1000]], np.uint64)
    legal = np.array([0b1111], np.uint64)
    assert best(answers, np.array([5, 3, 8], np.int16), legal).tolist() == [2]
    assert best(answers, np.array([5, 3, 8], np.int16), legal & ~np.uint64(4)).tolist() == [3]
    assert best(answers, np.array([-5, -3, -8], np.int16), legal).tolist() == [0]
    changed = decisive(answers, np.array([5, 3, 6], np.int16), legal)
    assert changed.ravel().tolist() == [True, True, False]


def test_what_a_judgement_is_worth_is_what_the_arena_finds():
    rules = rungenv.variant("double_sar")
    found = {worth.judgement: worth for worth in worths(rules, Expert(), 64, seed=5)}
    for name in ("seal_the_pile", "play_low"):
        score = arena.duel(rules, Expert(), Expert(name), 64, seed=5)
        assert found[name].points == score.points
        assert (found[name].low, found[name].high) == pytest.approx((score.low, score.high))
    assert found["seal_the_pile"].points > 0


# What the order of the cards tells.


def test_who_led_which_suit():
    game = Game("single_sar", "2D C", "AD AS H", "4D 4S", "6D 7S").play("CALL_C 2D AD 4D 6D AS")
    view = rungenv.observe(game.tables)
    me, led_next, partner, previous = led_by(view)[:, 0]
    diamonds, spades = card_set("AD") | card_set("2D"), card_set("AS")
    assert partner & diamonds == diamonds
    assert previous & spades == spades
    assert me == led_next == partner & spades == 0


def test_a_showing_is_no_card_and_moves_the_leads_behind_it():
    game = Game("hidden_rung", "2S AC C", "KC 4S", "3D 5S H", "TC S")
    game.play("2S AC KC REVEAL 5S TC 2H")  # the partner ruffs, and leads a heart
    led = led_by(rungenv.observe(game.tables))[:, 0]
    leads = [card_set("AC"), card_set("2H")]
    assert [[int(cards & lead != 0) for lead in leads] for cards in led] == [
        [0, 0],
        [1, 0],
        [0, 0],
        [0, 1],
    ]


def test_who_cut():
    game = Game("be_ranga", "AC C", "2C 3C", "D", "4C 5C").play("AC 2C")
    assert cutter(rungenv.observe(game.tables)).tolist() == [-1]
    game.play(". 4C")
    view = rungenv.observe(game.tables)
    assert (cutter(view)[0] + view.seat[0]) & 3 == 2


# Decisions that any good player would make alike.


def test_it_never_leads_a_ten_into_the_unknown():
    hand = "TC 2C 3C TD 2D 3D TH 2H 3H TS 2S 3S 4S"
    assert not expert_plays(Game("mendikot", hand)).startswith("T")


def test_it_gives_a_ten_to_a_partner_who_is_sure_to_win():
    hands = "AC 2C S", "3C KC D", "TC 4C QC", "5C H"
    assert expert_plays(Game("mendikot", *hands).play("AC 3C")) == "TC"


def test_it_does_not_ruff_what_the_partner_wins():
    game = Game("single_sar", "AD 3C H", "3D S", "2C KC KH 3H 4H AS 5S 6S 7S 8S 9S", "4D D")
    assert not expert_plays(game.play("CALL_C AD 3D")).endswith("C")


def test_it_seals_a_pile():
    hands = "AC KC QC 2C 3D AH KH 5H 2S 3S 4S 5S 6S", "6C 7C D", "3C 4C 5C H", "8C 9C S"
    assert expert_plays(Game("double_sar", *hands).play("CALL_C KC 6C 3C 8C")) in ("QC", "KH", "AH")


def test_it_lets_the_partner_seal_and_stops_an_opponent():
    hands = "KD QD 4C C", "5D 6D 3H H", "3D 4D AD 5S S", "2D JD 7D D"
    assert expert_plays(Game("double_sar", *hands).play("CALL_C KD 5D 3D 2D QD 6D")) == "4D"
    hands = "KD QD 4C C", "5D 6D 3H H", "3D 4D 5S S", "2D AD 7D D"
    assert expert_plays(Game("double_sar", *hands).play("CALL_C KD 5D 3D 2D QD 6D 4D")) == "AD"


def test_it_cuts_into_its_long_suit():
    game = Game("be_ranga", "AC C", "2D 3D 9H 8H 7H 6H 5H 4H AS KS QS JS TS").play("AC")
    assert expert_plays(game)[1] in "HS"


def test_it_wins_when_the_round_hangs_on_it():
    game = Game("single_sar", "QD C", "AD KD 2D H", "3D S", "4D").play("CALL_C QD")
    game.set(tricks=(6, 6))
    assert expert_plays(game) in ("KD", "AD")
