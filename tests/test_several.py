"""One network for several games: it is told which it plays, and each is learnt and measured."""

import re

import numpy as np
import pytest
import torch

import agents
import rungenv
from agents import network
from agents.axes import N_AXIS_COLUMNS, axis_columns, game_of
from rungenv.actions import N_ACTIONS
from rungenv.rules import VARIANTS, variant
from train import checkpoint, config, train_command
from train.league import League
from train.learner import make_learner
from train.loop import train
from train.mixture import own_tables, play, portions_of
from train.ranks import Ranks
from train.rollout import POLICY, play_rounds

SMALL = {
    "game": "all",
    "network.hidden": [16],
    "network.critic_hidden": [16],
    "ppo.deals": 24,
    "ppo.minibatch": 256,
    "report.pairs": 2,
    "report.every_minutes": 1000,
    "threads": 1,
}


def settings_of(**changed):
    return config.load(None, SMALL | {key.replace("__", "."): v for key, v in changed.items()})


def test_the_six_games_are_told_apart():
    columns = [axis_columns(variant(name)) for name in VARIANTS]
    assert len({tuple(row) for row in columns}) == 6
    assert all(len(row) == N_AXIS_COLUMNS for row in columns)
    assert [game_of(variant(name, new_cards=1)) for name in VARIANTS] == list(VARIANTS)
    hidden = rungenv.variant("hidden_rung")
    assert np.array_equal(
        axis_columns(hidden), axis_columns(rungenv.variant("single_sar", trump="hidden"))
    )


def test_it_reads_what_matters_in_any_of_them():
    settings = settings_of()
    for name in VARIANTS:
        assert set(config.load(None, {"game": name}).fields) <= set(settings.fields)
    policy = make_learner(settings).policy
    alone = make_learner(config.load(None, {"game": "single_sar"})).policy.encoding
    assert policy.encoding.reads_rules
    assert not alone.reads_rules, "of one game there is nothing to tell"
    for name in VARIANTS:
        view = rungenv.observe(rungenv.deal(variant(name), 3, seed=0))
        features = policy.encoding.features(view, policy.encoding.order(view))
        assert features.shape == (3, policy.encoding.width)
        assert np.array_equal(features[0, -N_AXIS_COLUMNS:], axis_columns(variant(name)))


