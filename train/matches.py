"""Training for the match, not for the deal: where in a match rounds begin, and what they change.

Rounds are played at the scores that matches come to, and what a round pays is how it changed the
chance to win the match. The same points then count for much or for little, as they do in a match;
that the policy may know it, it reads the totals.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from torch import nn

from agents.encoding import Encoding
from agents.layers import InputLayer
from agents.match_chances import match_chances, round_results
from rungenv.dealing import start_streams
from rungenv.layout import FIELDS
from rungenv.match import settle
from rungenv.rules import Rules
from rungenv.tables import Tables
from train.settings import totals_for

_MATCHES = 1024


@cache
def standings_met(rules: Rules) -> Tables:
    """Where the rounds of many matches begin: tables between two rounds, or before the first.

    Rounds end as often in each way as when greedy agents play them (`agents.match_chances`), and
    the kernel's own `settle` says what follows. In later rounds any number of the fresh deals that
    the rules allow may be used up (R10.2).
    """
    rng = np.random.default_rng(0)
    rates = round_results(rules)
    tables = Tables(rules, _MATCHES)
    tables.next_dealer[:] = rng.integers(4, size=_MATCHES)
    tables.new_cards_left[:] = rules.new_cards
    met = [tables.copy()]
    while len(tables):
        ends = rng.choice(rates.size, size=len(tables), p=rates.ravel())
        others_won, tables.kind[:] = np.divmod(ends, rates.shape[1])
        tables.dealer[:] = tables.next_dealer
        tables.winner[:] = tables.dealer & 1 ^ 1 ^ others_won
        settle(tables, tables.everyone)
        tables = tables.take(tables.match_winner < 0)
        most = np.tile(rules.new_cards, (len(tables), 1))
        tables.new_cards_left[:] = rng.integers(most, endpoint=True)
        met.append(tables.copy())
    return _joined(rules, met)


def draw_standings(rules: Rules, n: int, rng: np.random.Generator) -> Tables:
    """Where n tables stand in their matches, drawn from those that matches come to."""
    met = standings_met(rules)
    return met.take(rng.integers(len(met), size=n))


def begin(standings: Tables, seed: int, first_table: int) -> Tables:
    """Tables that are dealt their next round where they stand, from the deals of the seed."""
    tables = standings.copy()
    numbers = first_table + np.arange(len(tables))
    start_streams(tables, np.full(len(tables), seed), numbers)
    tables.next_round()
    return tables


def gains(standings: Tables, ended: Tables) -> np.ndarray:
    """By how much a round changed team 0's chance to win the match: (n,) float32.

    In points: a whole match is worth as many as win it, so that what is learnt is of the size that
    settings for deals are made for.
    """
    change = match_chances(ended) - match_chances(standings)
    return (ended.rules.target * change).astype(np.float32)


@torch.no_grad()
def attend_to_totals(network: nn.Module, encoding: Encoding, games: Sequence[Rules]) -> None:
    """Begin with larger weights for the totals, as if scaled by the target, of several games the
    highest, and not by the most that a view can show: else a network would hardly hear of them.
    """
    rules = max(games, key=lambda rules: rules.target)
    score = totals_for(rules)[0]
    for layer in network.modules():
        if isinstance(layer, InputLayer) and score in encoding.fields:
            layer.weight[:, encoding.columns_of(score)] *= FIELDS[score].high / rules.target


def _joined(rules: Rules, parts: Sequence[Tables]) -> Tables:
    joined = Tables(rules, sum(map(len, parts)))
    start = 0
    for part in parts:
        joined.put(slice(start, start + len(part)), part)
        start += len(part)
    return joined
