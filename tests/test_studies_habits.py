"""What an agent does, collected and counted; and whether a critic means what it says."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import agents
import rungenv
from agents.hand import lengths, of_suit
from rungenv import VARIANTS, Phase, variant
from rungenv.actions import REVEAL
from rungenv.bits import count, members
from rungenv.cards import LANE, card_set
from train.config import load
from train.learner import make_learner
from train.studies import habits
from train.studies.calibration import Expectations, calibration, expectations
from train.studies.heat_map import heat_map

GREEDY = agents.make("greedy")


@pytest.mark.parametrize("game", VARIANTS)
def test_decisions_are_those_of_the_round_as_it_was_played(game):
    found = habits.decisions(variant(game), GREEDY, 12, seed=5, wanted=habits.is_lead)
    tables = rungenv.deal(variant(game), 12, seed=5)
    rng = np.random.default_rng(0)
    expected = []
    while (tables.seat >= 0).any():
        view = rungenv.observe(tables)
        actions = np.zeros(12, np.int64)
        playing = np.flatnonzero(tables.seat >= 0)
        actions[playing] = GREEDY.act(view.take(playing), rng)
        is_free = (tables.phase == Phase.PLAY) & (tables.led < 0) & (count(view.legal) > 1)
        expected += [
            (row, int(actions[row]), int(view.hand[row])) for row in playing if is_free[row]
        ]
        rungenv.step(tables, actions)
    assert (
        list(zip(found.table, found.action, found.view.hand.astype(int), strict=True)) == expected
    )
    assert len(found) == len(found.view) == len(expected)


def test_who_may_ask_cannot_follow():
    """R7.3; greedy asks now and then, and now and then does not."""
    found = habits.decisions(variant("hidden_rung"), GREEDY, 60, seed=5, wanted=habits.may_ask)
    assert ((found.view.hand & of_suit(found.view.led)) == 0).all()
    asked = found.action == REVEAL
    assert asked.any()
    assert not asked.all()
    assert (found.view.trump < 0).all()


def test_where_there_is_no_such_decision_it_is_said():
    with pytest.raises(ValueError, match="5 rounds have no such decision"):
        habits.decisions(variant("single_sar"), GREEDY, 5, seed=5, wanted=habits.may_ask)


def test_of_the_suit_that_is_chosen_one_card_is_laid():
    found = habits.first_calls(variant("mendikot_band"), GREEDY, 50, seed=5)
    laid = habits.ranks_laid(found)
    assert np.nansum(laid.share * laid.times) == pytest.approx(50)
    in_suit = [
        count(view & LANE[card // 13])
        for view, card in zip(found.view.hand, found.action, strict=True)
    ]
    assert laid.times.sum() == sum(in_suit)


@pytest.mark.parametrize(
    ("cards", "longest"),
    [
        ("2C 3C 4C AS KS", "2C 3C 4C"),
        ("2C 3C AS KS 5H", "AS KS"),
        ("AC KC QC JC TC", "AC KC QC JC TC"),
        ("2C 3C 2D 4D 9H", "2D 4D"),
    ],
)
def test_the_longest_suit(cards, longest):
    found, length = habits.longest_suit(np.array([card_set(cards)]))
    assert members(found[0]) == members(card_set(longest))
    assert length[0] == len(longest.split())


def test_first_calls_are_those_that_rounds_begin_with():
    rules = variant("hidden_rung")
    calls = habits.first_calls(rules, GREEDY, 20, seed=5)
    played = habits.decisions(rules, GREEDY, 20, 5, lambda view: view.phase == Phase.CALL)
    assert calls.action.tolist() == played.action.tolist()
    assert calls.view.hand.tolist() == played.view.hand.tolist()
    assert calls.table.tolist() == played.table.tolist() == list(range(20))
    with pytest.raises(ValueError, match="trump='cut' nobody calls"):
        habits.first_calls(variant("mendikot"), GREEDY, 2, seed=0)


def test_a_grid_counts():
    rows, columns = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 2, 2, 2])
    found = habits.grid(rows, columns, np.array([1, 0, 1, 1, 1], bool), (2, 3))
    assert found.times.tolist() == [[2, 0, 0], [0, 0, 3]]
    assert found.share[0, 0] == 0.5
    assert found.share[1, 2] == 1
    assert np.isnan(found.share).sum() == np.isnan(found.margin).sum() == 4


def test_every_card_that_was_open_is_counted_once():
    found = habits.decisions(variant("be_ranga"), GREEDY, 40, seed=5, wanted=habits.is_lead)
    first = found.view.trick_number == 0
    leads = found.take(first)
    chosen = habits.cards_chosen(leads)
    assert chosen.times.sum() == 13 * len(leads)
    assert np.nansum(chosen.share * chosen.times) == pytest.approx(len(leads))
    longest = lengths(leads.view.hand).max(axis=1)
    assert chosen.times[:, 6].sum() == longest[longest >= 7].sum()


# The critic.


def test_expectations_are_one_for_each_round():
    settings = load(overrides={"network.hidden": (8,), "network.critic_hidden": (8,)})
    found = expectations(make_learner(settings), settings.rules, 20, seed=1)
    assert len(found.expected) == len(found.outcome) == 20
    again = expectations(make_learner(settings), settings.rules, 20, seed=1)
    assert np.array_equal(found.expected, again.expected)
    assert set(np.abs(found.outcome)) <= {1, 2, 3, 4}


def test_what_is_calibrated_lies_on_the_diagonal_and_what_is_not_does_not():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=20_000)
    outcome = truth + rng.normal(size=20_000)
    for expected, came in calibration(Expectations(truth, outcome), bins=10):
        assert abs(came.mean - expected) < 2 * came.margin
    (lowest, came), *_ = calibration(Expectations(2 * truth, outcome), bins=10)
    assert came.low > lowest


def test_a_heat_map_leaves_out_what_was_too_seldom():
    axes = Figure().subplots()
    rows = np.repeat([0, 1], 30)
    counted = habits.grid(rows, np.append(np.zeros(58), [1, 1]).astype(int), rows == 1, (2, 2))
    image = heat_map(axes, counted, ["few", "many"], ["low", "high"])
    assert [text.get_text() for text in axes.texts] == ["0", "100"]
    assert np.isnan(np.ma.filled(image.get_array(), np.nan)).tolist() == [[False, True]] * 2
    assert [label.get_text() for label in axes.get_yticklabels()] == ["few", "many"]
