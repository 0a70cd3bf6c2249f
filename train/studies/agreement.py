"""Where players differ: how often two of them would do the same, by what there is to decide."""

from collections.abc import Callable, Sequence

import numpy as np

from agents.base import Agent
from agents.hand import of_suit
from rungenv import Phase, Rules, View
from rungenv.chance import sealed_generator
from train.studies.habits import decisions


def _is_void(view: View) -> np.ndarray:
    return (view.hand & of_suit(view.led)) == 0


KINDS: dict[str, Callable[[View], np.ndarray]] = {
    "the trump": lambda view: view.phase < Phase.PLAY,
    "the first lead": lambda view: _leads(view) & (view.trick_number == 0),
    "later leads": lambda view: _leads(view) & (view.trick_number > 0),
    "following suit": lambda view: (view.led >= 0) & ~_is_void(view),
    "out of the suit led": lambda view: (view.led >= 0) & _is_void(view),
}
"""Kinds of decisions; each is of one of them."""


def _leads(view: View) -> np.ndarray:
    return (view.phase == Phase.PLAY) & (view.led < 0)


def agreement(
    rules: Rules, players: Sequence[Agent], at_home: Agent, n: int, seed: int
) -> dict[str, np.ndarray]:
    """Whether two players would do the same, in positions that `at_home` comes to in self-play.

    Returns for each of KINDS (k, k, m) bool for k players: m positions, one from each of n rounds
    that had such a decision, drawn by chance, so that they do not hang together. Forced decisions
    are left out; cards that are worth the same are still two.
    """
    found = decisions(rules, at_home, n, seed, lambda view: np.ones(len(view), np.bool_))
    rng = sealed_generator(seed, 1)
    shuffled = rng.permutation(len(found))
    result = {}
    for name, is_kind in KINDS.items():
        rows = shuffled[is_kind(found.view)[shuffled]]
        _, first = np.unique(found.table[rows], return_index=True)
        view = found.view.take(rows[first])
        answers = np.stack([player.act(view, rng) for player in players])
        result[name] = answers[:, None] == answers[None]
    return result
