"""What decisions are credited with: against plain loops, by hand, and over every way of a game."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch

import rungenv
from train import config, ppo, returns
from train.learner import make_learner
from train.returns import credit, expected_sarsa, expected_values
from train.rollout import play_rounds


def plain_advantages(values, player, outcome, trace):
    """The definition, one player at a time, from the last decision to the first."""
    result = [0.0] * len(values)
    for who in set(player.tolist()):
        value_after, advantage_after = None, 0.0
        for i in reversed([i for i in range(len(values)) if player[i] == who]):
            value_after = outcome[i] if value_after is None else value_after
            advantage_after = value_after - values[i] + trace * advantage_after
            value_after = values[i]
            result[i] = advantage_after
    return np.array(result, np.float32)


@pytest.mark.parametrize("trace", [0.0, 0.5, 0.95, 1.0])
def test_advantages_follow_the_definition(trace):
    rng = np.random.default_rng(3)
    player = rng.choice([0, 2, 3, 9, 40], size=300)
    values = rng.normal(size=300).astype(np.float32)
    outcome = rng.normal(size=50).astype(np.float32)[player]
    found = returns.advantages(values, player, outcome, trace)
    np.testing.assert_allclose(found, plain_advantages(values, player, outcome, trace), atol=1e-4)


def test_advantages_of_a_case_worked_out_by_hand():
    player = np.array([1, 0, 1])
    values = np.array([0.5, -1.0, 0.0], np.float32)
    outcome = np.array([2.0, -2.0, 2.0], np.float32)
    # Player 1 last gains 2 over 0; before, it had fallen from 0.5 to 0, and half of the 2 counts.
    np.testing.assert_allclose(returns.advantages(values, player, outcome, 0.5), [0.5, -1.0, 2.0])


def test_with_trace_1_an_advantage_is_the_outcome_less_the_value():
    rng = np.random.default_rng(0)
    player = np.arange(40) % 3
    values = rng.normal(size=40).astype(np.float32)
    outcome = np.array([1, -1, 3], np.float32)[player]
    found = returns.advantages(values, player, outcome, 1.0)
    np.testing.assert_allclose(found, outcome - values, atol=1e-5)


def test_shaping_moves_advantages_on_the_way_and_not_their_sum():
    player = np.array([0, 0, 0])
    values, outcome = np.zeros(3, np.float32), np.full(3, 2.0, np.float32)
    lead = np.array([0.0, 0.5, -0.25], np.float32)
    plain = returns.advantages(values, player, outcome, 0.0)
    shaped = returns.advantages(values + lead, player, outcome, 0.0)
    np.testing.assert_allclose(plain, [0, 0, 2])
    np.testing.assert_allclose(shaped, [0.5, -0.75, 2.25])
    assert shaped.sum() == plain.sum(), "what is best to do stays what it was"


@dataclass
class Node:
    """A position of a small game; every seat that is to act has a policy and a critic there."""

    seat: int
    chances: np.ndarray
    judgements: np.ndarray
    after: list  # for each action a Node, or what team 0 is paid


def game_of(rng, depth, seats=4):
    """A random game that ends after `depth` decisions, in which some are forced."""
    if depth == 0:
        return float(rng.normal())
    width = int(rng.integers(1, 4))
    chances = rng.dirichlet(np.ones(width))
    after = [game_of(rng, depth - 1) for _ in range(width)]
    return Node(int(rng.integers(seats)), chances, rng.normal(size=width), after)


def worth(node):
    """What a position is worth to team 0 under the policy, exactly."""
    if not isinstance(node, Node):
        return node
    return sum(p * worth(after) for p, after in zip(node.chances, node.after, strict=True))


def to_team_0(node):
    return 1 - 2 * (node.seat % 2)


def ways(node):
    """Every way that the game can go: its chance, its decisions (node, action), its outcome."""
    if not isinstance(node, Node):
        yield 1.0, [], node
        return
    for action, after in enumerate(node.after):
        for chance, decisions, outcome in ways(after):
            yield node.chances[action] * chance, [(node, action), *decisions], outcome


def returns_of(game, trace, keeps=lambda node: len(node.after) > 1):
    """By expected Sarsa: for each way its chance, and (node, action, return) of its decisions."""
    found, judged, expected, player, outcome = [], [], [], [], []
    for table, (chance, decisions, paid) in enumerate(ways(game)):
        kept = [(node, action) for node, action in decisions if keeps(node)]
        found.append((chance, kept))
        for node, action in kept:
            judged.append(node.judgements[action])
            expected.append(node.chances @ node.judgements)
            player.append(4 * table + node.seat)
            outcome.append(to_team_0(node) * paid)
    arrays = [np.array(column) for column in (judged, expected, player, outcome)]
    values = iter(expected_sarsa(*arrays, trace))
    return [(chance, [(*each, next(values)) for each in kept]) for chance, kept in found]


@pytest.mark.parametrize("seed", range(4))
def test_with_trace_1_the_return_is_right_on_average_whatever_the_critic_says(seed):
    game = game_of(np.random.default_rng(seed), 5)
    chance, total, spread = {}, {}, {}
    for likely, decisions in returns_of(game, 1.0):
        for node, action, value in decisions:
            key = id(node), action
            chance[key] = chance.get(key, 0) + likely
            total[key] = total.get(key, 0) + likely * value
            spread.setdefault(key, []).append(value)
    seen = {id(node): node for _, ds in returns_of(game, 1.0) for node, _, _ in ds}
    assert len(total) > 10
    for (node, action), value in total.items():
        exact = to_team_0(seen[node]) * worth(seen[node].after[action])
        assert value / chance[node, action] == pytest.approx(exact, abs=1e-5)
    assert max(map(np.ptp, spread.values())) > 0.1, "no single return is"


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_with_a_perfect_critic_every_single_return_is_exact(trace):
    """Where GAE's hang on what is chosen later, even so."""
    game = game_of(np.random.default_rng(7), 5)
    for _, decisions, _ in ways(game):
        for node, _ in decisions:
            node.judgements = to_team_0(node) * np.array([worth(after) for after in node.after])
    checked = 0
    for _, decisions in returns_of(game, trace):
        for node, action, value in decisions:
            assert value == pytest.approx(node.judgements[action], abs=1e-5)
            checked += 1
    assert checked > 50


