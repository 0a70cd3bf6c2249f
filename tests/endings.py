"""Endings for tests: tables carried to their last tricks by random play."""

import numpy as np

import rungenv
from chances import random_actions
from rungenv import legal


def endings(rules, n, left, seed):
    """Up to n tables that have at most so many tricks to play, in mid-trick too, none over."""
    tables = rungenv.deal(rules, n, seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        moving = (tables.seat >= 0) & (tables.trick_number < 13 - left)
        if not moving.any():
            break
        rungenv.step(tables, random_actions(tables, rng), acting=moving)
    for size in range(3):
        rungenv.step(tables, random_actions(tables, rng), acting=tables.everyone % 4 > size)
    return tables.take(tables.seat >= 0)


def called_endings(n, cards, seed):
    """Single sar with so many cards in each hand, the trump called, and a trick about to be led.

    The tricks so far are shared out so that team 0 wins the round if it takes half of the rest.
    """
    tables = rungenv.deal(rungenv.variant("single_sar", call_any_suit=True), n, seed=seed)
    rng = np.random.default_rng(seed)
    rungenv.step(tables, rng.integers(52, 56, n))
    held = np.take_along_axis(tables.deal, rng.random((n, 4, 13)).argsort(axis=2), axis=2)
    tables.hands = rungenv.bits.union(held[:, :, :cards])
    tables.trick_number = 13 - cards
    tables.tricks = [(13 - cards + 1) // 2, (13 - cards) // 2]
    legal.refresh(tables)
    return tables
