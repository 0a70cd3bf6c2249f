"""Training never sees the deals that it is judged by: every deal of a run is watched."""

import numpy as np
import pytest

import rungenv
from rungenv.dealing import start_streams
from test_training import SMALL
from train import arena, config, deals
from train.loop import train


@pytest.fixture
def dealt(monkeypatch):
    """The purpose of every seed that tables are dealt from, while measuring and otherwise."""
    seen = {"training": [], "measuring": []}
    during = ["training"]

    def watch(state, seed, table):
        seen[during[-1]].extend(map(int, np.unique(seed)))
        return start_streams(state, seed, table)

    duel = arena.duel

    def measuring(*args, **options):
        during.append("measuring")
        try:
            return duel(*args, **options)
        finally:
            during.pop()

    monkeypatch.setattr(rungenv.tables, "start_streams", watch)
    monkeypatch.setattr(arena, "duel", measuring)
    return seen


@pytest.mark.parametrize(("game", "seed"), [("single_sar", 0), ("mendikot_band", 2**61 - 1)])
def test_a_training_run_draws_no_deal_that_agents_are_judged_by(tmp_path, dealt, game, seed):
    changes = {"game": game, "seed": seed, "rules": {"new_cards": 1}, "budget.total_steps": 2000}
    settings = config.load(None, SMALL | changes)
    train(settings, tmp_path)
    assert set(dealt["training"]) == {seed}
    assert deals.purpose_of(seed) == "training"
    assert set(dealt["measuring"]) == {deals.seed("validation")}
    assert len(dealt["training"]) >= 2
    assert len(dealt["measuring"]) >= 2


def test_no_seed_of_a_run_reaches_into_the_deals_of_others(tmp_path):
    with pytest.raises(ValueError, match="has a number from 0 to 2"):
        deals.seed("training", 2**61)
    settings = config.load(None, SMALL | {"budget.total_steps": 100, "report.pairs": 0})
    with pytest.raises(ValueError):  # noqa: PT011 - by whoever is the first to notice
        train(config.load(None, {**config.to_dict(settings), "seed": 2**61}), tmp_path)
    assert not (tmp_path / "checkpoint.safetensors").exists()


@pytest.mark.parametrize(("one", "other"), [("training", "validation"), ("validation", "test")])
def test_the_sets_share_no_deal(one, other):
    """Not by chance of the hash either, as far as these go: 20,000 tables of each."""
    rules = rungenv.variant("single_sar")
    hands = [
        rungenv.deal(rules, 20_000, deals.seed(purpose)).hands[:, :3] for purpose in (one, other)
    ]
    assert len(np.unique(np.concatenate(hands), axis=0)) == 40_000
