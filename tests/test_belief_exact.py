"""Worlds leave nothing out, and each is as likely as another: against counts made in other ways."""

import itertools

import numpy as np
import pytest

import rungenv
from chances import assert_as_likely, random_actions
from rungenv.belief import worlds
from rungenv.bits import members
from rungenv.cards import LANE
from rungenv.evidence import Evidence
from rungenv.table import Table

# Against a count of everything, on endings.


def every_world(table, view):
    """All worlds of a late view and their weights: {(hands, card face down): weight}.

    Every way to share out what the viewer has not seen is tried: those remain that can be played
    to the same view. The weight is in how many ways the five first cards of the caller, or the
    owner of the face-down card, permit what was done with them.
    """
    viewer = int(view.seat[0])
    unseen = members(view.unseen[0])
    slots = [
        seat for seat in range(4) for _ in range(int(table.hands[0, seat]).bit_count())
        if seat != viewer
    ]  # fmt: skip
    hidden = table.face_down[0] >= 0 and view.my_face_down[0] < 0
    slots += [4] * int(hidden)
    assert len(slots) == len(unseen)
    found = {}
    for owners in set(itertools.permutations(slots)):
        hands = [int(table.hands[0, seat]) if seat == viewer else 0 for seat in range(4)]
        down = int(view.my_face_down[0])
        for card, owner in zip(unseen, owners, strict=True):
            if owner == 4:
                down = card
            else:
                hands[owner] |= 1 << card
        weight = weight_of(table, view, hands, down)
        if weight:
            found[(*hands, down)] = weight
    return found


