"""Duplicate deals as pieces of work: failing agents, matches, records; the same in any grouping."""

import json

import numpy as np
import pytest

import agents
import failing
import rungenv
from agents.greedy import Greedy
from rungenv import Kind
from rungenv.actions import PASS, TIMEOUT
from rungenv.record_text import parse_record
from train import deals
from train.arena import forfeits
from train.arena.asking import OutOfTime
from train.arena.duplicate import Stopped, play
from train.arena.piece import Piece, blocks
from train.arena.played import NOBODY, Played
from train.arena.recorded import SAMPLE, SWINGS, selected

GREEDY, RANDOM = agents.make("greedy"), agents.make("random")
SEED = deals.seed("validation", 3)


def piece(game, stop=40, start=0, **settings):
    options = settings.pop("options", {})
    return Piece(rungenv.variant(game, **options), "a", "b", SEED, start, stop, **settings)


def test_blocks_end_at_fixed_tables():
    assert list(blocks(70, 250, 100)) == [
        range(70, 100),
        range(100, 200),
        range(200, 300),
        range(300, 320),
    ]
    assert list(blocks(5, 0, 100)) == []


@pytest.mark.parametrize("game", rungenv.VARIANTS)
@pytest.mark.parametrize("episode", ["round", "match"])
def test_an_agent_draws_with_itself_exactly(game, episode):
    short = {"points_target": 3}
    played = play(piece(game, 4, episode=episode, options=short), GREEDY, Greedy())
    assert (played.pairs == 0).all()
    assert (played.wins == 0.5).all()
    assert set(np.unique(np.abs(played.payoff))) <= ({1} if episode == "match" else {1, 2, 3, 4})


@pytest.mark.parametrize("game", ["double_sar", "mendikot_band"])
def test_matches_are_played_to_their_end_on_the_same_deals_for_both(game):
    kept = play(piece(game, 5, episode="match", keep_from=0), GREEDY, RANDOM)
    games = [json.loads(line) for line in kept.games]
    assert len(games) >= 2 * SAMPLE
    by_table = {}
    for one in games:
        record = parse_record(one["record"])
        record.verify()
        assert record.rounds[-1].result["match_winner"] in (0, 1)
        half = 0 if one["a_sits"] == [0, 2] else 1
        won = record.rounds[-1].result["match_winner"] == half
        assert kept.payoff[half, one["table"]] == (1 if won else -1)
        names = ["greedy", "random", "greedy", "random"]
        assert list(record.agents) == (names if half == 0 else names[::-1])
        by_table.setdefault(one["table"], []).append(record)
    for one, other in by_table.values():
        assert one.rounds[0].deals[0] == other.rounds[0].deals[0]
    rounds = kept.rounds
    for row, one in ((one["table"] + 5 * (one["a_sits"] == [1, 3]), one) for one in games):
        assert (rounds.row == row).sum() == len(parse_record(one["record"]).rounds)
    assert (np.bincount(rounds.row, minlength=10) >= 2).all()  # 10 or 5 points take more than one


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_records_are_of_the_games_as_played(game):
    options = {"new_cards": 1}
    played = play(piece(game, 30, options=options, keep_from=0), GREEDY, RANDOM)
    games = [json.loads(line) for line in played.games]
    assert {one["table"] for one in games} >= set(range(SAMPLE))
    for one in games:
        record = parse_record(one["record"])
        record.verify()
        last = record.tables()
        half = 0 if one["a_sits"] == [0, 2] else 1
        paid = int(last.points[0, half]) - int(last.points[0, 1 - half])
        assert paid == played.payoff[half, one["table"]]
        assert one["points"] == played.pairs[one["table"]]
    kept = selected(played.games, 0)
    largest = np.sort(np.abs(played.pairs))[::-1][:SWINGS]
    swings = {one["table"]: abs(one["points"]) for one in kept if one["why"] == "swing"}
    assert sorted(swings.values(), reverse=True) == largest.tolist()
    assert {one["table"] for one in kept if one["why"] == "sample"} <= set(range(SAMPLE))


def test_games_shown_are_the_same_whatever_the_pieces():
    whole = play(piece("single_sar", 60, keep_from=0), GREEDY, Lowest())
    parts = [
        play(piece("single_sar", stop, start, keep_from=0), GREEDY, Lowest())
        for start, stop in [(0, 1), (1, 33), (33, 60)]
    ]
    lines = [line for part in parts for line in part.games]
    assert selected(lines, 0) == selected(whole.games, 0)
    np.testing.assert_array_equal(
        np.concatenate([part.payoff for part in parts], axis=1), whole.payoff
    )


