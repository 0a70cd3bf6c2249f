"""Bad input is refused with words that say what is wrong and what is right, and changes nothing."""

import json

import numpy as np
import pytest

import rungenv
from rungenv import Tables, deal, deal_hands, observe, snapshot, step, variant
from rungenv.bits import choose
from rungenv.layout import PARTS
from rungenv.rules import nearest
from rungenv.sealed import seal, unseal
from rungenv.table import Table

RULES = variant("single_sar", new_cards=2)
HANDS = deal(variant("single_sar"), 4, seed=4).deal
TWICE = np.zeros((2, 4, 13), int)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: deal(RULES, True), "n must be a whole number from 0 to .*, not True"),
        (lambda: deal(RULES, -1), "n must be a whole number from 0 to .*, not -1"),
        (lambda: deal(RULES, 2, seed=-1), "seed must be from 0 to .*, not -1"),
        (lambda: deal(RULES, 2, seed=2**64), "seed must be from 0"),
        (lambda: deal(RULES, 2, seed=1.5), "seed must be an int or 2 of them"),
        (lambda: deal(RULES, 2, seed=[1, 2, 3]), r"or 2 of them, not \[1, 2, 3\]"),
        (lambda: deal(RULES, 2, dealer=4), "dealer must be from 0 to 3, not 4"),
        (lambda: deal("single_sar", 2), "rules must be Rules"),
        (lambda: deal_hands(RULES, HANDS, 0), "redeals=.*or a seed"),
        (lambda: deal_hands(RULES, [[1, 2], [3]], 0, seed=1), "hands.*uneven"),
        (lambda: deal_hands(RULES, HANDS[0], 0, seed=1), r"hands must have shape \(n, 4, 13\)"),
        (lambda: deal_hands(RULES, HANDS.astype(float), 0, seed=1), "hands must be card numbers"),
        (lambda: deal_hands(RULES, HANDS + 1, 0, seed=1), "hands, table 0: 52 is no card"),
        (lambda: deal_hands(RULES, TWICE, 0, seed=1), "table 0: more than once: 2C; missing: 3C"),
        (lambda: deal_hands(RULES, HANDS, 0, redeals=HANDS[:, :0]), "redeals must have shape"),
        (lambda: deal_hands(RULES, HANDS[:2], 0, redeals=TWICE[:, None]), "redeals 0, table 0"),
        (lambda: observe(deal(RULES, 2), 5), "seats must be from 0 to 3, not 5"),
        (lambda: observe(deal(RULES, 2)).dense("hand"), "names must be a sequence"),
        (lambda: observe(deal(RULES, 2)).dense(["hnd"]), "no field is called 'hnd'; nearest: hand"),
        (lambda: observe(deal(RULES, 2)).dense(["led", "led"]), "the field 'led' is there twice"),
        (lambda: observe(deal(RULES, 2)).dense(5), "a sequence of fields, not 5"),
        (lambda: observe(deal(RULES, 2)).dense([["hand"]]), r"no field is called \['hand'\]"),
        (lambda: observe(deal(RULES, 2)).dense(out=np.zeros((2, 3))), "out must be"),
        (lambda: Table(deal(RULES, 2)), "made from Tables of one table"),
        (lambda: Table(deal(RULES, 1)).dense(-1), "seat must be a whole number from 0 to 3"),
        (lambda: rungenv.card_name(-1), "-1 is no card"),
        (lambda: deal_hands(RULES, HANDS, 0, first_table="x", redeals=HANDS[:, None]), "first_tab"),
        (lambda: rungenv.parse_card(51), "a card's name must be text, as AS or TH, not 51"),
        (lambda: rungenv.parse_card("1S"), "no card is called '1S'"),
        (lambda: rungenv.parse_action("CALL_X"), "no action is called 'CALL_X'.*nearest"),
        (lambda: deal(RULES, 2).next_round([0]), "table 0: its round is not over"),
        (lambda: deal(RULES, 2).new_match([0, 0]), "rows must be distinct"),
        (lambda: deal(RULES, 2).new_match([2]), "rows must be distinct and from 0 to 1"),
        (lambda: deal_hands(variant("be_ranga"), HANDS, 0).new_match(), "without a seed"),
    ],
)
def test_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("mendikott", rungenv.VARIANTS, "; nearest: mendikot, mendikot_band"),
        ("chess", ("a", "b"), "; known: a, b"),
        ("xyzzy", tuple(PARTS), ""),
        (3, ("dealer",), "; known: dealer"),
    ],
)
def test_a_hint_names_what_is_near_or_all_of_a_few(name, known, hint):
    assert nearest(name, known) == hint


