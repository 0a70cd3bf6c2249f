"""What the rules do: rounds counted, calls tried out, matches followed round by round."""

import dataclasses

import numpy as np
import pytest

import agents
import rungenv
from rungenv import VARIANTS, Kind, variant
from rungenv.actions import PASS
from rungenv.rules import PRESETS
from train import rules_study
from train.studies import calls, matches, rounds
from train.studies.estimate import estimate

GREEDY = agents.make("greedy")
RANDOM = agents.make("random")


@pytest.mark.parametrize("game", VARIANTS)
def test_what_is_told_of_rounds_is_what_their_records_say(game):
    found = rounds.play(variant(game), GREEDY, 40, seed=3)
    tables = rounds.ended(rungenv.deal(variant(game), 40, seed=3), GREEDY)
    for row in range(40):
        record = rungenv.record_of(tables, row)
        *_, last = record.positions()
        callers = (int(last.dealer[0]) + 1) % 2
        ours, theirs = int(last.points[0, callers]), int(last.points[0, callers ^ 1])
        assert found.worth[row] == ours - theirs
        assert found.callers_won[row] == (last.winner[0] == callers) == (ours > theirs)
        assert found.tricks[row] == last.trick_number[0] >= 4
        assert Kind(found.kind[row]) != Kind.NONE
    assert found.kot.tolist() == [
        Kind(kind) in (Kind.KOT, Kind.GOON_KOT, Kind.MENDIKOT, Kind.WHITEWASH)
        for kind in found.kind
    ]


@pytest.mark.parametrize("game", VARIANTS)
def test_each_house_rule_is_an_option_of_its_game_away_from_its_default(game):
    for changed in rounds.HOUSE_RULES[game]:
        assert len(changed) == 1
        assert variant(game, **changed) != variant(game)
    read = {field.name for field in dataclasses.fields(rungenv.Rules)}
    not_of_rounds = {"trump", "collects", "goal", "allow_timeout", "scoring", "points_target"}
    not_of_rounds |= {"kots_target", "call_seconds"}
    asked = {
        option for of_game in rounds.HOUSE_RULES.values() for rule in of_game for option in rule
    }
    assert asked == read - not_of_rounds


def test_blocks_change_nothing_but_the_time(monkeypatch):
    whole = rounds.play(variant("double_sar"), GREEDY, 50, seed=3)
    monkeypatch.setattr(rounds, "_BLOCK", 16)
    parts = vars(rounds.play(variant("double_sar"), GREEDY, 50, seed=3))
    for name, column in vars(whole).items():
        assert np.array_equal(parts[name], column), name


def test_a_rule_that_changes_only_the_length_changes_only_the_length():
    """R9.5: with play_out the score is the same."""
    before = rounds.play(variant("mendikot"), GREEDY, 300, seed=2)
    effects = rounds.house_rule_effects(before, "mendikot", GREEDY, seed=2)["play_out=True"]
    assert effects["callers win"] == effects["kots"] == effects["worth of the call"] == (0, 0, 0)
    assert effects["tricks played"].low > 0


def test_the_command_writes_what_was_measured(tmp_path, capsys):
    path = tmp_path / "found.json"
    args = ["be_ranga", "--rounds", "30", "--agent", "greedy", "--deals", "training"]
    assert rules_study.main([*args, "--json", str(path)]) == 0
    found = rules_study.read(path)
    before = rounds.play(variant("be_ranga"), GREEDY, 30, seed=0)
    assert found["be_ranga"].before == rounds.figures(before)
    assert found["be_ranga"].effects == rounds.house_rule_effects(
        before, "be_ranga", GREEDY, seed=0
    )
    assert "new_cards=1" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["mendikott"], "no game is called 'mendikott'; nearest: mendikot"),
        (["all", "--rounds", "1"], "an interval takes at least 2 rounds, not 1"),
        (["all", "--agent", "experd"], "no agent is called 'experd'; nearest: expert"),
    ],
)
def test_the_command_refuses_what_it_cannot_measure(args, message):
    with pytest.raises(ValueError, match=message):
        rules_study.main(args)


