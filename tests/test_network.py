"""The agent that plays by a network, and the file that it lives in."""

import json
import re

import numpy as np
import pytest
import safetensors.torch
import torch

import agents
import rungenv
from agents import network
from agents.base import Agent
from rungenv.bits import choose
from train.settings import fields_for

GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"new_cards": 1, "change_trump": True}),
    ("hidden_rung", {"new_cards": 1, "change_trump": True, "collects": "pile"}),
    ("mendikot_band", {"passing": True, "collects": "pile"}),
]


def agent_for(game, temperature=0.0, **options):
    rules = rungenv.variant(game, **options)
    torch.manual_seed(1)
    policy = network.PolicyNetwork(fields_for(rules), (32, 16), "sorted")
    return network.NetworkAgent(policy, rules, "test", temperature)


@pytest.fixture
def saved(tmp_path):
    """An agent, and the file that it is in."""
    agent = agent_for("double_sar", no_late_pickup=True)
    path = tmp_path / "agent.safetensors"
    path.write_bytes(network.to_bytes(*network.pack(agent.network, agent.rules)))
    return agent, path


def views(rules, n=64, seed=0):
    tables = rungenv.deal(rules, n, seed=seed)
    rng = np.random.default_rng(seed)
    while (tables.seat >= 0).any():
        yield rungenv.observe(tables).take(tables.seat >= 0)
        rungenv.step(tables, choose(tables.legal_set, rng.random(n)))


@pytest.mark.parametrize("temperature", [0.0, 1.0, 30.0])
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_it_acts_legally_at_every_moment_of_every_game(game, options, temperature):
    agent = agent_for(game, temperature, **options)
    assert isinstance(agent, Agent)
    for view in views(agent.rules):
        actions = agent.act(view, np.random.default_rng(0))
        assert view.legal_mask()[np.arange(len(view)), actions].all()


def test_one_view_alone_gets_the_same_answer_as_in_a_batch():
    agent = agent_for("single_sar")
    rng = np.random.default_rng(0)
    for view in views(agent.rules, n=8):
        together = agent.act(view, rng)
        alone = [agent.act(view.take(slice(i, i + 1)), rng)[0] for i in range(len(view))]
        assert together.tolist() == alone


def test_a_saved_agent_plays_the_same(saved):
    agent, path = saved
    loaded = network.load(path)
    made = agents.make(str(path))
    assert loaded.rules == agent.rules
    assert loaded.name == made.name == str(path)
    short = str(path.with_suffix(""))
    assert agents.make(short).name == short
    for view in views(agent.rules):
        expected = agent.act(view, np.random.default_rng(0))
        assert np.array_equal(loaded.act(view, np.random.default_rng(0)), expected)


def test_a_house_rule_may_differ_but_not_the_game(saved):
    _, path = saved
    agent = network.load(path)
    view = next(views(rungenv.variant("double_sar")))
    agent.act(view, np.random.default_rng(0))
    view = next(views(rungenv.variant("single_sar")))
    with pytest.raises(ValueError, match="plays double_sar, not single_sar"):
        agent.act(view, np.random.default_rng(0))


def test_what_is_no_run_is_told_which_there_are(saved, monkeypatch):
    _, path = saved
    monkeypatch.chdir(path.parent)
    run = path.parent / "runs" / "single_sar"
    with pytest.raises(ValueError, match="there is no run folder runs/nope; runs has none"):
        agents.make("runs/nope")
    run.mkdir(parents=True)
    path.rename(run / network.BEST)
    with pytest.raises(ValueError, match="no run folder runs/nope; nearest: runs/single_sar"):
        agents.make("runs/nope")
    assert agents.make("runs/single_sar").name == "runs/single_sar"


def test_temperature_cannot_be_negative():
    with pytest.raises(ValueError, match="temperature must be 0 or more, not -1"):
        agent_for("single_sar", -1)


def test_a_warm_agent_draws_by_its_chances():
    agent = agent_for("single_sar", temperature=1.0)
    view = next(views(agent.rules, n=1)).take(np.zeros(20_000, np.int64))
    actions = agent.act(view, np.random.default_rng(0))
    order = agent.network.encoding.order(view.take(slice(0, 1)))
    legal = torch.from_numpy(agent.network.encoding.legal(view.take(slice(0, 1)), order))
    features = torch.from_numpy(agent.network.encoding.features(view.take(slice(0, 1)), order))
    with torch.inference_mode():
        chances = network.only_legal(agent.network(features), legal).softmax(dim=1)[0].numpy()
    for choice in np.flatnonzero(chances):
        action = agent.network.encoding.actions(np.array([choice]), order)[0]
        assert (actions == action).mean() == pytest.approx(chances[choice], abs=0.02)


