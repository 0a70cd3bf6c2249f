"""Training against an agent as it is: what it begins as, whom it meets, what is found."""

import json

import numpy as np
import pytest
import torch

import agents
import rungenv
from agents import network
from train import best_response, checkpoint, config
from train.best_response import BestResponse
from train.league import League
from train.learner import make_learner
from train.loop import train
from train.options import parse
from train.warm_start import begin_as


def a_run(folder, game, **more):
    """A small run of two updates."""
    settings = config.from_dict(
        {
            "game": game,
            "threads": 1,
            "network": {"hidden": [16], "critic_hidden": [16]},
            "ppo": {"deals": 8},
            "budget": {"total_steps": 700},
            "report": {"pairs": 4},
            **more,
        }
    )
    train(settings, folder)
    return settings


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_run_can_begin_as_an_agent(game, tmp_path):
    a_run(tmp_path / "first", game)
    name = str(tmp_path / "first")
    settings = config.load(
        None,
        {
            "game": game,
            "seed": 9,
            "network": {"hidden": [16], "critic_hidden": [16]},
            "clone": {"weights": name},
        },
    )
    learner = make_learner(settings)
    before = {key: value.clone() for key, value in learner.policy.state_dict().items()}
    begin_as(learner, name)
    expected = network.load(name).network.state_dict()
    for key, value in learner.policy.state_dict().items():
        assert torch.equal(value, expected[key])
    assert any(not torch.equal(before[key], expected[key]) for key in before)
    view = rungenv.observe(rungenv.deal(rungenv.variant(game), 30, seed=1))
    played = network.NetworkAgent(learner.policy, settings.rules, "begun")
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(played.act(view, rng), agents.make(name).act(view, rng))


def test_an_agent_with_another_network_is_refused_before_anything_is_written(tmp_path):
    own = a_run(tmp_path / "first", "single_sar").fields
    with pytest.raises(ValueError, match=r"is another network: its hidden is .*16.*, not .*32"):
        a_run(
            tmp_path / "second",
            "single_sar",
            network={"hidden": [32]},
            clone={"weights": str(tmp_path / "first")},
        )
    for fields, message in (
        (["hand"], "it reads .*unseen.* besides: add them"),
        ([*own, "pile"], "it does not read pile: network"),
    ):
        with pytest.raises(ValueError, match=message):
            a_run(
                tmp_path / "second",
                "single_sar",
                network={"hidden": [16], "fields": fields},
                clone={"weights": str(tmp_path / "first")},
            )
    assert not (tmp_path / "second").exists()
    with pytest.raises(ValueError, match=r"the zoo has no 'zoo/nothing'"):
        a_run(tmp_path / "second", "single_sar", clone={"weights": "zoo/nothing"})


def test_it_meets_the_agent_as_the_other_team_at_every_table(tmp_path):
    a_run(tmp_path / "first", "be_ranga")
    agent = str(tmp_path / "first")
    options = best_response.BestResponse("be_ranga", agent, tmp_path / "response")
    settings = best_response.settings_of(options)
    assert settings.network.hidden == (16,)
    assert settings.clone.weights == settings.clone.agent == agent
    _, learner, state = checkpoint.load(tmp_path / "first")
    league = League(settings, tmp_path / "response")
    company = league.company(learner, state, range(settings.ppo.deals))
    assert [player.name for player in company.players] == [agent]
    others = company.sits == 0
    assert (others[:, 0] == others[:, 2]).all()
    assert (others[:, 1] == others[:, 3]).all()
    assert (others.sum(axis=1) == 2).all()


def test_what_it_gains_is_measured_on_test_deals_and_told(tmp_path):
    args = ["single_sar", "random", "--run", str(tmp_path / "response"), "--threads", "1"]
    args += ["--steps", "60000", "--warm-up", "20000", "--pairs", "60", "--learning-rate", "2e-3"]
    assert best_response.main(args) == 0
    found = json.loads((tmp_path / "response" / "marks.json").read_text("utf-8"))
    [row] = found["rows"]
    assert (row["against"], row["deals"], row["pairs"]) == ("random", "test", 60)
    assert row["low"] < row["points"] < row["high"]
    assert row["low"] > 0, "to beat random play takes one update"
    again = row["command"].replace("FOLDER", str(tmp_path / "response")).split()[3:]
    assert parse(BestResponse, again, "again") == parse(BestResponse, args, "first")
    assert str(tmp_path) not in row["command"], "a path of this machine is nothing for a card"
    assert best_response.main(args) == 0, "all is there already"