def test_house_rules_are_on_top_of_each_game_s_own():
    settings = settings_of(rules={"points_target": 7, "new_cards": 1})
    expected = tuple(variant(name, points_target=7, new_cards=1) for name in VARIANTS)
    assert settings.games == expected
    assert config.from_dict(config.to_dict(settings)) == settings
    assert settings_of().games == tuple(map(variant, VARIANTS))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": "single_sar+mendikt"}, "no game is called 'mendikt'; nearest: mendikot"),
        ({"game": "mendikot+mendikot"}, "a game is there twice in 'mendikot+mendikot'"),
        ({"rules": {"trump": "cut"}}, "each has its own: rules.trump cannot be changed"),
        ({"rules": {"points_target": 10}}, "points_target=10 is single_sar's own and would leave"),
        ({"rules": {"passing": True}}, "would leave mendikot with False"),
        ({"rules": {"no_late_pickup": True}}, "contradicts collects='trick'"),
        ({"shares": [1, 2]}, "shares must be one for each of 6 games, not (1.0, 2.0)"),
        ({"shares": [1, 1, 1, 1, 1, 0]}, "shares must be more than 0, not 0"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(changed, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        settings_of(**changed)


def test_shares_and_ranks_divide_the_tables():
    settings = settings_of(game="mendikot+be_ranga+single_sar", shares=[1, 2, 3], ppo__deals=60)
    portions = portions_of(settings)
    assert [list(part.every) for part in portions] == [
        [*range(10)],
        [*range(10, 30)],
        [*range(30, 60)],
    ]
    assert [game_of(part.rules) for part in portions] == ["mendikot", "be_ranga", "single_sar"]
    ranks = [portions_of(settings, Ranks(number, 4)) for number in range(4)]
    assert sorted(np.concatenate([own_tables(each) for each in ranks])) == [*range(60)]
    with pytest.raises(ValueError, match=r"11 ranks cannot share ppo.deals=60 among 3 games"):
        portions_of(settings, Ranks(0, 11))


def test_a_rollout_of_several_games_is_each_game_s_own():
    settings = settings_of(ppo__deals=12)
    policy = make_learner(settings).policy
    with torch.no_grad():
        policy.layers[-1].weight.mul_(1e9)  # so that no random number matters
    portions = portions_of(settings)
    rng = np.random.default_rng(0)
    together = play(policy, portions, seed=5, first_table=40, rng=rng)
    assert len(together.features) == len(together.player) == len(together.chances)
    steps = 0
    for part in portions:
        alone = play_rounds(policy, part.rules, 2, 5, 40 + part.own.start, rng)
        mine = np.isin(together.player // 4, part.own)
        assert np.array_equal(together.player[mine], alone.player + 4 * part.own.start)
        assert torch.equal(together.features[torch.from_numpy(mine)], alone.features)
        assert np.array_equal(together.outcome[mine], alone.outcome)
        steps += alone.steps
    assert together.steps == steps


def test_company_sits_at_the_tables_that_it_is_named_for(tmp_path):
    settings = settings_of(league__past=0.5)
    learner = make_learner(settings)
    portions = portions_of(settings)
    company = League(settings, tmp_path).company(learner, checkpoint.State(), own_tables(portions))
    rng = np.random.default_rng(0)
    rollout = play(learner.policy, portions, seed=1, first_table=0, rng=rng, company=company)
    assert (company.sits == POLICY).any(axis=1).all()
    assert (company.sits != POLICY).any()
    assert (company.sits[rollout.player // 4, rollout.player % 4] == POLICY).all()


def test_a_run_of_all_games_trains_measures_goes_on_and_plays(tmp_path):
    steady = {"ppo__learning_rate_end": 2e-3, "ppo__entropy_end": 0.05}
    straight = settings_of(budget__total_steps=2000, report__pairs=0, **steady)
    train(straight, tmp_path / "straight")
    train(settings_of(budget__total_steps=1000, **steady), tmp_path / "broken")
    state = train(settings_of(budget__total_steps=2000, **steady), tmp_path / "broken")
    assert state.updates == 2
    tensors, _ = network.read(tmp_path / "straight")
    again, _ = network.read(tmp_path / "broken")
    assert all(torch.equal(tensors[name], again[name]) for name in tensors)
    measured = [point["game"] for point in state.curve]
    assert measured == [*VARIANTS, *VARIANTS, *VARIANTS], "at the start, where it broke, at the end"
    assert (tmp_path / "broken" / "curve.png").exists()

    agent = agents.make(str(tmp_path / "straight"))
    chances = network.load(tmp_path / "straight").chances
    for name in VARIANTS:
        view = rungenv.observe(rungenv.deal(variant(name), 8, seed=2))
        actions = agent.act(view, np.random.default_rng(0))
        assert view.legal_mask()[np.arange(8), actions].all()
        assert np.array_equal(chances(view).argmax(axis=1), actions)
        assert chances(view).shape == (8, N_ACTIONS)


def test_a_network_of_several_games_names_them_and_refuses_others(tmp_path):
    settings = settings_of(game="be_ranga+double_sar")
    policy = make_learner(settings).policy
    path = tmp_path / "two.safetensors"
    path.write_bytes(network.to_bytes(*network.pack(policy, settings.games)))
    agent = network.load(path)
    assert agent.trained_for == settings.games
    agent.act(
        rungenv.observe(rungenv.deal(variant("be_ranga"), 2, seed=0)), np.random.default_rng(0)
    )
    view = rungenv.observe(rungenv.deal(variant("mendikot"), 2, seed=0))
    with pytest.raises(ValueError, match="plays be_ranga, double_sar, not mendikot"):
        agent.act(view, np.random.default_rng(0))


def test_the_command_line_knows_all_games():
    parsed = train_command.parse(["--game", "all", "--shares", "1", "1", "1", "1", "1", "3"])
    assert len(parsed.settings.games) == 6
    assert parsed.settings.shares[-1] == 3
