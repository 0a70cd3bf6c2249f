"""In how many ways fixed endings can be played out: kernel, reference, and the numbers known."""

import random

import numpy as np
import pytest

import rungenv
from reference import GAMES, Table, count_playouts, deal_from_pack

ENDINGS = [
    ("single_sar", 37, 2, 16),
    ("single_sar", 14, 3, 576),
    ("single_sar", 11, 3, 1056),
    ("double_sar", 19, 2, 16),
    ("double_sar", 9, 3, 648),
    ("double_sar", 18, 3, 704),
    ("hidden_rung", 166, 2, 48),  # the trump still lies face down
    ("hidden_rung", 35, 3, 1368),
    ("hidden_rung", 46, 3, 1928),
    ("be_ranga", 6, 2, 16),
    ("be_ranga", 5, 3, 354),
    ("be_ranga", 18, 3, 1008),
    ("mendikot", 6, 2, 16),
    ("mendikot", 15, 3, 528),
    ("mendikot", 4, 3, 702),
    ("mendikot_band", 22, 2, 16),
    ("mendikot_band", 17, 3, 600),
    ("mendikot_band", 19, 3, 640),
]


def ending(game, seed, cards):
    """The position of a random game in which everyone is to have this many cards left."""
    rng = random.Random(seed)
    dealer = seed % 4
    deal = deal_from_pack(sorted(range(52), key=lambda _: rng.random()), dealer)
    table = Table(GAMES[game], dealer, [deal])
    while table.trick_number < 13 - cards and table.legal():
        legal = table.legal()
        table.act(legal[int(rng.random() * len(legal))])
    return table


def kernel_count(table):
    """The same position in the kernel, and every way on from it at once."""
    rules = rungenv.Rules(**table.options)
    tables = rungenv.deal_hands(rules, table.deals, table.dealer)
    for _, action in table.history:
        rungenv.step(tables, [action])
    ends = 0
    while len(tables):
        rows, actions = np.nonzero(tables.legal_mask())
        tables = tables.take(rows)
        rungenv.step(tables, actions)
        over = tables.seat < 0
        ends += int(over.sum())
        tables = tables.take(~over)
    return ends


@pytest.mark.parametrize(("game", "seed", "cards", "playouts"), ENDINGS)
def test_play_outs(game, seed, cards, playouts):
    table = ending(game, seed, cards)
    assert (table.phase, table.trick_number) == ("PLAY", 13 - cards)
    assert count_playouts(table) == playouts
    assert kernel_count(table) == playouts
