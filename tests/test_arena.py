"""Duplicate deals: what a duel measures, and that it measures the same every time."""

import dataclasses
import io
import json

import numpy as np
import pytest
from rich.console import Console

import agents
import rungenv
from agents.greedy import Greedy
from train import arena, deals
from train.arena import duels
from train.arena.results import Controlled, GameResults
from train.arena.verdicts import power_line, verdicts

GREEDY, RANDOM = agents.make("greedy"), agents.make("random")
SEED = deals.seed("test")


class Lowest:
    """Takes the legal action of the lowest number: another agent without chance."""

    name = "lowest"

    def act(self, view, rng):
        return rungenv.bits.lowest(view.legal).astype(np.int64)


class Plain(Greedy):
    """Greedy under another name: in a duel with greedy all luck must cancel."""

    name = "plain"


def duel(game, a, b, pairs=300, seed=SEED, first_table=0, **options):
    rules = rungenv.variant(game, **options)
    return arena.duel(rules, a, b, pairs, seed=seed, first_table=first_table)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_greedy_beats_random_by_far(game):
    score = duel(game, GREEDY, RANDOM, pairs=1000)
    assert score.low > 0.8
    assert score.win > 0.75


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_an_agent_draws_with_itself_exactly(game):
    score = duel(game, GREEDY, Plain())
    assert (score.points, score.low, score.high) == (0, 0, 0)
    assert score.win == pytest.approx(0.5)
    assert score.won == score.lost


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_exchanging_the_agents_negates_the_points(game):
    score, other = duel(game, GREEDY, Lowest()), duel(game, Lowest(), GREEDY)
    assert score.points == -other.points != 0
    assert score.low == pytest.approx(-other.high)
    assert (score.won, score.lost) == (other.lost, other.won)


def test_points_are_those_of_the_rounds_as_played_one_by_one():
    pairs, rules = 8, rungenv.variant("double_sar")
    paid = []
    for table in range(pairs):
        for team in range(2):
            tables = rungenv.deal(rules, 1, SEED, first_table=table)
            while tables.seat[0] >= 0:
                agent = GREEDY if tables.seat[0] % 2 == team else Lowest()
                events = rungenv.step(tables, agent.act(rungenv.observe(tables), None))
            paid.append(int(events.points[0, team]) - int(events.points[0, 1 - team]))
    score = duel("double_sar", GREEDY, Lowest(), pairs)
    by_pair = np.array(paid).reshape(pairs, 2).mean(axis=1)
    assert score.points == np.mean(paid)
    margin = 2.364624 * by_pair.std(ddof=1) / np.sqrt(pairs)
    ends = (score.points - margin, score.points + margin)
    assert (score.low, score.high) == pytest.approx(ends, rel=1e-4)


@pytest.mark.parametrize(("a", "b"), [(GREEDY, Lowest()), (GREEDY, RANDOM), (RANDOM, RANDOM)])
def test_a_duel_is_the_same_in_parts(monkeypatch, a, b):
    """Even by chance: a block has its own generators, and ends at a fixed table number."""
    monkeypatch.setattr(duels, "BLOCK", 100)
    whole = duel("hidden_rung", a, b, 250, first_table=70)
    spans = [(70, 30), (100, 100), (200, 100), (300, 20)]
    parts = [duel("hidden_rung", a, b, pairs, first_table=first) for first, pairs in spans]
    mean = sum(part.points * part.pairs for part in parts) / 250
    assert whole.points == pytest.approx(mean)
    assert whole.decisions == sum(part.decisions for part in parts)
    for kind, share in whole.won.items():
        assert share == pytest.approx(sum(part.won[kind] * part.pairs for part in parts) / 250)


def test_without_chance_the_size_of_a_block_does_not_matter(monkeypatch):
    score = duel("mendikot_band", GREEDY, Lowest(), 120, first_table=5)
    monkeypatch.setattr(duels, "BLOCK", 7)
    assert duel("mendikot_band", GREEDY, Lowest(), 120, first_table=5) == score