@pytest.mark.parametrize(
    "actions",
    [[0], [0, 0, 0], [0.5, 0.5], [-1, 57], [61, 57], [2**63, 57], [[0, 0]], ["PASS", "PASS"]],
    ids=str,
)
def test_actions_that_are_none_change_no_table(actions):
    tables = deal(RULES, 2, seed=0)
    before = tables.save_state()
    with pytest.raises(ValueError, match=r"actions must|is not legal"):
        step(tables, actions)
    assert tables.save_state() == before


def test_putting_in_other_tables_is_all_or_nothing():
    ours = deal_hands(RULES, HANDS[:2], 0, seed=5)
    theirs = deal_hands(RULES, HANDS[2:], 0, redeals=HANDS[:2, None])
    before = ours.save_state()
    for tables, rows in ((theirs, [0]), (ours.copy(), [0]), (deal(RULES, 1), [0, 1])):
        with pytest.raises(ValueError, match="to put in"):
            ours.put(np.array(rows), tables)
        assert ours.save_state() == before
    with pytest.raises(ValueError, match="other rules"):
        ours.put(np.array([0]), deal(variant("single_sar"), 1))
    loaded = Tables.load_state(theirs.save_state())
    loaded.put(np.array([1]), theirs.take([0]))
    assert loaded.take([1]).save_state() == theirs.take([0]).save_state()


def resealed(change) -> bytes:
    """Saved tables whose header was changed, with a checksum that fits."""
    data = deal(RULES, 3, seed=1).save_state()
    body = unseal(snapshot._MAGIC, data, "saved tables")
    size = int.from_bytes(body[:4], "little")
    header = json.loads(body[4 : 4 + size])
    change(header)
    return sealed(json.dumps(header).encode(), body[4 + size :])


def sealed(head: bytes, rest: bytes) -> bytes:
    """Such a header, and what follows it, as saved tables whose checksum fits."""
    body = len(head).to_bytes(4, "little") + head + rest
    return seal(snapshot._MAGIC, body)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda header: header.update(version=3), "version 3; this rungenv reads 2"),
        (lambda header: header.clear(), "not as save_state writes"),
        (lambda header: header["rules"].update(speed=1), "save_state writes them.*speed"),
        (lambda header: header["arrays"].pop("history"), "other columns"),
        (lambda header: header["arrays"].update(pocket=["|i1", [0]]), "other columns than"),
        (lambda header: header["arrays"].update(seat=["|i1", [2]]), "saved tables"),
        (lambda header: header["arrays"].update(deal=["|i1", [2**70]]), "there is less"),
        (lambda header: header["arrays"].update(deal=["|i1", [10**13, 0]]), "tables have other"),
        (lambda header: header["arrays"].update(redeals=["<f8", [0]]), "redeals are"),
        (lambda header: header["arrays"].update(redeals=["|i1", [3, 0, 4]]), "redeals are .* int8"),
    ],
)
def test_a_foreign_header_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        Tables.load_state(resealed(change))


@pytest.mark.parametrize("head", [b"[" * 100_000, b"[]", b"7", b'"\xff"', b"{", b""])
def test_a_header_that_is_none_is_refused(head):
    with pytest.raises(ValueError, match="saved tables"):
        Tables.load_state(sealed(head, b""))


def test_damaged_saved_tables_are_refused():
    data = deal(RULES, 3, seed=1).save_state()
    assert Tables.load_state(data).save_state() == data
    for damaged in (data[:-1], data + b"x", data[:200] + b"?" + data[201:], b"", b"x", "text"):
        with pytest.raises(ValueError, match="saved tables"):
            Tables.load_state(damaged)


def test_what_is_dealt_does_not_depend_on_what_was_played():
    calm = deal(variant("single_sar", new_cards=9), 64, seed=1)
    busy = calm.copy()
    rng = np.random.default_rng(0)
    for _ in range(40):
        step(busy, choose(busy.legal_set, rng.random(64)))
    assert busy.redeal.any()
    calm.new_match()
    busy.new_match()
    assert (calm.deal == busy.deal).all()
    assert (calm.dealer == busy.dealer).all()