def test_forced_decisions_and_those_of_others_do_not_count_where_the_trace_is_1():
    """Forced ones change nothing at all there; without a trace of 1 they would only fade it."""
    game = game_of(np.random.default_rng(3), 6)
    free = returns_of(game, 1.0)
    for (_, without), (_, with_forced) in zip(
        free, returns_of(game, 1.0, keeps=lambda node: True), strict=True
    ):
        kept = [each for each in with_forced if len(each[0].after) > 1]
        assert [value for *_, value in kept] == pytest.approx([value for *_, value in without])
    assert sum(len(decisions) for _, decisions in free) < 6 * len(free), "some were forced"
    own = returns_of(game, 1.0, keeps=lambda node: len(node.after) > 1 and node.seat != 1)
    total = sum(chance * decisions[0][2] for chance, decisions in own if decisions)
    exact = sum(
        chance * to_team_0(ds[0][0]) * worth(ds[0][0].after[ds[0][1]]) for chance, ds in own if ds
    )
    assert total == pytest.approx(exact, abs=1e-5), "still right on average"


def test_expected_sarsa_of_a_case_worked_out_by_hand():
    player = np.array([4, 5, 4])  # the seats 0, 1 and 0 of one table
    judged = np.array([0.5, -1.0, 2.0], np.float32)
    expected = np.array([0.25, -0.5, 1.0], np.float32)
    outcome = np.array([3.0, -3.0, 3.0], np.float32)
    # To team 0: from 0.5 to 0.5 at seat 1; from 1.0, what that did, to 1.0; from 2.0 to 3.0.
    found = expected_sarsa(judged, expected, player, outcome, 0.5)
    np.testing.assert_allclose(found, [0.5 + 0 + 0 + 0.25, -(1.0 + 0 + 0.5), 3.0])


