"""Rounds that an agent plays with itself, and how they end under these rules or those.

Two sets of rules are compared on the same deals: a table's cards depend on seed and table number
alone, whatever the rules. So a difference has an interval of its own, from the deals.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
import rungenv
from agents import zoo
from agents.base import Agent
from agents.rollouts import act_at
from rungenv import Kind, Rules, Tables
from rungenv.chance import sealed_generator
from rungenv.rules import Goal
from train.studies.estimate import Estimate, estimate

_BLOCK = 4096
"""Tables that are played side by side."""
_PAYS_MORE = (Kind.KOT, Kind.GOON_KOT, Kind.MENDIKOT, Kind.WHITEWASH)


@dataclass(frozen=True)
class Rounds:
    """How n rounds ended; arrays are (n,)."""

    rules: Rules
    callers_won: np.ndarray
    """bool: the eldest hand's team won (R5.1)."""
    kind: np.ndarray
    """int8, a `Kind`."""
    kot: np.ndarray
    """bool: won by a kot of either sort; in Mendikot by all four tens, or by all tricks."""
    tricks: np.ndarray
    """int64: tricks played before it was over."""
    worth: np.ndarray
    """int64: points that the callers were paid, less those of the others."""

    def __len__(self) -> int:
        return len(self.kind)


def play(rules: Rules, agent: Agent, n: int, seed: int) -> Rounds:
    """The first round of tables 0 to n - 1 of a seed, the agent on all seats."""
    blocks = (range(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))
    parts = [
        rounds_of(ended(rungenv.deal(rules, len(block), seed, first_table=block.start), agent))
        for block in blocks
    ]
    columns = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in dataclasses.fields(Rounds)
        if field.name != "rules"
    }
    return Rounds(rules, **columns)


def ended(tables: Tables, agent: Agent) -> Tables:
    """Play the rounds of these tables to their end, where they stand; returns the tables.

    What the agent leaves to chance hangs on the seed and the number of the first table.
    """
    rng = sealed_generator(int(tables.seed[0]), int(tables.table[0]))
    while (playing := tables.seat >= 0).any():
        act_at(tables, agent, playing, rng)
    return tables


def rounds_of(tables: Tables) -> Rounds:
    """How the rounds of tables ended, all of them over and each the first of its match."""
    others = tables.dealer & 1
    rows = tables.everyone
    points = tables.points.astype(np.int64)
    return Rounds(
        rules=tables.rules,
        callers_won=tables.winner != others,
        kind=tables.kind.copy(),
        kot=np.isin(tables.kind, _PAYS_MORE),
        tricks=tables.trick_number.astype(np.int64),
        worth=points[rows, others ^ 1] - points[rows, others],
    )


def best_agent(game: str) -> Agent:
    """The best agent that the package has for a game: its own of the zoo, else the expert."""
    name = f"{zoo.PREFIX}{game}"
    return agents.make(name if name in zoo.names() else "expert")


FIGURES: dict[str, Callable[[Rounds], np.ndarray]] = {
    "callers win": lambda rounds: rounds.callers_won,
    "kots": lambda rounds: rounds.kot,
    "tricks played": lambda rounds: rounds.tricks,
    "worth of the call": lambda rounds: rounds.worth,
}
"""What the studies tell of rounds, each (n,) numbers. The worth of the call is what a side is paid
in a round for being the callers, points won less points lost; to the others it is the opposite."""


def figures(rounds: Rounds) -> dict[str, Estimate]:
    """Each of FIGURES with its interval."""
    return {name: estimate(figure(rounds)) for name, figure in FIGURES.items()}


Effects = dict[str, dict[str, Estimate]]
"""By the name of what was changed, and of one of FIGURES."""


def differences(before: Rounds, after: Rounds) -> dict[str, Estimate]:
    """By how much each of FIGURES changes, deal by deal. ValueError unless on equally many deals.

    Both must have been played on the same seed.
    """
    if len(before) != len(after):
        raise ValueError(f"{len(before)} rounds cannot be compared with {len(after)} deal by deal")
    return {
        name: estimate(figure(after).astype(np.int64) - figure(before))
        for name, figure in FIGURES.items()
    }


HOUSE_RULES: dict[str, Sequence[dict[str, Any]]] = {
    "single_sar": (
        {"passing": False},
        {"call_any_suit": True},
        {"change_trump": True},
        {"new_cards": 1},
    ),
    "double_sar": (
        {"passing": False},
        {"call_any_suit": True},
        {"ace_over_ace": False},
        {"trump_ace_cannot_seal": False},
        {"no_late_pickup": True},
        {"change_trump": True},
        {"new_cards": 1},
    ),
    "hidden_rung": (
        {"passing": False},
        {"shown": "first_void"},
        {"change_trump": True},
        {"new_cards": 1},
    ),
    "be_ranga": ({"new_cards": 1},),
    "mendikot": ({"play_out": True}, {"new_cards": 1}),
    "mendikot_band": (
        {"passing": True},
        {"shown": "on_demand"},
        {"play_out": True},
        {"new_cards": 1},
    ),
}
"""Of each game the options that change how a round is played, each away from its default."""


def house_rule_effects(before: Rounds, game: str, agent: Agent, seed: int) -> Effects:
    """What each house rule of a game changes in FIGURES, by its name as "no_late_pickup=True".

    before: rounds of the game as it is, by this agent on this seed, which it plays again.
    """
    n = len(before)
    return {
        f"{option}={value}": differences(
            before, play(rungenv.variant(game, **{option: value}), agent, n, seed)
        )
        for changed in HOUSE_RULES[game]
        for option, value in changed.items()
    }


TRUMPS: dict[str, dict[str, Any]] = {
    "called": {"trump": "called"},
    "hidden, on demand": {"trump": "hidden", "shown": "on_demand"},
    "hidden, first void": {"trump": "hidden", "shown": "first_void"},
    "cut": {"trump": "cut"},
}
AIMS: dict[str, dict[str, Any]] = {
    "seven tricks": {"goal": Goal.SEVEN_TRICKS, "collects": "trick"},
    "seven, from a pile": {"goal": Goal.SEVEN_TRICKS, "collects": "pile"},
    "tens": {"goal": Goal.TENS, "collects": "trick"},
    "tens, from a pile": {"goal": Goal.TENS, "collects": "pile"},
}
"""The axes: the ways to a trump, and what is played for. Every pair of them is a game."""


def games_between(agent: Agent, n: int, seed: int) -> dict[tuple[str, str], Rounds]:
    """Rounds of every game that the axes span, by names of TRUMPS and AIMS."""
    return {
        (trump, aim): play(Rules(**of_trump, **of_aim), agent, n, seed)
        for trump, of_trump in TRUMPS.items()
        for aim, of_aim in AIMS.items()
    }
