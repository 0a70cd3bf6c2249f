"""The agents' registry, and that every agent plays legally and does what it says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
import rungenv
from agents import registry
from agents.random import Random
from tables import Game

SWITCHES = ("call_any_suit", "ace_over_ace", "trump_ace_cannot_seal", "no_late_pickup")
SWITCHES += ("allow_timeout", "change_trump", "passing", "play_out")


@st.composite
def any_rules(draw):
    """Any game there can be: all axes crossed, and all options that they admit."""
    options = {
        "trump": draw(st.sampled_from(rungenv.rules.Trump)),
        "shown": draw(st.sampled_from(rungenv.rules.Shown)),
        "collects": draw(st.sampled_from(rungenv.rules.Collects)),
        "goal": draw(st.sampled_from(rungenv.rules.Goal)),
        "new_cards": draw(st.sampled_from([0, 2, (1, 0, 0, 1)])),
    }
    rules = rungenv.Rules(**options)
    for switch in SWITCHES:
        options[switch] = draw(st.booleans())
        try:
            rules = rungenv.Rules(**options)
        except ValueError:  # contradicts an axis
            del options[switch]
    return rules


def play_out(rules, agent, n, seed):
    """Play n rounds out, every seat by one agent; `step` refuses what is illegal."""
    tables = rungenv.deal(rules, n, seed)
    rng = np.random.default_rng(seed)
    while (live := np.flatnonzero(tables.seat >= 0)).size:
        actions = np.zeros(n, np.int64)
        actions[live] = agent.act(rungenv.observe(tables).take(live), rng)
        rungenv.step(tables, actions)
    return tables


TRIED_ELSEWHERE = ("search", "double_dummy", "peek")
"""Agents that are too slow for this: their own tests do the same with fewer tables."""


@pytest.mark.parametrize("name", [n for n in agents.names() if n not in TRIED_ELSEWHERE])
@settings(max_examples=30)
@given(rules=any_rules(), seed=st.integers(0, 2**32))
def test_every_agent_plays_legally_under_any_rules(name, rules, seed):
    tables = play_out(rules, agents.make(name), 32, seed)
    assert (tables.winner >= 0).all()


def mixed_view(rules, n=64, seed=1):
    """Views of n tables that random play has carried to all phases and tricks."""
    tables = rungenv.deal(rules, n, seed)
    rng = np.random.default_rng(seed)
    for step in range(40):
        moving = (tables.seat >= 0) & (np.arange(n) % 40 > step)
        part = tables.take(moving)
        rungenv.step(part, Random().act(rungenv.observe(part), rng))
        tables.put(moving, part)
    return rungenv.observe(tables.take(tables.seat >= 0))


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_greedy_decides_alone_as_in_any_batch(game):
    view = mixed_view(rungenv.variant(game, new_cards=1))
    rng = np.random.default_rng(0)
    greedy = agents.make("greedy")
    together = greedy.act(view, rng)
    alone = [greedy.act(view.take(slice(i, i + 1)), rng)[0] for i in range(len(view))]
    assert together.tolist() == alone
    assert together.dtype == np.int64


def test_random_takes_every_legal_action_alike():
    rules = rungenv.variant("single_sar")
    view = rungenv.observe(rungenv.deal(rules, 1, seed=3))
    view = view.take(np.zeros(6000, np.int64))
    actions = Random().act(view, np.random.default_rng(0))
    legal = np.flatnonzero(view.legal_mask()[0])
    counts = np.bincount(actions, minlength=61)
    assert counts.sum() == counts[legal].sum() == 6000
    assert abs(counts[legal] - 6000 / len(legal)).max() < 200


# What greedy does, one position for each of its judgements.


def greedy_plays(game: Game) -> str:
    view = rungenv.observe(game.tables)
    return rungenv.action_name(agents.make("greedy").act(view, np.random.default_rng(0))[0])


def test_greedy_calls_the_longest_suit_and_honours_break_ties():
    assert greedy_plays(Game("single_sar", "2C 3C 4C AH KH")) == "CALL_C"
    assert greedy_plays(Game("single_sar", "2C KC AH 4H 9D", passing=False)) == "CALL_H"


def test_greedy_passes_without_three_cards_of_a_suit():
    game = Game("double_sar", "2C KC AH 4H 9D", "", "2D 3D 4D AS KS")
    assert greedy_plays(game) == "PASS"
    assert greedy_plays(game.play("PASS")) == "CALL_D"


def test_greedy_lays_the_lowest_card_of_the_longest_suit():
    assert greedy_plays(Game("hidden_rung", "KC 9C JC AH 2D")) == "9C"
    assert greedy_plays(Game("mendikot_band", "KC TC 2H 3D 4S")) == "TC"  # it may not pass


def test_greedy_asks_for_new_cards_with_a_poor_hand():
    poor, rich = "2C 3C 4C 5C 6D 2D 3D 4D 5H 6H 7H 8H 9S", "AC KC QC JC AD 7S"
    assert greedy_plays(Game("single_sar", poor, new_cards=1).play("CALL_C")) == "NEW_CARDS"
    assert greedy_plays(Game("single_sar", rich, new_cards=1).play("CALL_C")) == "KEEP"
    assert greedy_plays(Game("be_ranga", poor, new_cards=1)) == "NEW_CARDS"


def test_greedy_changes_to_a_longer_suit():
    hand = "2C 3C 4C 9D TS 2S 3S 4S 5S 6S 7S 8S 9S"
    assert greedy_plays(Game("single_sar", hand, change_trump=True).play("CALL_C")) == "CALL_S"
    assert greedy_plays(Game("single_sar", hand, change_trump=True).play("CALL_S")) == "KEEP"
    assert greedy_plays(Game("hidden_rung", hand, change_trump=True).play("3C")) == "TS"
    assert greedy_plays(Game("hidden_rung", hand, change_trump=True).play("TS")) == "KEEP"


def test_greedy_leads_the_best_trump_then_other_masters():
    game = Game("single_sar", "AC AH 2C 3H 4D 5D 6D 7D 8D 9D 2S 3S 4S").play("CALL_C")
    assert greedy_plays(game) == "AC"
    game = Game("single_sar", "KC AH 2C 3H 4D 5D 6D 7D 8D 9D 2S 3S 4S").play("CALL_C")
    assert greedy_plays(game) == "AH"


def test_greedy_leads_low_from_its_shortest_side_suit():
    game = Game("single_sar", "2C 3C 4C 5H 6H 7H 8D 9D TD JD QD 8S 4S").play("CALL_C")
    assert greedy_plays(game) == "4S"
    game = Game("be_ranga", "2C AC 5H 6H 7H 8D 9D TD JD 2S 3S 4S AS")
    assert greedy_plays(game) == "2C"  # to be void, and to cut


def test_greedy_stays_low_under_its_partner():
    game = Game("single_sar", "2C AC S", "3C 4C 2H", "5C KC QC", "6C").play("CALL_S AC 3C")
    assert greedy_plays(game) == "5C"


def test_greedy_wins_with_the_lowest_card_that_does():
    game = Game("single_sar", "2C 9C S", "3C 8C TC AC").play("CALL_S 9C")
    assert greedy_plays(game) == "TC"


def test_greedy_ruffs_with_its_lowest_trump():
    game = Game("single_sar", "AC 2S 3S 4S 5H C", "9H 8H 7S 9S D H").play("CALL_S AC")
    assert greedy_plays(game) == "7S"


def test_greedy_keeps_trumps_and_tens_when_it_throws_away():
    game = Game("mendikot", "AC C", "TD 2H 3H D", "H", "TS S").play("AC")
    assert greedy_plays(game) == "2D"


def test_greedy_gives_its_partner_a_ten_when_that_is_safe():
    hands = "AC 2C S", "3C KC D", "TC 4C QC", "5C H"
    assert greedy_plays(Game("mendikot", *hands).play("AC 3C")) == "TC"
    assert greedy_plays(Game("mendikot", *hands).play("2C 3C")) == "4C"
    assert greedy_plays(Game("single_sar", *hands).play("CALL_S AC 3C")) == "4C"


def test_greedy_cuts_with_its_longest_suit():
    game = Game("be_ranga", "AC C", "2D 3D 9H 8H 7H 6H 5H 4H AS KS QS JS TS").play("AC")
    assert greedy_plays(game) == "4H"


def test_greedy_has_the_trump_shown_unless_the_partner_wins():
    hands = "2S AC KC C", "QC JC D", "3D H D", "TC S"
    game = Game("hidden_rung", *hands).play("2S KC QC")
    assert greedy_plays(game) == "3D"
    game = Game("hidden_rung", "2S 3C C", "AC D", "3D H", "TC S").play("2S 3C AC")
    assert greedy_plays(game) == "REVEAL"


def test_greedy_shows_its_own_card_on_leading_only_if_it_must():
    options = {"trump": "hidden", "shown": "on_demand", "play_out": True}
    game = Game("mendikot", "2S AH H", "C", "D", "S", **options).play("2S AH . . .")
    for _ in range(11):
        assert game.legal.endswith(" REVEAL")
        assert greedy_plays(game) != "REVEAL"
        game.play(". . . .")
    assert game.legal == "REVEAL"
    assert greedy_plays(game) == "REVEAL"


def test_greedy_leads_a_sure_card_only_to_pick_up_the_pile():
    hand = "AC QC KC 2D 3D 4D 5H 6H 7H 8H 9H 2S 3S"
    game = Game("double_sar", hand).play("CALL_D")
    assert greedy_plays(game) == "2S"
    game = Game("double_sar", hand, "2C 3C", "4C", "5C").play("CALL_D KC . . .")
    assert greedy_plays(game) == "QC"  # two aces would not do


# The registry.


class Mine:
    """An agent with options."""

    name = "mine"

    def __init__(self, worlds: int = 8, style: str = "plain") -> None:
        self.worlds = worlds
        self.style = style

    def act(self, view, rng):
        return Random().act(view, rng)


@pytest.fixture
def mine(monkeypatch):
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))
    agents.register("mine", Mine)


@pytest.mark.usefixtures("mine")
def test_a_class_of_ones_own_is_registered_in_one_line():
    assert "mine" in agents.names()
    assert agents.make("mine").worlds == 8
    agent = agents.make("mine:worlds=64,style=wild")
    assert (agent.worlds, agent.style) == (64, "wild")
    assert isinstance(agent, agents.Agent)
    assert registry.options("mine") == {"worlds": 8, "style": "plain"}


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy", "no agent is called 'gredy'; nearest: greedy"),
        ("mine:world=3", "no option 'world'; nearest: worlds"),
        ("greedy:worlds=3", "'greedy' has no options"),
        ("mine:worlds", "options are written"),
        ("mine:", "options are written"),
        ("mine:worlds=1,worlds=2", "there twice"),
        ("nowhere/agent.safetensors", "there is no file nowhere/agent.safetensors"),
        ("zoo/hidden_runk", "the zoo has no 'zoo/hidden_runk'; it has zoo/be_ranga, zoo/double"),
        ("mine:worlds=x", "mine: worlds must be a whole number, not 'x'"),
    ],
)
def test_a_wrong_name_is_answered_with_what_is_right(text, message):
    with pytest.raises(ValueError, match=message):
        agents.make(text)


@pytest.mark.parametrize("name", ["greedy", "two words", "a:b", "", "a/b"])
def test_names_are_new_and_fit_a_command_line(name):
    with pytest.raises(ValueError, match=r"name|called"):
        agents.register(name, Mine)


@pytest.mark.parametrize("name", agents.names())
def test_an_agents_name_makes_it_again(name):
    assert agents.make(agents.make(name).name).name == name
