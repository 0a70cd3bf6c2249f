"""R5, scores, dealer and match: one test for every line."""

import pytest

import rungenv
from tables import finished


@pytest.mark.parametrize(
    ("how", "points", "kots"),
    [
        ("callers", [1, 0], [0, 0]),
        ("others", [0, 2], [0, 0]),
        ("kot", [3, 0], [1, 0]),
        ("goon_kot", [0, 4], [0, 3]),
    ],
)
def test_r5_1_only_the_winners_score(how, points, kots):
    game = finished(how, columns={"points": (2, 1), "kots": (0, 0)})
    assert game.paid == (points, kots)
    assert (game.points, game.kots) == ([2 + points[0], 1 + points[1]], kots)


def test_r5_2_seventh_win_in_a_row_pays_a_bonus_and_so_does_every_seventh():
    streak, paid = (0, 0), []
    for _ in range(14):
        game = finished("callers", columns={"streak": streak})
        streak = tuple(game.streak)
        paid.append(game.paid[0][0])
    assert paid == [1, 1, 1, 1, 1, 1, 3] * 2


def test_r5_2_others_may_have_the_streak():
    game = finished("others", columns={"streak": (0, 6)}, points_target=100)
    assert (game.paid, game.streak) == (([0, 4], [0, 0]), [0, 0])


def test_r5_2_bonus_is_a_kot_when_kots_are_scored():
    game = finished("callers", columns={"streak": (6, 0)}, scoring="kots")
    assert (game.paid, game.kots) == (([1, 0], [1, 0]), [1, 0])


def test_r5_2_a_loss_breaks_the_row():
    assert finished("callers", columns={"streak": (2, 5)}).streak == [3, 0]


@pytest.mark.parametrize("how", ["kot", "goon_kot"])
@pytest.mark.parametrize("streak", [(6, 0), (0, 6), (3, 0)])
def test_r5_3_a_kot_zeroes_both_counts_and_is_not_counted(how, streak):
    game = finished(how, columns={"streak": streak})
    assert game.streak == [0, 0]
    assert sum(game.paid[0]) == {"kot": 3, "goon_kot": 4}[how]


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    ("how", "step"), [("callers", 0), ("others", 1), ("kot", 2), ("goon_kot", 1)]
)
def test_r5_4_next_dealer(how, step, dealer):
    game = finished(how, dealer=dealer)
    assert game.next_dealer == (dealer + step) % 4
    assert (game.next_dealer + 1) % 2 == game.winner  # the winners call next


def test_r5_4_bonus_does_not_move_the_deal():
    assert finished("callers", columns={"streak": (6, 0)}).next_dealer == 3


def test_r5_5_first_to_ten_points():
    assert finished("callers", columns={"points": (8, 9)}).match_winner is None
    game = finished("callers", columns={"points": (9, 9)})
    assert (game.points, game.match_winner) == ([10, 9], 0)
    assert game.events.match_over.tolist() == [True]


def test_r5_5_first_to_three_kots():
    columns = {"points": (99, 0), "kots": (1, 0)}
    assert finished("kot", columns=columns, scoring="kots").match_winner is None
    columns["kots"] = (2, 2)
    assert finished("kot", columns=columns, scoring="kots").match_winner == 0
    assert finished("goon_kot", scoring="kots").match_winner == 1


def test_r5_5_targets_can_be_set():
    assert finished("kot", points_target=3).match_winner == 0
    assert finished("kot", points_target=4).match_winner is None
    assert finished("kot", scoring="kots", kots_target=1).match_winner == 0


def test_r5_5_only_the_winners_of_the_round_reach_the_target():
    assert finished("callers", columns={"points": (3, 12)}).match_winner is None


def test_r5_6_newcomers_play_to_three():
    newcomer = rungenv.variant("hidden_rung", scoring="kots").newcomer()
    assert (newcomer.scoring, newcomer.points_target) == ("points", 3)
    assert finished("kot", scoring=newcomer.scoring, points_target=3).match_winner == 0
