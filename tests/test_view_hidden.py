"""No byte of a view depends on what its viewer cannot know.

From a position of a random game another world is made that its viewer cannot tell from the true
one: unknown cards are exchanged, and the order in which the others received theirs is changed, so
that the same public actions are still legal and bring about the same public facts (the reference
engine says so). Then the kernel plays both worlds, and the viewer's views must be the same bytes.
"""

import random

import numpy as np
import pytest

import rungenv
from mirror import plain_options
from reference import KEEP, NEW_CARDS, Table
from rungenv.view import View

GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"change_trump": True, "new_cards": 1}),
    ("hidden_rung", {"change_trump": True, "new_cards": (1, 0, 1, 0)}),
    ("hidden_rung", {"collects": "pile", "goal": "tens", "shown": "first_void"}),
    ("mendikot_band", {"passing": True, "new_cards": (0, 1, 0, 0)}),
]
POSITIONS, TRIES, DEALS = 30, 25, 5


class World:
    """The deals of a round, and what was done: a list of (number of the deal, seat, action)."""

    def __init__(self, rules, dealer, deals, past=()):
        self.rules, self.dealer = rules, dealer
        self.deals, self.past = [[list(hand) for hand in deal] for deal in deals], list(past)

    def copy(self):
        return World(self.rules, self.dealer, self.deals, self.past)

    def table(self):
        return Table(plain_options(self.rules), self.dealer, self.deals)

    def facts(self):
        """What all four players see after each action, or None if one of them is illegal."""
        table, facts = self.table(), []
        for _, _, action in self.past:
            if action not in table.legal():
                return None
            table.act(action)
            facts.append(public_facts(table))
        return facts

    def rename(self, number, one, other):
        """Exchange two cards of a deal wherever they are, also where one was laid."""
        names = {one: other, other: one}
        self.deals[number] = [
            [names.get(card, card) for card in hand] for hand in self.deals[number]
        ]
        self.past = [
            (deal, seat, names.get(action, action) if deal == number else action)
            for deal, seat, action in self.past
        ]


def public_facts(table):
    return (
        *(table.seat, table.phase, table.trump, table.turned_up, table.shown, table.asker),
        *(table.face_down is None, table.owner, table.owner_knows, table.caller, table.must_trump),
        *(table.trick, table.tricks, table.tens, table.pile, table.winner, table.kind),
        *(table.redeal, table.new_cards_left, table.played),
    )


def random_world(rules, rng):
    """A random game, broken off anywhere: in the opening as often as in the play."""
    deals = [
        [pack[i : i + 13] for i in (0, 13, 26, 39)]
        for pack in (shuffled(rng) for _ in range(DEALS))
    ]
    world = World(rules, rng.randrange(4), deals)
    table = world.table()
    length = rng.choice([rng.randrange(8), rng.randrange(60)])
    while len(world.past) < length and table.legal():
        action = rng.choice(table.legal())
        if action == NEW_CARDS and rng.random() < 0.5:
            action = KEEP
        world.past.append((table.redeal, table.seat, action))
        table.act(action)
    return world, table


def shuffled(rng):
    return rng.sample(range(52), 52)


def unknown_cards(world, table, viewer, number):
    """The cards of a deal whose places the viewer cannot know."""
    own = world.deals[number][viewer]
    if number > table.redeal:
        return set(range(52))
    if number < table.redeal:
        return set(range(52)) - set(own)
    known = set(own[:5] if table.phase in ("CALL", "PARTNER_CALL") else own)
    if table.owner == viewer and not table.owner_knows:
        known.discard(table.face_down)
    return set(range(52)) - known - set.union(*table.played) - {table.turned_up, table.shown}


def other_world(world, table, viewer, rng):
    """A world that the viewer cannot tell from this one, and the number of changes made."""
    facts, changes = world.facts(), 0
    for _ in range(TRIES):
        changed = world.copy()
        number = rng.choice([table.redeal, rng.randrange(DEALS)])
        if rng.random() < 0.7:
            unknown = sorted(unknown_cards(world, table, viewer, number))
            if len(unknown) < 2:
                continue
            changed.rename(number, *rng.sample(unknown, 2))
        else:
            hand = changed.deals[number][(viewer + rng.randrange(1, 4)) % 4]
            one, other = rng.sample(range(13), 2)
            hand[one], hand[other] = hand[other], hand[one]
        if changed.facts() == facts:
            world, changes = changed, changes + 1
    return world, changes


def kernel_tables(worlds):
    """These worlds, which are equally long, as tables of the kernel."""
    first = worlds[0]
    tables = rungenv.deal_hands(
        first.rules,
        [world.deals[0] for world in worlds],
        first.dealer,
        redeals=[world.deals[1:] for world in worlds],
    )
    for actions in zip(*(world.past for world in worlds), strict=True):
        rungenv.step(tables, [action for _, _, action in actions])
    return tables


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_views_are_the_same_in_worlds_that_the_viewer_cannot_tell_apart(game, options):
    rules, rng = rungenv.variant(game, **options), random.Random(game)
    changes = []
    for _ in range(POSITIONS):
        world, table = random_world(rules, rng)
        for viewer in range(4):
            other, made = other_world(world, table, viewer, rng)
            changes.append(made)
            view = rungenv.observe(kernel_tables([world, other]), viewer)
            for name in View.__annotations__:
                true, false = (name, name) if name == "rules" else getattr(view, name)
                assert np.array_equal(true, false), (
                    name,
                    viewer,
                    world.past,
                    world.deals,
                    other.deals,
                )
            true, false = view.dense()
            assert np.array_equal(true, false)
    assert np.mean(changes) > 3  # the worlds do differ


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_views_do_not_read_the_deal_or_the_seed(game, options):
    rules = rungenv.variant(game, **options)
    tables = rungenv.deal(rules, 32, seed=1)
    for _ in range(20):
        rungenv.step(tables, [int(np.flatnonzero(mask)[0]) for mask in tables.legal_mask()])
    view = rungenv.observe(tables)
    for column in ("deal", "seed", "table", "round"):
        getattr(tables, column)[...] += 1
    again = rungenv.observe(tables)
    assert np.array_equal(view.dense(), again.dense())
    assert np.array_equal(view.history, again.history)