def test_differences_are_of_the_same_deals():
    some = rounds.play(variant("be_ranga"), GREEDY, 20, seed=1)
    assert all(change == (0, 0, 0) for change in rounds.differences(some, some).values())
    with pytest.raises(ValueError, match="20 rounds cannot be compared with 10"):
        rounds.differences(some, rounds.play(variant("be_ranga"), GREEDY, 10, seed=1))


def test_the_six_games_are_among_those_that_the_axes_span():
    spanned = rounds.games_between(GREEDY, 2, seed=0)
    axes = {(r.rules.trump, r.rules.collects, r.rules.goal) for r in spanned.values()}
    assert {(r.trump, r.collects, r.goal) for r in PRESETS.values()} <= axes
    assert len(spanned) == 16


@pytest.mark.parametrize("game", VARIANTS)
def test_a_game_without_an_agent_in_the_zoo_is_studied_by_the_expert(game, monkeypatch):
    monkeypatch.setattr("agents.zoo.names", lambda: ("zoo/single_sar",))
    monkeypatch.setattr("agents.make", lambda name: name)
    name = "zoo/single_sar" if game == "single_sar" else "expert"
    assert rounds.best_agent(game) == name


# The call.


@pytest.mark.parametrize("game", ["single_sar", "double_sar", "hidden_rung", "mendikot_band"])
def test_what_the_agent_does_is_worth_what_its_own_rounds_pay(game):
    found = calls.first_calls(variant(game), GREEDY, 60, seed=4)
    assert found.own.tolist() == rounds.play(variant(game), GREEDY, 60, seed=4).worth.tolist()
    assert (found.passed is None) == (game == "mendikot_band")


def test_a_pass_that_is_forbidden_is_not_made():
    view = rungenv.observe(rungenv.deal(variant("single_sar"), 50, seed=0))
    rng = np.random.default_rng(0)
    assert (RANDOM.act(view, rng) == PASS).any()
    assert not (RANDOM.act(calls.without(view, PASS), rng) == PASS).any()


def test_choosing_the_trump_is_better_than_chance():
    found = calls.first_calls(variant("double_sar"), GREEDY, 1500, seed=6)
    assert estimate(found.called - found.at_random).low > 0


def test_where_nobody_calls_there_is_nothing_to_try():
    with pytest.raises(ValueError, match="trump='cut' nobody calls"):
        calls.first_calls(variant("be_ranga"), GREEDY, 2, seed=0)


# Matches.


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("single_sar", {"points_target": 4}),
        ("double_sar", {"scoring": "kots", "kots_target": 1}),
        ("mendikot", {"points_target": 3}),
    ],
)
def test_the_chain_tells_what_matches_do_when_they_are_played(game, options):
    rules = variant(game, **options)
    rates = matches.round_rates(rounds.play(rules, GREEDY, 3000, seed=7))
    found = matches.matches(rules, rates)
    lengths, first_callers_won = matches.play_matches(rules, GREEDY, 250, seed=8)
    assert found.lengths.sum() == pytest.approx(1, abs=1e-5)
    soon = found.longest(0.75)
    for expected, seen in (
        (found.mean_length, lengths),
        (found.first_callers_win, first_callers_won),
        (found.lengths[: soon + 1].sum(), lengths <= soon),
    ):
        measured = estimate(seen)
        assert abs(measured.mean - expected) < 2 * measured.margin


def test_a_match_of_one_point_is_a_round():
    rates = matches.round_rates(rounds.play(variant("single_sar"), GREEDY, 200, seed=7))
    found = matches.matches(variant("single_sar", points_target=1), rates)
    assert found.lengths == pytest.approx([0, 1])
    assert found.first_callers_win == pytest.approx(rates[0].sum())


def test_resampled_rates_scatter_about_the_rates():
    rates = matches.round_rates(rounds.play(variant("single_sar"), GREEDY, 200, seed=7))
    again = matches.resampled(rates, 200, 400, seed=0)
    assert again.sum(axis=(1, 2)) == pytest.approx(np.ones(400))
    assert again.mean(axis=0) == pytest.approx(rates, abs=0.01)
    spread = np.sqrt(rates * (1 - rates) / 200)
    assert again.std(axis=0) == pytest.approx(spread, rel=0.2, abs=1e-3)
