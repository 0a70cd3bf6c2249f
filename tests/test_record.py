"""Records: written, read, played over again; what is wrong with one is found and said."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rungenv
from rungenv.record_file import append_records, read_records, write_records
from rungenv.record_text import parse_record, record_line
from rungenv.recorder import Recorder
from rungenv.recording import record_of
from rungenv.state import COLUMNS
from tables import Game
from train import cli

OPTIONS = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"change_trump": True, "new_cards": (2, 0, 1, 0), "points_target": 3}),
    ("double_sar", {"no_late_pickup": True, "scoring": "kots", "kots_target": 1}),
    ("hidden_rung", {"change_trump": True, "new_cards": 1, "points_target": 4}),
    ("hidden_rung", {"collects": "pile", "goal": "tens", "shown": "first_void"}),
    ("be_ranga", {"new_cards": 2}),
    ("mendikot", {"play_out": True, "new_cards": (0, 0, 0, 1)}),
    ("mendikot_band", {"passing": True, "new_cards": (0, 1, 0, 0)}),
]
NAMES = ("greedy", "random", "Ünal ♠", 'say "pass"')


def random_actions(tables, rng):
    mask = tables.legal_mask()
    return np.where(mask.any(axis=1), (mask * rng.random(mask.shape)).argmax(axis=1), 0)


def played(game, options, seed=0, tables=2, episode="match"):
    """Records of random games, and the tables where they ended."""
    rules = rungenv.variant(game, **{"points_target": 3} | options)
    tables = rungenv.deal(rules, tables, seed=seed)
    recorder, records, ends = Recorder(tables, NAMES, episode=episode), [], []
    rng = np.random.default_rng(seed)
    while len(records) < 3:
        rungenv.step(tables, random_actions(tables, rng))
        for record in recorder.update():
            records.append(record)
            ends.append(tables.take(np.flatnonzero(tables.table == record.table)))
        tables.next_round()
        recorder.update()
    return records, ends


def same_tables(one, other):
    """Whether two tables are in the same state, where their next deals come from aside."""
    columns = [column for column in COLUMNS if column != "given"]
    return (
        all(np.array_equal(getattr(one, column), getattr(other, column)) for column in columns)
        and np.array_equal(one.deal, other.deal)
        and np.array_equal(one.history, other.history)
    )


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_a_game_read_back_is_the_game_played(game, options, episode):
    for record, end in zip(*played(game, options, episode=episode), strict=True):
        line = record_line(record)
        assert "\n" not in line
        again = parse_record(line)
        assert again == record
        again.verify()
        assert same_tables(again.tables(), end)


@settings(max_examples=30)
@given(st.data())
def test_a_round_broken_off_anywhere_comes_back(data):
    game, options = data.draw(st.sampled_from(OPTIONS))
    rules = rungenv.variant(game, **options)
    seed = data.draw(st.integers(0, 2**63 - 1))
    tables = rungenv.deal(rules, 1, seed, first_table=data.draw(st.integers(0, 9)))
    deals = [tables.deal[0].copy()]
    for _ in range(data.draw(st.integers(0, 55))):
        legal = np.flatnonzero(tables.legal_mask()[0])
        if not legal.size:
            break
        rungenv.step(tables, [data.draw(st.sampled_from(legal.tolist()))])
        if tables.redeal[0] == len(deals):
            deals.append(tables.deal[0].copy())
    record = record_of(tables, 0, deals=deals)
    again = parse_record(record_line(record))
    assert again == record
    again.verify()
    assert same_tables(again.tables(), tables)


def test_a_record_gives_every_position():
    [record, *_], _ = played("hidden_rung", {"change_trump": True, "new_cards": 1})
    positions = list(record.positions())
    i = 0
    for number, round in enumerate(record.rounds):
        for ply in range(len(round.moves) + 1):
            assert same_tables(record.tables(ply, number), positions[i])
            i += 1
    assert i == len(positions)
    with pytest.raises(ValueError, match="ply must be a whole number from 0 to"):
        record.tables(ply=99)
    with pytest.raises(ValueError, match=r"number must be .*, not 50"):
        record.tables(number=50)


def test_tables_of_a_record_can_be_played_on():
    tables = rungenv.deal(rungenv.variant("single_sar"), 1, seed=5)
    rng = np.random.default_rng(0)
    for _ in range(100):
        if tables.seat[0] < 0:
            break
        copy = record_of(tables, 0).tables()
        action = random_actions(tables, rng)
        rungenv.step(tables, action)
        rungenv.step(copy, action)
        assert same_tables(copy, tables)
    tables.next_round()
    copy.next_round()
    assert same_tables(copy, tables)


def test_a_record_can_be_read_by_eye():
    [record, *_], _ = played("single_sar", {}, episode="round")
    data = json.loads(record_line(record))
    (round,) = data["rounds"]
    assert data["rules"] == {"points_target": 3}
    assert round["opening"].split()[1] in ("PASS", "CALL_C", "CALL_D", "CALL_H", "CALL_S")
    assert len(round["tricks"]) == sum(round["result"]["tricks"])
    assert [len(packet.split()) for packet in round["deals"][0][0].split("  ")] == [5, 4, 4]
    assert set(round["hands"][2].split()[::2]) == set("CDHS")


def test_every_deal_of_a_round_is_kept():
    tables = rungenv.deal(rungenv.variant("be_ranga", new_cards=1), 1, seed=2)
    recorder, deals = Recorder(tables), [tables.deal[0].tolist()]
    for _ in range(2):
        rungenv.step(tables, [60])
        assert recorder.update() == []
        deals.append(tables.deal[0].tolist())
    records = []
    while not records:
        lowest = tables.legal_mask().argmax(axis=1)  # KEEP before NEW_CARDS
        rungenv.step(tables, lowest)
        records = recorder.update()
    assert [list(map(list, deal)) for deal in records[0].rounds[0].deals] == deals
    with pytest.raises(ValueError, match=r"had 3 deals.*give all in `deals`.*or keep a Recorder"):
        record_of(tables, 0)


def test_a_round_of_a_match_keeps_how_the_match_stood():
    records, _ = played("single_sar", {"points_target": 10}, tables=1, episode="round")
    tables = records[1].tables(ply=0)
    assert records[1].start["points"] == records[0].rounds[0].result["points"]
    assert tables.points[0].tolist() == records[1].start["points"]
    with pytest.raises(ValueError, match="how the match stood before is not kept"):
        record_of(records[1].tables(), 0)


def test_games_dealt_by_hand_are_recorded():
    game = Game("single_sar", "AS KS", "AC", new_cards=1)
    game.play("TIMEOUT" if "TIMEOUT" in game.legal else "CALL_S", "KEEP KEEP KEEP KEEP", ". . .")
    record = record_of(game.tables, 0)
    assert record.seed is None
    again = parse_record(record_line(record)).tables()
    assert same_tables(again, game.tables)


def test_new_cards_asked_for_before_anything_else_are_recorded():
    rules = rungenv.variant("be_ranga", new_cards=1)
    first, second = rungenv.deal(rules, 2, seed=4).deal
    tables = rungenv.deal_hands(rules, [first], 3, redeals=[[second]])
    rungenv.step(tables, [60])
    record = record_of(tables, 0, deals=[first, second])
    assert same_tables(parse_record(record_line(record)).tables(), tables)


def test_a_recorder_says_when_it_was_not_told():
    tables = rungenv.deal(rungenv.variant("be_ranga", new_cards=1), 1, seed=2)
    recorder = Recorder(tables)
    rungenv.step(tables, [60])
    rungenv.step(tables, [60])
    with pytest.raises(ValueError, match="unseen"):
        recorder.update()
    with pytest.raises(ValueError, match="episode must be"):
        Recorder(tables, episode="hand")
    with pytest.raises(ValueError, match="four names"):
        Recorder(tables, ["a", "b"])


def test_a_game_cut_off_by_a_new_match_is_dropped():
    tables = rungenv.deal(rungenv.variant("single_sar"), 1, seed=2)
    recorder, rng = Recorder(tables, episode="match"), np.random.default_rng(0)
    for _ in range(20):
        rungenv.step(tables, random_actions(tables, rng))
        recorder.update()
    tables.new_match()
    records = recorder.update()
    while not records:
        rungenv.step(tables, random_actions(tables, rng))
        records = recorder.update()
        if not records:
            tables.next_round()
            recorder.update()
    assert records[0].round == 1
    records[0].verify()


@pytest.fixture(scope="module")
def line():
    records, _ = played("single_sar", {"change_trump": True, "new_cards": 1}, episode="round")
    return record_line(max(records[:3], key=lambda record: len(record.rounds[0].moves)))


def change_round(**changes):
    def changed(data):
        data["rounds"][0] |= changes
        return data

    return changed


def last_card_again(data):
    tricks = data["rounds"][0]["tricks"]
    tricks[-1] += "  " + " ".join(tricks[-1].split()[-2:])
    return data


def wrong_card(data):
    tricks = data["rounds"][0]["tricks"]
    first = tricks[0].split()[1]
    tricks[0] = tricks[0].replace(first, tricks[1].split()[-1], 1)
    return data


DAMAGE = [
    (lambda data: data | {"version": 2}, "has version 2"),
    (lambda data: data | {"game": "singlesar"}, "no game is called 'singlesar'"),
    (lambda data: data | {"rules": {"pasing": True}}, "no option 'pasing'"),
    (lambda data: data | {"rules": {"passing": 3}}, "passing must be True or False"),
    (lambda data: data | {"rules": {"name": 1}}, "no option 'name'"),
    (lambda data: data | {"colour": 1}, "a record has no 'colour'"),
    (lambda data: data | {"seed": -1}, "seed must be from 0"),
    (lambda data: data | {"table": True}, "table must be a whole number"),
    (lambda data: data | {"agents": ["a"]}, "agents must be four names"),
    (lambda data: data | {"agents": ["\ud800"] * 4}, "agents have a letter that is none"),
    (lambda data: data | {"rounds": []}, "rounds must have one at least"),
    (lambda data: data | {"rounds": [7]}, "round 1 must be an object"),
    (lambda data: data | {"rounds": data["rounds"] * 2}, "round 2"),
    (lambda data: data | {"start": {"points": [1]}}, "points must be 2 counts"),
    (lambda data: data | {"start": {"points": [2, 0]}}, "the record says"),
    (lambda data: data | {"start": {"points": [3, 40_000]}}, "must be 2 counts from 0 to"),
    (lambda data: data | {"start": {"points": [3, 10]}}, "was won before it"),
    (lambda data: data | {"start": {"streak": [1, 1]}}, "not both"),
    (lambda data: data | {"start": {"streak": [7, 0]}}, "streak must be 2 counts from 0 to 6"),
    (
        lambda data: data | {"rules": {"scoring": "kots"}, "start": {"points": [32767, 0]}},
        "points must be 2 counts from 0 to 16383",
    ),
    (lambda data: [data], "a record must be an object"),
    (lambda data: {"version": 1}, "game is missing"),
    (lambda data: data | {"layout": 99}, "the record's views have layout 99; this rungenv knows"),
    (lambda data: data | {"layout": 0}, "layout 0; this rungenv knows"),
    (lambda data: {key: data[key] for key in data if key != "layout"}, "layout is missing"),
    (lambda data: data | {"start": {"new_cards_left": [9] * 4}}, "new_cards_left must be at most"),
    (change_round(dealer=4), "dealer must be from 0 to 3"),
    (change_round(dealer="3"), "dealer must be a whole number"),
    (change_round(deals=[["AS"] * 4]), "seat 0 is dealt 1 cards"),
    (change_round(deals=[["AS " * 13] * 4]), "round 1: more than once: AS"),
    (change_round(deals=["AS"]), "a deal must be the cards of four seats"),
    (change_round(hands=["S A"] * 4), "hands are not those of the last deal"),
    (change_round(opening="1"), "moves are written as"),
    (change_round(opening="1 CAL_S"), "nearest: CALL_S"),
    (change_round(opening="0 PASS  0 PASS"), "round 1, move"),
    (change_round(tricks=["0 AS", "1 AC"]), "tricks must have four cards each"),
    (change_round(tricks=[]), "the record says"),
    (change_round(result={"winner": 0}), "the record says {'winner': 0}, but it is {"),
    (last_card_again, "round 1"),
    (wrong_card, "is not legal; legal:"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE)
def test_what_is_wrong_with_a_record_is_said(line, damage, message, tmp_path):
    bad = json.dumps(damage(json.loads(line)))
    file = tmp_path / "games.jsonl"
    file.write_text(f"{line}\n\n{bad}\n{line}\n", encoding="utf-8")
    reading = read_records(file)
    assert reading.lines == [1, 4]
    (fault,) = reading.faults
    assert fault.line == 3
    assert message in fault.reason
    assert str(fault) == f"line 3: {fault.reason}"


@settings(max_examples=50)
@given(data=st.data())
def test_a_damaged_line_costs_no_other(line, data):
    raw = line.encode()
    at = data.draw(st.integers(0, len(raw) - 1))
    cut = data.draw(st.integers(at, len(raw)))
    damaged = raw[:at] + data.draw(st.binary(max_size=4)).replace(b"\n", b"") + raw[cut:]
    try:
        record = parse_record(damaged.decode())
        record.verify()
    except ValueError:
        return
    assert parse_record(record_line(record)) == record  # it was not damaged after all


NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from(["0 NEW_CARDS  " * 50, "2C", "KOT", [127, 127], [100] * 4, 2**63 - 1]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=100)
@given(data=st.data())
def test_whatever_stands_in_a_record_its_fault_is_said(line, data):
    """Something else, in any place of it: ValueError, and nothing but that."""
    changed = json.loads(line)
    inside, key = None, None
    part = changed
    while isinstance(part, dict | list) and part and data.draw(st.integers(0, 4)):
        inside = part
        key = data.draw(st.sampled_from(list(part) if type(part) is dict else range(len(part))))
        part = part[key]
    if inside is not None:
        inside[key] = data.draw(NONSENSE)
    try:
        parse_record(json.dumps(changed)).verify()
    except ValueError:
        return


def test_files_survive(line, tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    record = parse_record(line)
    write_records(file, [record])
    file.write_bytes(file.read_bytes() + b'{"version": 1, "ga')  # cut short by a crash
    append_records(file, [record, record])
    reading = read_records(file)
    assert reading.records == [record] * 3
    assert [fault.line for fault in reading.faults] == [2]

    def failing():
        yield record
        raise RuntimeError("no more")

    before = file.read_bytes()
    with pytest.raises(RuntimeError):
        write_records(file, failing())
    with pytest.raises(RuntimeError):
        append_records(file, failing())
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    write_records(file, [])
    assert read_records(file).records == []
    append_records(tmp_path / "new.jsonl", [record])
    assert read_records(tmp_path / "new.jsonl").records == [record]


def test_a_file_need_not_be_verified(line, tmp_path):
    file = tmp_path / "games.jsonl"
    wrong = json.loads(line)
    wrong["rounds"][0]["result"] = {"winner": 0}
    file.write_text(json.dumps(wrong), encoding="utf-8")
    assert len(read_records(file, verify=False).records) == 1


def answer(monkeypatch, *lines):
    """Answer with lines, then with the end of the input; returns the prompts."""
    answers, prompts = iter(lines), []

    def read(prompt):
        prompts.append(prompt)
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    return prompts


def test_replay_shows_the_whole_game_to_a_pipe(tmp_path, capsys, monkeypatch):
    [record, *_], _ = played("mendikot_band", {}, episode="round")
    file = tmp_path / "games.jsonl"
    write_records(file, [record])
    answer(monkeypatch)
    assert cli.main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.count("mendikot band, round 1") == len(record.rounds[0].moves) + 1
    assert "greedy and Ünal ♠ win the round" in out or "random" in out


def test_replay_steps(tmp_path, capsys, monkeypatch):
    records, _ = played("single_sar", {"points_target": 3})
    names = ("somewhere/long/mine.safetensors", "runs/single_sar:temperature=1", "greedy", "expert")
    record = records[-1] = dataclasses.replace(records[-1], agents=names)
    file = tmp_path / "games.jsonl"
    write_records(file, records)
    file.write_bytes(b"no record\n" + file.read_bytes())
    prompts = answer(monkeypatch, "", "b", "?", "r", "end", "", "q")
    code = cli.main(["replay", str(file), "--game", str(len(records))])
    printed = capsys.readouterr()
    assert code == 1
    assert "games.jsonl, line 1: no JSON" in printed.err
    assert "q: leave" in printed.out
    assert ["q: leave" in prompt for prompt in prompts] == [True] + [False] * 6
    assert "  mine\n" in printed.out
    assert "single_sar:tem" in printed.out
    assert "They win the match." in printed.out
    assert len(list(record.positions())) == sum(len(r.moves) + 1 for r in record.rounds)
    assert cli.main(["replay", str(file), "--game", "99"]) == 2
    assert "--game 99 is none" in capsys.readouterr().err
    assert cli.main(["replay", str(tmp_path / "none.jsonl")]) == 2


@pytest.mark.parametrize("names", [("a", "b"), "abcd", [1, 2, 3, 4], ["\ud800"] * 4])
def test_names_that_no_file_can_have_are_refused_at_once(line, names):
    tables = rungenv.deal(rungenv.variant("single_sar"), 1)
    for write in (
        lambda: rungenv.record_of(tables, 0, agents=names),
        lambda: rungenv.Recorder(tables, names),
        lambda: dataclasses.replace(parse_record(line), agents=names),
    ):
        with pytest.raises(ValueError, match=r"agents (must be four names|have a letter)"):
            write()


def test_records_compare_and_change(line):
    record = parse_record(line)
    other = dataclasses.replace(record, agents=("a", "b", "c", "d"))
    assert other != record
    assert parse_record(record_line(other)) == other
