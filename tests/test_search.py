"""Search: legal everywhere, a function of the view, in time, and it finds what a plan finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
import rungenv
from agents import search
from agents.candidates import candidates, one_of_each
from agents.chances import SLACK, chances
from agents.endgame import solve, solve_by_kernel
from agents.payoffs import points
from agents.weighing import likely_worlds
from endings import endings
from rungenv.belief import worlds
from rungenv.bits import BIT, count, unpack
from rungenv.cards import card_set, cards_text
from tables import Game
from test_agents import any_rules, mixed_view, play_out

RNG = np.random.default_rng(0)


@settings(max_examples=6)
@given(
    rules=any_rules(), seed=st.integers(0, 2**32), name=st.sampled_from(["search", "double_dummy"])
)
def test_search_plays_legally_under_any_rules(rules, seed, name):
    tables = play_out(rules, agents.make(f"{name}:worlds=1,exact=2"), 4, seed)
    assert (tables.winner >= 0).all()


@pytest.mark.parametrize("game", rungenv.VARIANTS)
@pytest.mark.parametrize(
    "name",
    [
        "search:worlds=3",
        "search:worlds=2,rollout=random,prior=None",
        "search:worlds=3,weights=greedy,prior=greedy",
        "double_dummy:worlds=2",
    ],
)
def test_search_decides_alone_as_in_any_batch(game, name):
    view = mixed_view(rungenv.variant(game, new_cards=1), n=4)
    searches = agents.make(name)
    together = searches.act(view, RNG)
    rows = range(len(view))
    assert together.tolist() == [searches.act(view.take(slice(i, i + 1)), RNG)[0] for i in rows]
    assert together.dtype == np.int64
    assert (view.legal & BIT[together] != 0).all()


def test_parts_of_any_size_give_the_same_decisions(monkeypatch):
    view = mixed_view(rungenv.variant("hidden_rung"), n=6)
    searches = agents.make("search:worlds=10")
    at_once = searches.act(view, RNG)
    monkeypatch.setattr(search, "AT_ONCE", 16)
    assert searches.act(view, RNG).tolist() == at_once.tolist()


# What it tries.


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
    tried = candidates(rungenv.observe(game.tables), np.array([rungenv.actions.parse_action("3C")]))
    assert "3C" in cards_text(tried[0])
    assert "2C" not in cards_text(tried[0])


def test_time_is_not_let_run_out_on_purpose():
    game = Game("single_sar", passing=False)
    tried = candidates(rungenv.observe(game.tables), np.array([rungenv.actions.CALL]))
    assert f"{rungenv.actions.action_names(tried[0])} TIMEOUT" == game.legal


# What it finds.


def best_everywhere(tables, copies):
    """The actions than which none pays more, with best play, in any world drawn: (n, 61) bool."""
    parent, action = np.nonzero(tables.legal_mask())
    drawn = worlds(rungenv.observe(tables), copies, np.random.default_rng(1))
    after = drawn.take((parent[:, None] * copies + np.arange(copies)).ravel())
    rungenv.step(after, np.repeat(action, copies))
    paid = np.full((len(tables), 61, copies), -np.inf)
    paid[parent, action] = solve(after, points).reshape(-1, copies) * side(tables)[parent, None]
    return (paid == paid.max(axis=1, keepdims=True)).all(axis=2)


def side(tables):
    return np.where(tables.seat & 1, -1, 1)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_search_finds_what_is_best_in_every_world_where_greedy_does_not(game):
    tables = endings(rungenv.variant(game), 1000, 3, seed=4)
    greedy = agents.make("greedy").act(rungenv.observe(tables), RNG)
    for copies in (6, 300):  # few worlds leave out most positions, many make sure of the rest
        best = best_everywhere(tables, copies)
        rows = np.flatnonzero(best.any(axis=1) & ~best[tables.everyone, greedy])
        tables, greedy, best = tables.take(rows), greedy[rows], best[rows]
    assert rows.size >= 3
    found = agents.make("search").act(rungenv.observe(tables), RNG)
    assert best[tables.everyone, found].mean() > 0.9
    by_search, by_greedy = tables.copy(), tables.copy()
    rungenv.step(by_search, found)
    rungenv.step(by_greedy, greedy)
    gain = (solve(by_search, points) - solve(by_greedy, points)) * side(tables)
    assert gain.mean() > 0  # on the deals as they are


# Its options.


class Clock:
    """Time that passes by one hundredth of a second for each world that is tried."""

    def __init__(self, monkeypatch):
        self.now, self.worlds = 0.0, 0
        monkeypatch.setattr(search.time, "monotonic", lambda: self.now)
        tried = search.Search._try

        def passes(agent, view, drawn, row, action):
            self.now += 0.01 * len(drawn)
            self.worlds += len(drawn)
            return tried(agent, view, drawn, row, action)

        monkeypatch.setattr(search.Search, "_try", passes)


@pytest.mark.parametrize("rows", [1, 4])
def test_time_for_a_decision_is_used_and_kept(monkeypatch, rows):
    tables = rungenv.deal(rungenv.variant("be_ranga"), rows, seed=1)
    clock = Clock(monkeypatch)
    agents.make("search:worlds=5000,seconds=0.5").act(rungenv.observe(tables), RNG)
    assert 0.25 * rows < clock.now <= 0.5 * rows
    clock.now = clock.worlds = 0
    agents.make("search:worlds=6,seconds=0.5").act(rungenv.observe(tables), RNG)
    assert clock.worlds == 6 * rows  # no more than asked for


def test_an_agent_on_the_clock_says_so():
    assert agents.make("search").deterministic
    assert not agents.make("search:seconds=1").deterministic


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:worlds=0", "worlds must be a whole number from 1 to 1000000, not 0"),
        ("search:worlds=2.5", "worlds must be a whole number"),
        ("search:exact=14", "exact must be a whole number from 0 to 13, not 14"),
        ("search:seconds=-1", "seconds must be a number from 0.0"),
        ("search:payoff=point", "no payoff is called 'point'; nearest: points"),
        ("search:rollout=gredy", "no agent is called 'gredy'; nearest: greedy"),
        ("search:weights=random", "weights must be a network, or an agent that leaves nothing"),
        ("search:prior=search:seconds=1", "prior must be a network, or an agent"),
        ("search:world=3", "no option 'world'; nearest: worlds"),
        ("peek:worlds=3", "the agent 'peek' has no option 'worlds'"),
    ],
)
def test_wrong_options_are_answered_with_what_is_right(text, message):
    with pytest.raises(ValueError, match=message):
        agents.make(text)


def test_names_say_what_differs_from_the_default():
    text = "search:worlds=16,rollout=random,payoff=match,exact=2,weights=greedy"
    assert agents.make(text).name == text
    assert agents.make("search:worlds=64").name == "search"


class Liking:
    """An agent that likes the lowest legal action most, and the highest not at all."""

    def chances(self, view):
        mask = view.legal_mask()
        number = np.where(mask, mask.cumsum(axis=1), 0)
        return np.where(mask, number.max(axis=1, keepdims=True) - number, 0) / 100


def test_a_prior_prunes_and_breaks_ties():
    game = Game("be_ranga", "2C 4C 6C 8C AD KD H")
    view = rungenv.observe(game.tables)
    searches = agents.make("search:worlds=2")
    searches.prior, searches.prune = Liking(), 0.105
    tried = searches._to_try(view, searches._liked(view), np.array([0]))
    assert cards_text(tried[0]) == "4C 2C"  # the lowest of 13: 0.12 and 0.11
    searches.payoff = lambda tables: np.zeros(len(tables))
    assert rungenv.action_name(searches.act(view, RNG)[0]) == "2C"


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_what_a_network_thinks_unlikely_is_not_tried(game):
    view = mixed_view(rungenv.variant(game), 60, seed=3)
    name = f"zoo/{game}"
    tried = {}
    for prune in (0.0, 0.02, 0.5):
        searches = agents.make(f"search:prior={name},prune={prune}")
        liked = searches._liked(view)
        favourite = np.where(view.legal_mask(), liked, -1).argmax(axis=1)
        tried[prune] = searches._to_try(view, liked, favourite)
        unlikely = unpack(tried[prune], 61) & (liked < prune)
        unlikely[np.arange(len(view)), favourite] = False
        assert not unlikely.any()
    number = {prune: count(sets).sum() for prune, sets in tried.items()}
    assert number[0.5] < number[0.02] < number[0.0]


# Worlds by their weights.


def test_the_true_deal_explains_best_what_was_done():
    greedy, n, copies = agents.make("greedy"), 12, 6
    tables = rungenv.deal(rungenv.variant("hidden_rung", new_cards=1), n, seed=5)
    for _ in range(22):
        rungenv.step(tables, greedy.act(rungenv.observe(tables), RNG))
    view = rungenv.observe(tables)
    drawn = worlds(view, copies, RNG)
    drawn.put(np.arange(n) * copies, tables)
    chosen = likely_worlds(view, drawn, greedy, copies)
    same = (chosen.dealt.reshape(n, copies, 4) == tables.dealt[:, None]).all(axis=2)
    assert same.any(axis=1).all()
    assert same.mean() > 0.6  # one of six, if they were not weighed


def test_what_an_agent_does_is_likely_and_all_else_possible():
    view = mixed_view(rungenv.variant("double_sar"), n=12)
    greedy = agents.make("greedy")
    likely = chances(greedy, view)
    assert np.allclose(likely.sum(axis=1), 1)
    assert ((likely > 0) == view.legal_mask()).all()
    assert (likely[np.arange(len(view)), greedy.act(view, RNG)] >= 1 - SLACK).all()


# The cheat.


def test_peek_refuses_views_and_plays_by_the_tables():
    peek = agents.make("peek:exact=3")
    tables = rungenv.deal(rungenv.variant("single_sar"), 2, seed=2)
    with pytest.raises(TypeError, match="peek sees all hands"):
        peek.act(rungenv.observe(tables), RNG)
    assert isinstance(peek, agents.base.SeesAllHands)
    assert not isinstance(agents.make("search"), agents.base.SeesAllHands)
    while (tables.seat >= 0).any():
        moving = tables.take(tables.seat >= 0)
        actions = np.zeros(len(tables), np.int64)
        actions[tables.seat >= 0] = peek.act_on_tables(moving, RNG)
        rungenv.step(tables, actions)
    assert (tables.winner >= 0).all()


def test_peek_takes_what_the_true_deal_gives():
    tables = endings(rungenv.variant("mendikot"), 40, 3, seed=6)
    side = np.where(tables.seat & 1, -1, 1)
    best = solve_by_kernel(tables, points)
    rungenv.step(tables, agents.make("peek").act_on_tables(tables, RNG))
    assert solve_by_kernel(tables, points).tolist() == best.tolist()
    assert len(set((best * side).tolist())) > 1
