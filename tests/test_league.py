"""Company at the tables of a rollout, and runs that begin by imitating."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

import agents
import rungenv
from rungenv.chance import sealed_generator
from rungenv.players import Player
from train import arena, config, deals
from train.checkpoint import State
from train.imitation import imitate
from train.league import League
from train.learner import make_learner
from train.loop import train
from train.progress import Monitor
from train.rollout import POLICY, Company, play_rounds

SMALL = {
    "network": {"hidden": [16], "critic_hidden": [16]},
    "ppo": {"deals": 12, "minibatch": 256},
    "report": {"pairs": 0},
    "budget": {"total_steps": 3000},
    "threads": 1,
}
LEAGUE = {"share": 0.25, "agents": ["greedy", "random"], "past": 0.25, "every": 2, "keep": 2}


class Spy:
    """Plays by chance, and remembers whose turns it was given."""

    name = "spy"

    def __init__(self):
        self.seats = []

    def act(self, view, rng):
        self.seats += view.seat.tolist()
        return agents.make("random").act(view, rng)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_nothing_is_learnt_from_the_company_s_decisions(game):
    settings = config.load(None, SMALL | {"game": game})
    sits = np.full((12, 4), POLICY)
    sits[:6, 1::2] = 0  # the other team at half of the tables
    sits[6:9, 2] = 0  # one seat at some, and none at the rest
    spy = Spy()
    company = Company([Player("spy", spy)], sits, sealed_generator(0))
    policy = make_learner(settings).policy
    rollout = play_rounds(
        policy, settings.rules, 12, 0, 0, np.random.default_rng(0), company=company
    )
    assert set(spy.seats) == {1, 2, 3}
    assert (sits[rollout.player // 4, rollout.player % 4] == POLICY).all()
    assert set(rollout.player.tolist()) == {
        4 * table + seat for table in range(12) for seat in range(4) if sits[table, seat] == POLICY
    }


def test_a_league_seats_its_shares_and_parts_them_alike_for_all_ranks(tmp_path):
    settings = config.load(
        None, SMALL | {"ppo": {"deals": 400}, "league": LEAGUE | {"partners": 0.5}}
    )
    learner, state = make_learner(settings), State()
    whole = League(settings, tmp_path).company(learner, state, range(400))
    assert whole is not None
    names = [player.name for player in whole.players]
    assert names[0] in LEAGUE["agents"]
    assert names[1] == "pool/0"
    by_table = (whole.sits != POLICY).sum(axis=1)
    assert np.bincount(by_table, minlength=3)[0] == 200
    assert abs(np.bincount(by_table)[1] - 100) < 40, "half of them as partners"
    both = np.flatnonzero(by_table == 2)
    theirs = np.sort(np.nonzero(whole.sits[both] != POLICY)[1].reshape(-1, 2), axis=1)
    assert {tuple(seats) for seats in theirs.tolist()} == {(0, 2), (1, 3)}
    for part in (range(0, 150), range(150, 400)):
        own = League(settings, tmp_path).company(learner, state, part)
        assert own is not None
        assert [player.name for player in own.players] == names
        np.testing.assert_array_equal(own.sits, whole.sits[part.start : part.stop])


def test_who_is_beaten_less_is_met_more():
    settings = config.load(None, SMALL | {"league": LEAGUE})
    league = League(settings, None)  # type: ignore[arg-type]
    state = State(wins={"greedy": 0.2, "random": 0.95})
    rng = np.random.default_rng(0)
    drawn = [league._draw(["greedy", "random"], state, rng) for _ in range(400)]
    assert 350 < drawn.count("greedy") < 400


def test_how_often_each_was_beaten_is_kept(tmp_path):
    settings = config.load(None, SMALL | {"league": LEAGUE})
    sits = np.full((3, 4), POLICY)
    sits[0, 1::2], sits[1, 1::2] = 0, 1
    company = Company([Player("weak", None), Player("strong", None)], sits, sealed_generator(0))
    rollout = SimpleNamespace(
        player=np.array([0, 2, 4, 6, 8, 9]), outcome=np.array([1.0, 1.0, -2.0, -2.0, 1.0, -1.0])
    )
    state = State()
    for _ in range(50):
        League(settings, tmp_path).note(state, company, rollout)
    assert state.wins["weak"] == pytest.approx(1, abs=0.01)
    assert state.wins["strong"] == pytest.approx(0, abs=0.01)


def test_a_run_in_company_that_was_broken_off_ends_as_an_unbroken_one(tmp_path, monkeypatch):
    settings = config.load(None, SMALL | {"league": LEAGUE})
    straight = train(settings, tmp_path / "straight")
    updated = Monitor.updated

    def stop_after_three(self, losses, seconds):
        updated(self, losses, seconds)
        if self.state.updates == 3:
            raise KeyboardInterrupt

    first = config.load(None, SMALL | {"league": LEAGUE, "report": {"pairs": 0, "save_minutes": 0}})
    with monkeypatch.context() as patch:
        patch.setattr(Monitor, "updated", stop_after_three)
        with pytest.raises(KeyboardInterrupt):
            train(first, tmp_path / "broken")
    resumed = train(settings, tmp_path / "broken")
    assert (resumed.updates, resumed.wins) == (straight.updates, straight.wins)
    assert any(name.startswith("pool/") for name in straight.wins)
    expected, found = (
        agents.make(str(tmp_path / name)).network.state_dict() for name in ("straight", "broken")
    )
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_past_policies_are_kept_from_the_end_of_imitation_on(tmp_path):
    clone = {"agent": "random", "steps": 500}  # one update
    settings = config.load(None, SMALL | {"league": LEAGUE | {"share": 0.0}, "clone": clone})
    state = train(settings, tmp_path)
    assert {"pool/0"}.isdisjoint(state.wins)
    assert "pool/2" in state.wins


@pytest.mark.parametrize(
    ("league", "message"),
    [
        ({"share": 0.5}, "name one or more"),
        ({"share": 0.7, "past": 0.7, "agents": ["greedy"]}, "at most 1"),
        ({"past": -0.1}, "league.past must be at least 0"),
    ],
)
def test_a_league_that_cannot_be_is_refused(league, message):
    with pytest.raises(ValueError, match=message):
        config.load(None, {"league": league})


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_teacher_decides_and_its_choices_are_kept(game):
    settings = config.load(None, SMALL | {"game": game})
    policy, greedy = make_learner(settings).policy, agents.make("greedy")
    rollout = play_rounds(
        policy, settings.rules, 12, 3, 0, np.random.default_rng(0), teacher=Player("greedy", greedy)
    )
    tables = rungenv.deal(settings.rules, 12, seed=3)
    rng = np.random.default_rng(0)
    while (tables.seat >= 0).any():
        rungenv.step(tables, greedy.act(rungenv.observe(tables), rng))
    won = tables.points[:, 0].astype(int) - tables.points[:, 1]
    by_player = dict(zip(rollout.player.tolist(), rollout.outcome.tolist(), strict=True))
    for player, outcome in by_player.items():
        assert outcome == won[player // 4] * (1 if player % 2 == 0 else -1)


def test_imitation_comes_to_choose_as_its_teacher():
    settings = config.load(
        None, SMALL | {"game": "mendikot", "network": {"hidden": [64], "critic_hidden": [32]}}
    )
    learner, greedy = make_learner(settings), Player("greedy", agents.make("greedy"))
    agreed = []
    for update in range(12):
        rng = sealed_generator(update)
        rollout = play_rounds(
            learner.policy,
            settings.rules,
            160,
            0,
            160 * update,
            rng,
            teacher=Player("greedy", greedy),
        )
        agreed.append(1 - imitate(learner, rollout, settings.ppo, 3e-3, rng).clipped)
    assert agreed[0] < 0.5
    assert np.mean(agreed[-2:]) > 0.75


def test_a_run_that_begins_by_imitating_goes_on_by_itself(tmp_path):
    told = SMALL | {
        "game": "be_ranga",
        "network": {"hidden": [64], "critic_hidden": [64]},
        "ppo": {"deals": 256, "minibatch": 256, "learning_rate_start": 4e-3},
        "clone": {"agent": "greedy", "steps": 120_000},
        "budget": {"total_steps": 130_000},
    }
    settings = config.load(None, told)
    state = train(settings, tmp_path)
    assert state.steps > 130_000
    score = arena.duel(
        settings.rules,
        agents.make(str(tmp_path)),
        agents.make("random"),
        400,
        seed=deals.seed("validation", 1),
    )
    assert score.low > 0.5


class Wrong:
    """Plays what is never legal at a table where all cards are to be played."""

    name = "wrong"

    def act(self, view, rng):
        return np.full(len(view), 57)


def test_whoever_answers_what_is_not_legal_is_named():
    settings = config.load(None, SMALL | {"game": "be_ranga"})
    policy, wrong = make_learner(settings).policy, Player("wrong", Wrong())
    sits = np.full((12, 4), POLICY)
    sits[:, 1] = 0
    company = Company([wrong], sits, sealed_generator(0))
    for told in ({"company": company}, {"teacher": wrong}):
        with pytest.raises(rungenv.IllegalAction, match="wrong answered TIMEOUT, which is not"):
            play_rounds(policy, settings.rules, 12, 0, 0, np.random.default_rng(0), **told)


def test_a_policy_that_guesses_cards_can_begin_by_imitating(tmp_path):
    told = SMALL | {"clone": {"agent": "greedy", "steps": 1000}}
    told["ppo"] = told["ppo"] | {"cards_weight": 0.5}
    assert train(config.load(None, told), tmp_path).steps >= 3000