class Lowest:
    name = "lowest"

    def act(self, view, rng):
        return rungenv.bits.lowest(view.legal).astype(np.int64)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_piece_is_the_same_from_its_file(game):
    played = play(piece(game, 10, keep_from=0), GREEDY, RANDOM)
    again = Played.from_bytes(played.to_bytes())
    assert again.games == played.games
    for name in ("payoff", "decisions", "seconds"):
        np.testing.assert_array_equal(getattr(again, name), getattr(played, name))
    for name, column in vars(played.rounds).items():
        np.testing.assert_array_equal(getattr(again.rounds, name), column)
        assert len(column) == 20


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no", np.zeros(3).tobytes()])
def test_a_damaged_file_is_refused(data):
    with pytest.raises(ValueError, match="damaged, or no piece"):
        Played.from_bytes(data)
    good = play(piece("single_sar", 3), GREEDY, RANDOM).to_bytes()
    with pytest.raises(ValueError, match="damaged"):
        Played.from_bytes(good[: len(good) // 2])


# Agents that fail

WAYS = [failing.Crashes, failing.Illegal, failing.Floats, failing.TooMany, failing.OneByOne]
IN_EACH_GAME = [(WAYS[number % 5], game) for number, game in enumerate(rungenv.VARIANTS)]


@pytest.mark.parametrize(("kind", "game"), IN_EACH_GAME)
def test_a_failing_agent_stops_the_arena_with_a_record_of_the_position(kind, game):
    agent = kind(late, "unlucky")
    with pytest.raises(Stopped, match=r"unlucky .*; table \d+, seat \d, after \d+ actions") as stop:
        play(piece(game, 30), GREEDY, agent)
    fault = json.loads(stop.value.fault)
    assert (fault["agent"], fault["what"]) == ("unlucky", "failed")
    record = parse_record(fault["record"])
    record.verify()
    tables = record.tables()
    assert record.agents[fault["seat"]] == "unlucky"
    assert (tables.seat[0], tables.length[0]) == (fault["seat"], fault["ply"])
    assert (record.seed, record.table) == (SEED, fault["table"])
    assert late(rungenv.observe(tables))[0]


def late(view):
    """In the fourth trick, with the ace of spades in hand: not at once, and not everywhere."""
    return (view.trick_number >= 3) & failing.holding(51)(view)


@pytest.mark.parametrize(("kind", "game"), IN_EACH_GAME)
def test_a_forfeit_loses_the_round_at_the_worst_price_and_nothing_else(kind, game):
    plain = play(piece(game, 30), GREEDY, Greedy())
    played = play(piece(game, 30, forfeit=True), GREEDY, kind(late, "unlucky"))
    lost = played.rounds.forfeit == 1
    assert 0 < lost.sum() < 60
    assert lost.sum() == len(played.faults)
    assert not (played.rounds.forfeit == 0).any()
    assert (played.rounds.won_by[lost] == 0).all()
    worst = {3} if game.startswith("mendikot") else {3, 4}
    assert set(played.rounds.points[lost].tolist()) <= worst
    np.testing.assert_array_equal(played.rounds.points[~lost], plain.rounds.points[~lost])
    np.testing.assert_array_equal(played.payoff.ravel(), played.rounds.points)


def test_a_match_goes_on_after_a_round_that_was_lost_by_failing():
    played = play(
        piece("single_sar", 4, episode="match", forfeit=True, keep_from=0),
        GREEDY,
        failing.Crashes(late, "unlucky"),
    )
    assert (np.abs(played.payoff) == 1).all()
    lost = played.rounds.forfeit == 1
    assert lost.any()
    after = [row for row in np.unique(played.rounds.row[lost]) if _goes_on(played, row)]
    assert after
    for line in played.games:
        parse_record(json.loads(line)["record"]).verify()


def _goes_on(played, row):
    own = played.rounds.forfeit[played.rounds.row == row]
    return own[0] != NOBODY and len(own) > 1


@pytest.mark.parametrize("game", ["single_sar", "double_sar", "hidden_rung", "mendikot_band"])
def test_a_call_out_of_time_is_a_pass_or_timeout_and_costs_no_round(game):
    while_calling = failing.OneByOneLate(lambda view: view.phase <= 1, "slow")
    played = play(piece(game, 30, forfeit=True, clock=1.0), GREEDY, while_calling)
    assert not (played.rounds.forfeit != NOBODY).any()
    own = played.rounds.asked == 1
    assert own.sum() == 30
    assert (played.rounds.timed_out[own] == 1).all()
    assert (played.rounds.passed[own] == (game != "mendikot_band")).all()
    assert all(json.loads(fault)["what"] == "out of time" for fault in played.faults)
    while_playing = failing.OneByOneLate(late, "slow")
    played = play(piece(game, 30, forfeit=True, clock=1.0), GREEDY, while_playing)
    assert (played.rounds.forfeit == 1).any()


def test_what_stands_for_a_call_out_of_time():
    late_call = OutOfTime("slow", "took longer")
    tables = rungenv.deal(rungenv.variant("single_sar"), 1, SEED)
    assert forfeits.excused(tables, 0, late_call) == PASS
    assert forfeits.excused(tables, 0, agents.AgentFailure("slow", "broke")) is None
    rungenv.step(tables, [PASS])
    assert forfeits.excused(tables, 0, late_call) == TIMEOUT
    tables = rungenv.deal(rungenv.variant("mendikot_band"), 1, SEED)
    assert forfeits.excused(tables, 0, late_call) == TIMEOUT
    strict = rungenv.deal(rungenv.variant("mendikot_band", allow_timeout=False), 1, SEED)
    assert forfeits.excused(strict, 0, late_call) is None
    tables = rungenv.deal(rungenv.variant("be_ranga"), 1, SEED)
    assert forfeits.excused(tables, 0, late_call) is None


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_losing_a_round_by_failing_is_settled_by_the_rules_of_the_match(game):
    tables = rungenv.deal(rungenv.variant(game), 64, SEED)
    loser = tables.seat & 1
    dealer = tables.dealer.copy()
    points, kots = forfeits.lose(tables, np.arange(64))
    assert (tables.winner == 1 - loser).all()
    callers_lost = loser == (dealer + 1) % 2
    if game.startswith("mendikot"):
        assert (tables.kind == Kind.WHITEWASH).all()
        assert (points == 3).all()
    else:
        np.testing.assert_array_equal(points, np.where(callers_lost, 4, 3))
        np.testing.assert_array_equal(kots, np.where(callers_lost, 3, 1))
    np.testing.assert_array_equal(tables.points[np.arange(64), 1 - loser], points)
    assert (tables.seat == -1).all()
    tables.next_round()
    assert (tables.seat >= 0).all()
