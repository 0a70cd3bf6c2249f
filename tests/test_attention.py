"""The transformer over past actions: what it must not hang on, what it can learn, its file."""

import numpy as np
import pytest
import torch

import agents
import rungenv
from agents import attention, network
from agents.past import COLUMNS
from agents.policy import PolicyNetwork
from rungenv.bits import choose
from rungenv.rules import VARIANTS, variant
from rungenv.view import NOTHING
from train import config
from train.loop import train
from train.progress import Monitor

RULES = variant("single_sar")


def policy_of(fields=("hand", "trick_number"), past=60, **changed):
    torch.manual_seed(0)
    made = {"actions": past, "width": 16, "layers": 2, "heads": 2}
    policy = PolicyNetwork(fields, (16,), "as_dealt", "transformer", attention=made, **changed)
    torch.nn.init.normal_(policy.layers[0].known.weight)  # as if something had been learnt
    return policy


def view_at(actions, n=12, seed=0):
    tables = rungenv.deal(RULES, n, seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(actions):
        rungenv.step(tables, choose(tables.legal_set, rng.random(n)))
    return rungenv.observe(tables)


def read(policy, *views):
    encoding = policy.encoding
    parts = [encoding.features(view, encoding.order(view)) for view in views]
    return torch.from_numpy(np.concatenate(parts))


def past_of(features, past=60):
    return features[:, : past * COLUMNS].view(len(features), past, COLUMNS)


@torch.no_grad()
def test_it_begins_as_the_plain_network_and_then_hears_of_every_action():
    policy, features = policy_of(), read(policy_of(), view_at(9))
    hears = policy(features)
    for number in range(9):
        other = features.clone()
        past_of(other)[:, number, 0] ^= 1
        assert (policy(other) != hears).any(dim=1).all(), f"action {number}"
    past_of(features)[:, :9, 1] ^= 1
    assert (policy(features) != hears).any(dim=1).all(), "whose they were"
    torch.nn.init.zeros_(policy.layers[0].known.weight)
    plain = policy.layers[0].plain(features[:, 60 * COLUMNS :])
    assert torch.equal(policy(features), policy.layers[1:](plain))


@torch.no_grad()
def test_what_comes_after_the_last_action_means_nothing():
    short, long = policy_of(), policy_of(past=75)
    long.load_state_dict(short.state_dict())
    views = [view_at(0), view_at(7), view_at(20)]
    features = read(short, *views)
    logits = short(features)
    torch.testing.assert_close(long(read(long, *views)), logits, atol=1e-5, rtol=1e-5)
    past = past_of(features)
    is_none = past[:, :, 0] == NOTHING
    past[:, :, 1][is_none] = 3
    past[:, :, 2][is_none] = 17
    assert torch.equal(short(features), logits)


@torch.no_grad()
def test_a_row_alone_gets_what_it_gets_among_others(monkeypatch):
    policy = policy_of()
    features = read(policy, view_at(20), view_at(0), view_at(9))
    alone = torch.cat([policy(row[None]) for row in features])
    torch.testing.assert_close(policy(features), alone, atol=1e-5, rtol=1e-5)
    monkeypatch.setattr(attention, "_ROWS", 5)
    torch.testing.assert_close(policy(features), alone, atol=1e-5, rtol=1e-5)


def test_it_learns_what_the_past_alone_tells():
    policy = policy_of(("phase",))
    features = torch.cat([read(policy, view_at(12, 48, seed)) for seed in range(2)])
    told = past_of(features)[:, 2, 0].long() // 13  # the suit that was led to the first trick
    optimiser = torch.optim.Adam(policy.parameters(), lr=0.01)
    for _ in range(40):
        loss = torch.nn.functional.cross_entropy(policy(features), told)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.5 * np.log(4), "the fields that it reads say nothing of it"


def test_it_may_guess_cards_as_well():
    policy = policy_of(guesses_cards=True)
    logits, places = policy.with_places(read(policy, view_at(5)))
    assert logits.shape == (12, 61)
    assert places.shape == (12, 3, 52)


def test_heads_share_the_width():
    with pytest.raises(ValueError, match=r"attention_width must be a multiple of .*, 5, not 64"):
        config.load(None, {"network": {"shape": "transformer", "attention_heads": 5}})


def test_it_learns_by_imitation_in_all_six_games_and_comes_back_bit_for_bit(tmp_path, monkeypatch):
    losses = []
    monkeypatch.setattr(Monitor, "updated", lambda self, found, seconds: losses.append(found))
    small = {"attention_width": 16, "attention_heads": 2, "attention_layers": 1}
    small |= {"hidden": [32], "critic_hidden": [32]}
    settings = config.load(
        None,
        {
            "game": "all",
            "network": {"shape": "transformer", **small},
            "clone": {"agent": "greedy", "steps": 9000},
            "ppo": {"deals": 24, "minibatch": 64, "epochs": 2, "learning_rate_start": 5e-3},
            "budget": {"total_steps": 10_000},
            "report": {"pairs": 0},
            "threads": 1,
        },
    )
    train(settings, tmp_path)
    cloned = [found.policy for found in losses if found.divergence == 0]
    assert len(cloned) > 5
    assert cloned[-1] < 0.75 * cloned[0]
    assert losses[-1].divergence > 0, "and goes on with self-play"
    agent, again = agents.make(str(tmp_path)), network.load(tmp_path)
    path = tmp_path / "copy.safetensors"
    path.write_bytes(network.to_bytes(*network.pack(again.network, again.trained_for)))
    copy = network.load(path)
    for name in VARIANTS:
        view = rungenv.observe(rungenv.deal(variant(name), 8, seed=2))
        assert np.array_equal(copy.chances(view), agent.chances(view))
        actions = agent.act(view, np.random.default_rng(0))
        assert view.legal_mask()[np.arange(8), actions].all()