def test_every_row_has_a_random_number_of_its_own_whether_it_is_free_or_not():
    agent = agent_for("mendikot", temperature=1.0)
    for view in views(agent.rules, n=16):
        rng, same = np.random.default_rng(5), np.random.default_rng(5)
        actions = agent.act(view, rng)
        fractions = same.random(len(view))
        assert rng.bit_generator.state == same.bit_generator.state
        for row in range(len(view)):
            with torch.inference_mode():
                one = agent._chosen(view.take([row]), fractions[[row]])
            assert actions[row] == one[0]


def test_its_chances_are_those_that_it_draws_by():
    """And so a search may take it for its prior, and to weigh worlds by."""
    agent = agent_for("hidden_rung", temperature=0.5, change_trump=True)
    cold = agent_for("hidden_rung", change_trump=True)
    assert cold.deterministic
    assert not agent.deterministic
    for view in views(agent.rules, 24):
        chances = agent.chances(view)
        assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)
        assert not (chances * ~view.legal_mask()).any()
        favourite = cold.act(view, np.random.default_rng(0))
        top = chances[np.arange(len(view)), favourite]
        assert np.allclose(top, chances.max(axis=1))
    many = view.take(np.zeros(4000, np.int64))
    drawn = np.bincount(agent.act(many, np.random.default_rng(2)), minlength=61) / 4000
    assert np.abs(drawn - chances[0]).max() < 0.04


def test_sampling_follows_the_chances_and_never_takes_an_impossible_choice():
    chances = np.array([[0.0, 0.25, 0.0, 0.75, 0.0]], np.float32).repeat(40_000, axis=0)
    fractions = np.random.default_rng(0).random(40_000)
    fractions[:2] = 0.0, np.nextafter(1.0, 0.0)
    chosen = network.sample(chances, fractions)
    assert set(chosen.tolist()) == {1, 3}
    assert (chosen[0], chosen[1]) == (1, 3)
    assert (chosen == 1).mean() == pytest.approx(0.25, abs=0.01)


def rewritten(path, change):
    """A copy of a file with its header and tensors changed, unsigned."""
    with safetensors.safe_open(path, "pt") as file:
        header = dict(file.metadata())
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    change(header, tensors)
    other = path.with_name("other.safetensors")
    safetensors.torch.save_file(tensors, other, metadata=header)
    return other


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        network.load(tmp_path / "nothing.safetensors")
    with pytest.raises(ValueError, match=r"there is no file .*checkpoint\.safetensors"):
        network.load(tmp_path)


@pytest.mark.parametrize("size", [0, 5, 8, 100, 2000, -1])
def test_a_file_cut_short_is_found_out(saved, size):
    _, path = saved
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ValueError, match="is damaged, or is no safetensors file") as raised:
        network.load(path)
    assert "\n" not in str(raised.value)


def test_a_file_of_something_else_is_found_out(saved, tmp_path):
    _, path = saved
    path.write_bytes(b"PK\x03\x04" + bytes(1000))
    with pytest.raises(ValueError, match="is damaged, or is no safetensors file"):
        network.load(path)
    safetensors.torch.save_file({"a": torch.zeros(3)}, path)
    with pytest.raises(ValueError, match="holds something else"):
        network.load(path)


def test_a_single_changed_bit_is_found_out(saved):
    _, path = saved
    data = bytearray(path.read_bytes())
    data[-1000] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ValueError, match="its checksum does not fit"):
        network.load(path)


def test_a_changed_header_is_found_out(saved):
    def change(header, tensors):
        rules = json.loads(header["rules"])
        header["rules"] = json.dumps({**rules, "no_late_pickup": False})

    with pytest.raises(ValueError, match="its checksum does not fit"):
        network.load(rewritten(saved[1], change))


def test_another_layout_of_the_view_is_refused(saved):
    agent, path = saved
    tensors, header = network.pack(agent.network, agent.rules)
    path.write_bytes(network.to_bytes(tensors, {**header, "layout_version": "0"}))
    version = rungenv.LAYOUT_VERSION
    message = re.escape(f"layout version 0 of the view; this rungenv has version {version}")
    with pytest.raises(ValueError, match=message):
        network.load(path)