def test_a_duel_repeats_itself_and_other_seeds_differ():
    score = duel("be_ranga", RANDOM, RANDOM)
    assert duel("be_ranga", RANDOM, RANDOM) == score
    assert duel("be_ranga", RANDOM, RANDOM, seed=SEED + 1) != score
    assert duel("be_ranga", RANDOM, RANDOM, first_table=2048).points != score.points


def test_agents_get_the_rows_of_their_own_seats():
    class Watcher(Lowest):
        def act(self, view, rng):
            assert (view.legal != 0).all()
            self.seats = getattr(self, "seats", set()) | set(view.seat.tolist())
            self.rng = rng
            return super().act(view, rng)

    a, b = Watcher(), Watcher()
    duel("single_sar", a, b)
    assert a.seats == b.seats == {0, 1, 2, 3}
    assert a.rng is not b.rng


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_all_rounds_are_accounted_for(game):
    score = duel(game, GREEDY, RANDOM, new_cards=1)
    assert sum(score.won.values()) + sum(score.lost.values()) == pytest.approx(1)
    tens = game.startswith("mendikot")
    assert ("MENDIKOT" in score.won) == tens
    assert (score.kot > 0 and score.goon_kot > 0) != tens


def printed(table):
    console = Console(width=110, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def test_a_score_is_plain_data_and_a_table():
    scores = [duel(game, GREEDY, RANDOM) for game in ("double_sar", "mendikot")]
    for score in scores:
        data = json.loads(json.dumps(score.as_dict()))
        assert rungenv.Rules(**data["rules"]) == score.rules
        assert (data["points"], data["low"], data["pairs"]) == (score.points, score.low, 300)
    text = printed(arena.table(scores[:1]))
    assert "double_sar" in text
    assert f"{scores[0].points:+.3f}" in text
    assert "goon kot" in text
    assert "mendikot" not in text
    assert "whitewash" in printed(arena.table(scores, title="both"))


def test_what_was_found_is_said_in_words():
    score = duel("mendikot", GREEDY, RANDOM, pairs=50)
    figures = {"points": 0.5, "low": 0.25, "high": 0.75}
    better = dataclasses.replace(score, a="a", b="b", **figures)
    worse = dataclasses.replace(better, points=-0.5, low=-0.75, high=-0.25)
    unsure = dataclasses.replace(better, low=-0.01, rules=rungenv.variant("be_ranga"))
    assert [*verdicts([better])] == ["a is better than b (+0.500 ± 0.250)"]
    assert [*verdicts([worse])] == ["a is worse than b (-0.500 ± 0.250)"]
    assert [*verdicts([unsure])] == ["no difference seen between a and b"]
    steady = Controlled(0.5, 0.4, 0.6, weight=1, variance=0.1, by=("luck",))
    controlled = dataclasses.replace(unsure, controlled=steady)
    assert [*verdicts([controlled])] == ["a is better than b (+0.500 ± 0.100)"]
    [line] = verdicts([better, unsure])
    assert line == "a against b: better in mendikot; no difference seen in be_ranga"
    alike = dataclasses.replace(better, low=0.5, high=0.5)
    assert [*verdicts([alike])] == ["all 50 pairs of a and b came out alike"], "no interval"
    many = [dataclasses.replace(better, a=name) for name in "cdef"]
    assert [*verdicts(many)] == ["every two differ: no interval holds 0"]
    assert [*verdicts([*many, unsure])] == ["no difference seen between a and b"]


def test_what_the_pairs_can_show_is_said_in_words():
    score = dataclasses.replace(duel("mendikot", GREEDY, RANDOM, pairs=4), pairs=200)
    power = {0.01: 127_436, 0.02: 31_859, 0.05: 5_098, 0.1: 1_275}
    game = GameResults(score.rules, (score,), (), (), (), power)
    shown = "mendikot: 200 pairs show a difference of 0.25 points a deal four times in five"
    assert power_line(game) == f"{shown}; 0.05 takes 5,098, 0.01 takes 127,436"
    enough = dataclasses.replace(game, power={0.01: 150, 0.1: 2})
    assert power_line(enough).endswith("0.0087 points a deal four times in five")
    alike = dataclasses.replace(score, low=score.points, high=score.points)
    line = power_line(dataclasses.replace(game, scores=(alike,)))
    assert line == "mendikot: all pairs came out alike, so they do not say what they can show"


def test_a_duel_of_one_pair_has_no_interval():
    with pytest.raises(ValueError, match="at least 2 pairs, not 1"):
        duel("single_sar", GREEDY, RANDOM, pairs=1)


def test_one_who_sees_all_hands_is_measured_only_where_that_is_allowed():
    class Peeks(Greedy):
        name = "peeks"

        def act_on_tables(self, tables, rng):
            return self.act(rungenv.observe(tables), rng)

    with pytest.raises(ValueError, match="peeks sees all hands; allow_cheats=True admits it"):
        duel("single_sar", Peeks(), GREEDY)
    rules = rungenv.variant("single_sar")
    score = arena.duel(rules, Peeks(), GREEDY, 10, seed=SEED, allow_cheats=True)
    assert score.points == 0


def test_games_are_named_by_what_is_different():
    assert arena.game_name(rungenv.variant("mendikot_band")) == "mendikot_band"
    assert arena.game_name(rungenv.variant("single_sar", collects="pile")) == "double_sar"
    rules = dataclasses.replace(rungenv.variant("hidden_rung"), change_trump=True, new_cards=2)
    assert arena.game_name(rules) == "hidden_rung change_trump=True new_cards=(2, 2, 2, 2)"


# Which deals are for what.


def test_training_validation_and_test_share_no_seed():
    spaces = list(deals.SPACES.values())
    assert list(deals.SPACES) == ["training", "validation", "test"]
    for i, one in enumerate(spaces):
        assert all(seed < 2**63 for seed in (one[0], one[-1]))
        for other in spaces[i + 1 :]:
            assert one.stop <= other.start or other.stop <= one.start


@pytest.mark.parametrize("purpose", deals.SPACES)
@pytest.mark.parametrize("number", [0, 1, 2**61 - 1])
def test_a_seed_belongs_to_its_purpose(purpose, number):
    seed = deals.seed(purpose, number)
    assert deals.purpose_of(seed) == purpose
    rungenv.deal(rungenv.variant("single_sar"), 1, seed)


def test_the_published_deals_stay_what_they_are():
    """Figures from these deals are compared over years: a change here makes them worthless."""
    rules = rungenv.variant("single_sar")
    first = {
        purpose: rungenv.deal(rules, 1, deals.seed(purpose)).deal[0, 0, :5]
        for purpose in ("validation", "test")
    }
    names = {purpose: " ".join(map(rungenv.card_name, cards)) for purpose, cards in first.items()}
    assert names == {"validation": "KD 3S 9H 8S 5S", "test": "2C 9D 3S 8D 2H"}


@pytest.mark.parametrize(("purpose", "number"), [("tests", 0), ("test", -1), ("test", 2**61)])
def test_there_are_no_other_deals(purpose, number):
    with pytest.raises(ValueError, match=r"no deals are called|has a number from"):
        deals.seed(purpose, number)


class Nosy:
    """An agent that keeps the generators it is handed."""

    name = "nosy"

    def __init__(self):
        self.seen = []

    def act(self, view, rng):
        self.seen.append(rng)
        return agents.make("greedy").act(view, rng)


def test_the_generator_does_not_tell_the_seed_of_the_deals():
    nosy, seed = Nosy(), deals.seed("test", 12345)
    arena.duel(rungenv.variant("be_ranga"), nosy, agents.make("greedy"), 4, seed=seed)
    for rng in nosy.seen:
        entropy = rng.bit_generator.seed_seq.entropy
        assert isinstance(entropy, int)
        assert entropy > 2**128
        assert str(seed) not in str(entropy)
