"""Two agents as partners: who sits where, and whose fault it is when one fails."""

import numpy as np
import pytest

import agents
import failing
import rungenv
from agents import AgentFailure, OutOfTime
from agents.pair import Pair
from train import arena, deals
from train.arena.duplicate import Piece, records


def middle(game, n=40):
    """Views of tables in the middle of greedy play."""
    tables = rungenv.deal(rungenv.variant(game), n, seed=3)
    for step in range(23):
        acting = (tables.seat >= 0) & (np.arange(n) % 23 >= step)
        actions = np.zeros(n, np.int64)
        part = tables.take(acting)
        actions[acting] = agents.make("greedy").act(rungenv.observe(part), np.random.default_rng(0))
        rungenv.step(tables, actions, acting)
    return rungenv.observe(tables.take(tables.seat >= 0))


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_each_plays_its_own_seats(game):
    view, rng = middle(game), np.random.default_rng(0)
    acts = {name: agents.make(name).act(view, rng) for name in ("greedy", "expert")}
    found = agents.make("pair:greedy+expert").act(view, rng)
    assert (acts["greedy"] != acts["expert"]).any(), "else this would show nothing"
    expected = np.where(view.seat < 2, acts["greedy"], acts["expert"])
    np.testing.assert_array_equal(found, expected)
    alone = [agents.make("pair:greedy+expert").act(view.take([row]), rng) for row in range(8)]
    np.testing.assert_array_equal(np.concatenate(alone), expected[:8])


def test_in_an_arena_each_team_has_one_of_both():
    """And the seats are exchanged with the teams: the first agent sits at 0, then at 1."""
    rules, seed = rungenv.variant("single_sar"), deals.seed("validation")
    pair, other = agents.make("pair:greedy+random"), agents.make("random")
    piece = Piece(rules, pair.name, other.name, seed, 0, 40)
    for as_team_0, as_team_1 in records(piece, pair, other, [0, 7]):
        assert as_team_0.agents[0] == as_team_0.agents[2] == "pair:greedy+random"
        assert as_team_1.agents[1] == as_team_1.agents[3] == "pair:greedy+random"
    mixed = arena.duel(rules, pair, other, 200, seed=seed)
    whole = arena.duel(rules, agents.make("greedy"), other, 200, seed=seed)
    assert mixed.low > 0, "half a team of greedy is better than random"
    assert mixed.high < whole.low, "and a whole one better than half"


def test_two_of_a_kind_are_that_kind():
    rules, seed = rungenv.variant("mendikot"), deals.seed("validation")
    both, expert = agents.make("pair:expert+expert"), agents.make("expert")
    assert arena.duel(rules, both, expert, 30, seed=seed).points == 0


def test_it_says_what_its_agents_say():
    assert agents.make("pair:greedy+expert").deterministic
    assert not agents.make("pair:random+expert").deterministic
    assert not hasattr(agents.make("pair:greedy+expert"), "pairs_at_once")
    slow = agents.make("pair:greedy+search:worlds=256,exact=2")
    assert slow.pairs_at_once == agents.make("search:worlds=256").pairs_at_once
    assert slow.name == "pair:greedy+search:worlds=256,exact=2"
    assert agents.make("pair:greedy+expert:without=ask+show").name.endswith("without=ask+show")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pair:greedy", r"a team of two is written pair:AGENT\+AGENT, not 'pair:greedy'"),
        ("pair:greedy+", r"a team of two is written"),
        ("pair:gredy+expert", r"no agent is called 'gredy'.*greedy"),
        ("pair:greedy+peek", r"peek sees all hands"),
    ],
)
def test_what_is_no_team_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        agents.make(text)


def test_a_failure_names_the_team_and_the_one_to_blame():
    view, rng = middle("be_ranga"), np.random.default_rng(0)

    class Late(failing.Failing):
        def fail(self, actions, bad):
            raise OutOfTime(self.name, "took too long", row=0)

    class Gone(failing.Failing):
        def fail(self, actions, bad):
            raise AgentFailure(self.name, "has ended", row=0)

    for kind, error in ((Late, OutOfTime), (Gone, AgentFailure)):
        with pytest.raises(error, match=r"pair:greedy\+failing has failing (took|has)") as caught:
            Pair(agents.make("greedy"), kind()).act(view, rng)
        assert caught.value.row is None, "its row was one of the agent's own"