def test_an_illegal_action_has_no_part_in_what_is_expected():
    judgements = np.full((1, 61), 1e6, np.float32)
    chances = np.zeros((1, 61), np.float32)
    judgements[0, [3, 60]] = [1.0, -2.0]
    chances[0, [3, 60]] = [0.75, 0.25]
    assert expected_values(judgements, chances) == pytest.approx([0.25])


SMALL = {
    "network.hidden": [32],
    "network.critic_hidden": [64],
    "ppo.critic": "q",
    "ppo.trace": 0.95,
    "threads": 1,
}


def test_shaping_is_a_potential_for_a_critic_of_actions_too():
    """A critic that has learnt what is left when the potential is taken off credits as before."""
    settings = config.load(None, SMALL)
    policy = make_learner(settings).policy
    rollout = play_rounds(policy, settings.rules, 6, 0, 0, np.random.default_rng(0))
    judgements = np.random.default_rng(1).normal(size=rollout.chances.shape).astype(np.float32)
    plain = credit(judgements, rollout, 0.9, 0.0)
    shaped = credit(judgements - rollout.lead[:, None], rollout, 0.9, 1.0)
    np.testing.assert_allclose(shaped.advantage, plain.advantage, atol=1e-4)
    np.testing.assert_allclose(shaped.target + rollout.lead, plain.target, atol=1e-4)
    np.testing.assert_allclose(shaped.expected, plain.expected, atol=1e-4)


def test_what_is_expected_is_the_same_with_shaping():
    settings = config.load(None, SMALL)
    policy = make_learner(settings).policy
    rollout = play_rounds(policy, settings.rules, 6, 0, 0, np.random.default_rng(0))
    perfect = rollout.outcome - 3 * rollout.lead  # by a critic that has learnt what is left
    found = credit(perfect, rollout, 0.9, 3.0)
    np.testing.assert_allclose(found.expected, rollout.outcome, atol=1e-5)


def test_a_critic_of_actions_learns_what_they_lead_to():
    settings = config.load(None, SMALL | {"ppo.epochs": 12, "ppo.minibatch": 512})
    learner = make_learner(settings)
    rollout = play_rounds(learner.policy, settings.rules, 64, 0, 0, np.random.default_rng(0))
    losses = [
        ppo.update(learner, rollout, settings.ppo, 3e-3, 0.05, 0.0, np.random.default_rng(0))
        for _ in range(2)
    ]
    assert abs(losses[0].explained_variance) < 0.1, "at first it says nothing"
    assert losses[1].explained_variance > 0.3


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_critic_of_actions_judges_every_game(game):
    settings = config.load(None, SMALL | {"game": game})
    learner = make_learner(settings)
    rollout = play_rounds(learner.policy, settings.rules, 4, 0, 0, np.random.default_rng(0))
    judgements = learner.judgements(rollout)
    assert judgements.shape == (len(rollout.player), 61)
    before = [parameter.clone() for parameter in learner.parameters]
    losses = ppo.update(learner, rollout, settings.ppo, 1e-3, 0.05, 0.0, np.random.default_rng(0))
    assert np.isfinite(list(vars(losses).values())).all()
    assert not any(map(torch.equal, before[:4], learner.parameters[:4]))


def test_chances_are_those_that_choices_were_drawn_by():
    settings = config.load(None, SMALL)
    policy = make_learner(settings).policy
    rollout = play_rounds(policy, settings.rules, 6, 0, 0, np.random.default_rng(0))
    torch.testing.assert_close(rollout.chances.sum(dim=1), torch.ones(len(rollout.player)))
    assert (rollout.chances[~rollout.legal] == 0).all()
    chosen = rollout.chances.gather(1, rollout.choice[:, None]).squeeze(1)
    torch.testing.assert_close(chosen.log(), rollout.log_probability)