def weight_of(table, view, hands, down):
    """0 if these hands cannot be played to the view."""
    viewer = int(view.seat[0])
    dealt = [hands[seat] | int(table.played[0, seat]) for seat in range(4)]
    owner, caller = int(table.owner[0]), int(table.caller[0])
    if down >= 0:
        dealt[owner] |= 1 << down
    card = down if down >= 0 else int(table.shown[0])
    deal = [[c for c in range(52) if dealt[seat] >> c & 1] for seat in range(4)]
    ways = 1
    if table.rules.trump == "called" and not table.timed_out[0] and caller != viewer:
        called = int(table.history[0, 1 if table.passed[0] else 0] & 63) - 52
        if not table.rules.call_any_suit:
            fives = itertools.combinations(deal[caller], 5)
            ways = sum(any(c // 13 == called for c in five) for five in fives)
        deal[caller].sort(key=lambda c: c // 13 != called)
    elif table.timed_out[0]:
        place = 0 if table.rules.trump == "hidden" and not table.rules.passing else 5
        first = int(table.turned_up[0]) if table.turned_up[0] >= 0 else card
        seat = (int(table.dealer[0]) + 1) % 4
        if first not in deal[seat]:
            return 0
        deal[seat].remove(first)
        deal[seat].insert(place, first)
    elif card >= 0:
        if card not in deal[owner]:
            return 0
        deal[owner].sort(key=lambda c: c != card)
    own = int(view.first_five[0])
    if viewer not in (owner, caller):
        deal[viewer].sort(key=lambda c: not own >> c & 1)
    else:
        deal[viewer] = table.deal[0, viewer].tolist()
    actions = [int(entry) & 63 for entry in table.history[0, : table.length[0]]]
    if actions[0] < 52 and table.rules.trump == "hidden" and owner != viewer:
        actions[0] = card
    elif table.passed[0] and actions[1] < 52 and table.rules.trump == "hidden" and owner != viewer:
        actions[1] = card
    game = Table(rungenv.deal_hands(table.rules, [deal], table.dealer))
    try:
        for action in actions:
            game.step(action)
    except rungenv.IllegalAction:
        return 0
    again = rungenv.observe(game.tables, viewer)
    same = np.array_equal(view.sets, again.sets) and np.array_equal(view.smalls, again.smalls)
    return ways if same and np.array_equal(view.history, again.history) else 0


def late_positions(tables, wanted, turn, most, count):
    """Positions of random games, and seats that have not seen a few cards then.

    turn: who is to act, relative to such a seat, -1 when the round is over.
    """
    rng = np.random.default_rng(3)
    found = []
    for _ in range(56):
        seats = seats_before(tables, turn)
        view = rungenv.observe(tables, seats)
        few = np.bitwise_count(view.unseen)
        fits = (view.turn == turn) & (few <= most) & (few > 2) & wanted(tables, view)
        found += [(tables.take([row]), int(seats[row])) for row in np.flatnonzero(fits)[:1]]
        if len(found) >= count:
            break
        rungenv.step(tables, random_actions(tables, rng))
    return found


def seats_before(tables, turn):
    """The seats from which the one to act is `turn` away; any where none is."""
    return np.where(tables.seat >= 0, tables.seat - turn, np.arange(len(tables))) & 3


def even_deals(rules, n, rng):
    """Tables at which everyone has three or four cards of each suit, so that voids come late."""
    shares = rng.permuted(np.tile(np.repeat(np.arange(4), 3), (n, 4, 1)), axis=2)
    longest = np.tile(np.arange(4), (n, 1))[:, :, None]
    holder = np.concatenate([shares, longest], axis=2).reshape(n, 52)
    deals = np.argsort(holder, axis=1, kind="stable").reshape(n, 4, 13)
    return rungenv.deal_hands(rules, rng.permuted(deals, axis=2), rng.integers(0, 4, n))


def forgotten(view, seat):
    """Whether the showing proved a seat void in its suit, `View.voids` lacks it, and it matters."""
    rows, suit = np.arange(len(view)), view.shown // 13 & 3
    evidence = Evidence(view)
    proved = evidence.void[seat, suit, rows] & (view.voids[rows, seat] >> suit & 1 == 0)
    return proved & (seat > 0) & (evidence.unknown & LANE[suit] > 0) & (view.shown >= 0)


WANTED = {
    "void": lambda tables, view: (view.voids[:, 1:] > 0).any(axis=1),
    "called by another": lambda tables, view: (view.caller > 0) & (tables.timed_out == 0),
    "turned up": lambda tables, view: (view.turned_up >= 0) & (view.caller > 0),
    "face down": lambda tables, view: (view.is_down == 1) & (view.my_face_down < 0),
    "face down, void": lambda tables, view: (
        (view.is_down == 1) & (view.my_face_down < 0)
        & (np.take_along_axis(view.voids, view.owner[:, None] & 3, axis=1)[:, 0] > 0)
    ),
    "shown, to the owner's next": lambda tables, view: (view.shown >= 0) & (view.owner > 0),
    "asked by another": lambda tables, view: (view.asker > 0) & (view.asker != view.owner),
    "asked by the owner": lambda tables, view: (view.asker > 0) & (view.asker == view.owner),
    "void before it was shown": lambda tables, view: forgotten(view, view.owner),
    "asked for nothing": lambda tables, view: forgotten(view, view.asker),
    "unseen by its owner": lambda tables, view: (view.is_down == 1) & (view.owner_knows == 0),
}  # fmt: skip
WANTED["can follow"] = lambda tables, view: (view.is_down == 1) & (view.led >= 0)
WANTED["has asked"] = lambda tables, view: (view.must_trump == 1) & (view.led >= 0)
WANTED["about to show"] = lambda tables, view: (view.must_trump == 1) & (view.led < 0)
WANTED["never shown"] = lambda tables, view: (view.shown >= 0) & (view.asker < 0) & (view.owner > 0)
WANTED["anything"] = lambda tables, view: view.trick_number > 0
LATE = [
    ("single_sar", "void"),
    ("single_sar", "called by another"),
    ("double_sar", "turned up"),
    ("be_ranga", "void"),
    ("mendikot", "void"),
    ("hidden_rung", "face down"),
    ("hidden_rung", "face down, void"),
    ("hidden_rung", "shown, to the owner's next"),
    ("hidden_rung", "asked by another"),
    ("hidden_rung", "asked by the owner"),
    ("hidden_rung", "void before it was shown"),
    ("hidden_rung", "asked for nothing"),
    ("hidden_rung", "unseen by its owner"),
    ("mendikot_band", "shown, to the owner's next"),
    ("mendikot_band", "asked by another"),
    ("mendikot_band", "asked by the owner"),
    ("mendikot_band", "asked for nothing"),
]
LATE = [(game, what, 0) for game, what in LATE] + [
    ("single_sar", "called by another", 2),
    ("single_sar", "called by another", -1),
    ("double_sar", "turned up", 3),
    ("double_sar", "void", -1),
    ("be_ranga", "void", 1),
    ("mendikot", "void", -1),
    ("hidden_rung", "face down, void", 1),
    ("hidden_rung", "has asked", 1),
    ("hidden_rung", "has asked", 3),
    ("hidden_rung", "about to show", 2),
    ("hidden_rung", "never shown", -1),
    ("hidden_rung", "void before it was shown", -1),
    ("mendikot_band", "can follow", 1),
    ("mendikot_band", "can follow", 2),
    ("mendikot_band", "can follow", 3),
    ("mendikot_band", "has asked", 1),
    ("mendikot_band", "has asked", 2),
    ("mendikot_band", "asked for nothing", -1),
]


LATE = [(game, {}, what, turn) for game, what, turn in LATE] + [
    ("double_sar", {"trump": "hidden"}, "face down", 1),
    ("double_sar", {"trump": "hidden", "shown": "first_void"}, "asked for nothing", 0),
    ("hidden_rung", {"shown": "first_void"}, "asked by another", 1),
    ("mendikot_band", {"collects": "pile"}, "asked for nothing", 0),
    ("mendikot_band", {"shown": "on_demand"}, "has asked", 0),
    ("mendikot", {"trump": "called", "passing": False}, "turned up", 3),
    ("single_sar", {"call_any_suit": True}, "called by another", -1),
]


@pytest.mark.parametrize(("game", "options", "what", "turn"), LATE)
def test_each_world_of_an_ending_is_as_likely_as_another(game, options, what, turn):
    rng = np.random.default_rng(0)
    if what in ("can follow", "has asked"):
        play_out = {"play_out": True} if game == "mendikot_band" else {}
        tables = even_deals(rungenv.variant(game, **options, **play_out), 1500, rng)
    else:
        tables = rungenv.deal(rungenv.variant(game, **options), 1500, seed=3)
    positions = late_positions(tables, WANTED[what], turn, most=6, count=2)
    assert positions
    for table, seat in positions:
        view = rungenv.observe(table, seat)
        expected = every_world(table, view)
        assert len(expected) > 1
        drawn = worlds(view, 30 * len(expected) + 500, rng)
        seen = dict.fromkeys(expected, 0)
        hands, down = drawn.hands.tolist(), drawn.face_down.tolist()
        for four, card in zip(hands, down, strict=True):
            seen[(*four, card)] += 1  # a KeyError is a world that cannot be
        assert_as_likely(np.array(list(seen.values())), np.array(list(expected.values()), float))


# Against deals that are thrown away when they do not fit, in the midst of a round.


@pytest.mark.parametrize(
    ("game", "cards_played", "what", "turn"),
    [
        ("single_sar", 0, "called by another", 0),
        ("single_sar", 6, "called by another", 3),
        ("hidden_rung", 5, "face down", 0),
        ("be_ranga", 6, "void", 0),
        ("mendikot_band", 7, "shown, to the owner's next", 0),
        ("mendikot_band", 6, "can follow", 1),
    ],
)
def test_cards_are_where_they_would_be_in_deals_that_were_not_thrown_away(
    game, cards_played, what, turn
):
    """Who holds each card, and who received it among the first five: the same shares of deals."""
    rng = np.random.default_rng(5)
    rules = rungenv.variant(game)
    table = middle_position(rules, cards_played, WANTED[what], turn)
    viewer, n = int(seats_before(table, turn)[0]), 60_000
    view = rungenv.observe(table, viewer)
    deals = np.full((n, 4, 13), -1, np.int8)
    deals[:, viewer] = table.deal[0, viewer]
    held = {seat: table.played[0, seat] for seat in range(4) if seat != viewer}
    gone = [[c for c in range(52) if int(held[seat]) >> c & 1] for seat in held]
    rest = np.setdiff1d(np.arange(52), np.concatenate([deals[0, viewer], *gone]))
    rest = rng.permuted(np.tile(rest, (n, 1)), axis=1)
    for seat, cards_gone in zip(held, gone, strict=True):
        more, rest = np.split(rest, [13 - len(cards_gone)], axis=1)
        hand = np.concatenate([np.tile(cards_gone, (n, 1)), more], axis=1)
        deals[:, seat] = rng.permuted(hand, axis=1)
    kept = fitting(rules, table, view, deals, rng)
    assert len(kept) > 300
    drawn = worlds(view, 40_000, rng)
    for some in (lambda deal: deal, lambda deal: deal[:, :, :5]):
        shares = [
            (some(deal)[:, :, :, None] == np.arange(52)).any(axis=2).mean(axis=0)
            for deal in (kept, drawn.deal)
        ]
        mean = (shares[0] * len(kept) + shares[1] * 40_000) / (len(kept) + 40_000)
        deviation = np.sqrt(mean * (1 - mean) * (1 / len(kept) + 1 / 40_000)) + 1e-9
        assert (np.abs(shares[0] - shares[1]) < 5 * deviation).all()


def middle_position(rules, cards_played, wanted, turn):
    """The first of many random tables with so many cards played, and what is wanted."""
    rng = np.random.default_rng(1)
    tables = rungenv.deal(rules, 3000, seed=1)
    while True:
        view = rungenv.observe(tables, seats_before(tables, turn))
        played = np.bitwise_count(tables.played).sum(axis=1)
        fits = wanted(tables, view) & (played == cards_played) & (tables.timed_out == 0)
        fits &= tables.phase == rungenv.Phase.PLAY
        if fits.any():
            return tables.take(np.flatnonzero(fits)[:1])
        assert played.min() <= cards_played
        rungenv.step(tables, random_actions(tables, rng))


def fitting(rules, table, view, deals, rng):
    """Those of many deals in which the same could be done, to the same view."""
    viewer = int(view.seat[0])
    tables = rungenv.deal_hands(rules, deals, table.dealer[0])
    for place in range(table.length[0]):
        seat, action = int(table.history[0, place]) >> 6, int(table.history[0, place]) & 63
        actions = np.full(len(tables), action)
        if action < 52 and tables.phase[0] < rungenv.Phase.PLAY and seat != viewer:
            if table.shown[0] >= 0:
                actions[:] = table.shown[0]
            else:  # any of the five
                five = tables.deal[:, seat, :5]
                actions = five[np.arange(len(five)), rng.integers(0, 5, len(five))]
        legal = tables.legal_set >> actions.astype(np.uint64) & np.uint64(1) > 0
        tables, actions = tables.take(legal), actions[legal]
        rungenv.step(tables, actions)
        public = (tables.face_down >= 0) == (view.is_down[0] == 1)
        if place == table.length[0] - 1:
            tables = tables.take(public & (tables.seat == table.seat))
    again = rungenv.observe(tables, viewer)
    same = (again.smalls == view.smalls).all(axis=0) & (again.sets == view.sets).all(axis=0)
    return tables.deal[same]
