"""The ladder: the fit against what is known in closed form, and its intervals by simulation."""

import numpy as np
import pytest

from train.arena import ratings
from train.arena.ratings import ELO, Meeting, ladder, strengths


def test_two_agents_have_the_rating_that_their_wins_have_odds_of():
    found = strengths(np.array([[0.0, 30.0], [10.0, 0.0]]))
    assert found[0] - found[1] == pytest.approx(np.log(3))
    assert found.sum() == pytest.approx(0)


def test_wins_as_the_model_expects_give_back_its_ratings():
    true = np.array([1.5, 0.2, -0.3, -1.4])
    chance = 1 / (1 + np.exp(true[None, :] - true[:, None]))
    wins = 1000 * chance * (1 - np.eye(4))
    np.testing.assert_allclose(strengths(wins), true, atol=1e-9)


def test_many_are_rated_at_once_as_alone():
    rng = np.random.default_rng(0)
    wins = rng.integers(1, 50, (5, 4, 4)) * (1 - np.eye(4))
    together = strengths(wins)
    for one, found in zip(wins, together, strict=True):
        np.testing.assert_allclose(strengths(one), found, atol=1e-8)


def test_the_fit_is_where_wins_are_as_many_as_expected():
    """The condition of the most likely ratings, and agents that did not all meet."""
    wins = np.array([[0, 7, 0], [3, 0, 9], [0, 2, 0]], float)
    found = strengths(wins)
    chance = 1 / (1 + np.exp(found[None, :] - found[:, None]))
    expected = ((wins + wins.T) * chance).sum(axis=1)
    np.testing.assert_allclose(expected, wins.sum(axis=1), atol=1e-6)


def simulated(rng, true, deals, luck):
    """Meetings whose rounds go by the model; `luck` makes the deal's rounds go alike."""
    meetings = []
    shared = rng.random(deals) < luck
    common = rng.random((deals, 2))
    for first in range(len(true)):
        for second in range(first + 1, len(true)):
            chance = 1 / (1 + np.exp(true[second] - true[first]))
            draws = np.where(shared[:, None], common, rng.random((deals, 2)))
            won = (draws < chance).mean(axis=1)
            meetings.append(Meeting(first, second, 2 * won - 1, won))
    return meetings


@pytest.mark.parametrize("luck", [0.0, 0.8])
def test_the_intervals_hold_the_truth_as_often_as_they_say(luck, monkeypatch):
    """The bootstrap draws deals whole, so also where a deal favours the same side in all games."""
    monkeypatch.setattr(ratings, "REPLICATES", 300)
    true = np.array([0.6, 0.1, -0.7])
    rng = np.random.default_rng(1)
    runs, held, held_points = 60, 0, 0
    for _ in range(runs):
        rows = ladder("abc", simulated(rng, true, 300, luck), rng)
        chance = 2 / (1 + np.exp(true[None, :] - true[:, None])) - 1
        points = dict(zip("abc", chance.sum(axis=1) / 2, strict=True))
        for row in rows:
            held += row.low <= ELO * true["abc".index(row.agent)] <= row.high
            held_points += row.points_low <= points[row.agent] <= row.points_high
    # 180 intervals, three of a run depending on one another: 95 % of them, give or take 3 errors.
    for count in (held, held_points):
        assert 0.88 <= count / (3 * runs) <= 0.995


def test_a_ladder_is_in_order_and_tells_who_cheats():
    rng = np.random.default_rng(2)
    meetings = simulated(rng, np.array([-1.0, 0.0, 1.0]), 500, 0.3)
    rows = ladder(("weak", "middling", "strong"), meetings, np.random.default_rng(3), ("strong",))
    assert [row.agent for row in rows] == ["strong", "middling", "weak"]
    assert [row.cheats for row in rows] == [True, False, False]
    assert all(row.low < row.rating < row.high for row in rows)
    assert all(row.points_low < row.points < row.points_high for row in rows)
    again = ladder(("weak", "middling", "strong"), meetings, np.random.default_rng(3), ("strong",))
    assert again == rows


def test_one_who_never_loses_has_a_rating_all_the_same():
    always = Meeting(0, 1, np.ones(50), np.ones(50))
    winner, loser = ladder("ab", [always], np.random.default_rng(0))
    assert (winner.agent, winner.win, loser.win) == ("a", 1.0, 0.0)
    assert np.isfinite([winner.low, winner.high, loser.low]).all()
    assert winner.low > 100


def test_meetings_of_different_lengths_are_rated_together():
    rng = np.random.default_rng(4)
    long, other, short = simulated(rng, np.array([0.5, 0.0, -0.5]), 400, 0.3)
    short = Meeting(1, 2, short.points[:100], short.wins[:100])
    rows = {row.agent: row for row in ladder("abc", [long, other, short], rng)}
    full = ladder("abc", simulated(rng, np.array([0.5, 0.0, -0.5]), 400, 0.3), rng)
    width = {row.agent: row.high - row.low for row in full}
    assert rows["a"].rating > rows["b"].rating > rows["c"].rating
    assert rows["c"].high - rows["c"].low > width["c"]
