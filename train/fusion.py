"""Strategy fusion, exactly: what an action is worth to a seat that cannot tell some worlds apart.

Perfect-information Monte Carlo values an action by solving each world with all hands open. So it
takes for granted that the seat will later play each world in that world's own way, even where they
still look the same to it. Frank and Basin ("Search in games with incomplete information: a case
study using Bridge card play", Artificial Intelligence 100, 1998) call that strategy fusion. What
they measure it by is carried out here for small endings: a *plan* does one thing wherever the seat
knows one thing. The other three seats see all hands and know the plan; the partner does its best
for the team, the others against it.

What a plan comes to is a vector, a value for each world. Vectors are carried back from the end of
the round, and those that another equals or beats in every world are left out, as in the alpha-mu
algorithm of Cazenave and Ventos ("The alpha-mu search algorithm for the game of Bridge", 2019).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agents.endgame import solve
from agents.payoffs import Payoff, points
from rungenv.belief import worlds
from rungenv.bits import count, members
from rungenv.kernel import step
from rungenv.tables import Tables
from rungenv.view import View, observe


@dataclass(frozen=True)
class ActionValue:
    """What an action comes to in each world, for the team to act: two arrays (worlds,) float64."""

    action: int
    seen: np.ndarray
    """If the seat saw all hands from then on, as perfect-information Monte Carlo has it."""
    planned: np.ndarray
    """By the plan that is best on average over the worlds."""


def distinct_worlds(view: View, n: int, rng: np.random.Generator) -> tuple[Tables, np.ndarray]:
    """The worlds among n drawn for a view of one row that differ in a hand or a card face down.

    Returns them in order of their hands, (m,) of them, and how often each was drawn, (m,) int64. In
    games without a call all are equally likely.
    """
    drawn = worlds(view, n, rng)
    facts = np.column_stack([drawn.hands, drawn.face_down.astype(np.uint64)])
    _, first, times = np.unique(facts, axis=0, return_index=True, return_counts=True)
    return drawn.take(first), times


def action_values(tables: Tables, payoff: Payoff = points) -> list[ActionValue]:
    """The legal actions of a seat that takes each of these worlds to be as likely as the others.

    tables: worlds of one view in the play of the cards, with few cards left; the time grows about
    thirtyfold with each trick. ValueError for tables that the seat to act can tell apart.
    """
    seat = int(tables.seat[0])
    if seat < 0 or len(list(_told_apart(tables, seat))) > 1:
        raise ValueError("the tables must be worlds of one view, with the same seat to act")
    sign = _sign(seat)
    found = []
    for action in members(tables.legal_set[0]):
        after = _after(tables, action)
        plans = _after_ours(after, seat, payoff)
        seen = sign * solve(after, payoff)
        found.append(ActionValue(action, seen, plans[plans.mean(axis=1).argmax()]))
    return found


def _plans(tables: Tables, seat: int, payoff: Payoff) -> np.ndarray:
    """What the seat's plans come to in worlds that it cannot tell apart: (plans, worlds)."""
    if len(tables) == 1 or _has_no_choice_left(tables, seat):
        return _sign(seat) * solve(tables, payoff)[None]
    if tables.seat[0] == seat:
        choices = members(tables.legal_set[0])
        plans = [_after_ours(_after(tables, action), seat, payoff) for action in choices]
        return _undominated(np.concatenate(plans))
    return _after_others(tables, seat, payoff)


def _after_ours(tables: Tables, seat: int, payoff: Payoff) -> np.ndarray:
    """The same once the worlds may have come to look different: a plan for each such look."""
    plans = np.zeros((1, len(tables)))
    for rows in _told_apart(tables, seat):
        part = _plans(tables.take(rows), seat, payoff)
        plans = plans.repeat(len(part), axis=0)
        plans[:, rows] = np.tile(part, (len(plans) // len(part), 1))
    return plans


def _after_others(tables: Tables, seat: int, payoff: Payoff) -> np.ndarray:
    """The same where another seat acts, which does what it likes best in each world by itself."""
    is_partner = (tables.seat[0] - seat) % 2 == 0
    better, worst = (np.maximum, -np.inf) if is_partner else (np.minimum, np.inf)
    plans = np.full((1, len(tables)), worst)
    for action in members(np.bitwise_or.reduce(tables.legal_set)):
        rows = np.flatnonzero(tables.legal_set >> np.uint64(action) & np.uint64(1))
        part = _after_ours(_after(tables.take(rows), action), seat, payoff)
        answered = np.full((len(part), len(tables)), worst)
        answered[:, rows] = part
        both = better(plans[:, None], answered[None]).reshape(-1, len(tables))
        plans = _undominated(both)
    return plans


def _after(tables: Tables, action: int) -> Tables:
    after = tables.copy()
    step(after, np.full(len(tables), action))
    return after


def _told_apart(tables: Tables, seat: int) -> Iterator[np.ndarray]:
    """The rows that look the same to a seat, look by look."""
    view = observe(tables, seat)
    blocks = (view.sets.T, view.smalls.T, view.history)
    looks = [b"".join(block[row].tobytes() for block in blocks) for row in tables.everyone]
    for look in dict.fromkeys(looks):
        yield np.flatnonzero([other == look for other in looks])


def _has_no_choice_left(tables: Tables, seat: int) -> bool:
    """Whether all that it will still do is forced: one card at most, and none face down."""
    if tables.seat[0] < 0:
        return True
    return bool((count(tables.hands[:, seat]) <= 1).all() and (tables.face_down < 0).all())


def _sign(seat: int) -> int:
    return -1 if seat % 2 else 1


def _undominated(plans: np.ndarray) -> np.ndarray:
    """Without those that another one equals or beats in every world."""
    plans = np.unique(plans, axis=0)
    beaten = (plans[None] >= plans[:, None]).all(axis=2) & ~np.eye(len(plans), dtype=bool)
    return plans[~beaten.any(axis=1)]
