"""Figures of what was played: scores with intervals, calls, speeds."""

from collections.abc import Sequence

import numpy as np

from rungenv import Kind, Rules
from rungenv.cards import CARD_RANK, CARD_SUIT, RANKS, SUITS
from rungenv.rules import Goal, Trump
from train.arena import student
from train.arena.played import NOBODY, Played
from train.arena.results import Calls, Score, Speed

KINDS = {
    Goal.SEVEN_TRICKS: (Kind.WIN, Kind.KOT, Kind.GOON_KOT),
    Goal.TENS: (Kind.TRICKS, Kind.MENDI, Kind.MENDIKOT, Kind.WHITEWASH),
}
"""The kinds of result that a goal allows."""

FORFEIT = "FORFEIT"
"""The kind of a round that an agent lost by failing."""


def score_of(
    rules: Rules,
    names: tuple[str, str],
    parts: Sequence[Played],
    *,
    seed: int,
    first_table: int,
    episode: str = "round",
    planned: int | None = None,
) -> Score:
    """The score of two agents from the pieces that they played."""
    payoff = np.concatenate([part.pairs for part in parts])
    low, high = student.interval(payoff)
    wins = np.concatenate([part.wins for part in parts])
    win_low, win_high = student.interval(wins)
    by_round = episode == "round"
    forfeits = np.concatenate([part.rounds.forfeit for part in parts])
    return Score(
        a=names[0],
        b=names[1],
        rules=rules,
        pairs=len(payoff),
        seed=seed,
        first_table=first_table,
        points=float(payoff.mean()),
        low=low,
        high=high,
        deviation=float(payoff.std(ddof=1)),
        win=float(wins.mean()),
        win_low=max(0.0, win_low),
        win_high=min(1.0, win_high),
        won=_by_kind(rules, parts, 0) if by_round else {},
        lost=_by_kind(rules, parts, 1) if by_round else {},
        decisions=int(sum(part.decisions.sum() for part in parts)),
        seconds=float(sum(part.seconds.sum() for part in parts)),
        episode=episode,
        forfeits=(int((forfeits == 0).sum()), int((forfeits == 1).sum())),
        planned=planned,
    )


def _by_kind(rules: Rules, parts: Sequence[Played], winner: int) -> dict[str, float]:
    """The shares of all rounds that an agent won, by kind."""
    counts = dict.fromkeys([kind.name for kind in KINDS[rules.goal]], 0)
    total = 0
    for part in parts:
        rounds = part.rounds
        total += len(rounds.row)
        by_failing = rounds.forfeit != NOBODY
        won = rounds.won_by == winner
        if by_failing.any():  # whoever failed, so that both sides tell of the same kinds
            counts[FORFEIT] = counts.get(FORFEIT, 0) + int((won & by_failing).sum())
        for kind in KINDS[rules.goal]:
            counts[kind.name] += int((won & ~by_failing & (rounds.kind == kind)).sum())
    return {name: count / total for name, count in counts.items()}


def calls_of(rules: Rules, agent: str, played: Sequence[tuple[Played, int]]) -> Calls:
    """What an agent called or hid: pieces with its number in each, 0 the first or 1 the second."""

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(part.rounds, name) for part, _ in played])

    own = np.concatenate([np.full(len(part.rounds.row), number) for part, number in played])
    asked = column("asked") == own
    made = (column("caller") == own) & (column("called") >= 0)
    called = column("called")[made]
    hidden = rules.trump == Trump.HIDDEN
    suits = CARD_SUIT[called] if hidden else called
    return Calls(
        agent=agent,
        asked=int(asked.sum()),
        passed=_share(column("passed")[asked] != 0) if rules.passing else None,
        timeout=_share(column("timed_out")[asked] != 0),
        made=int(made.sum()),
        success=_share(column("won_by")[made] == own[made]),
        suits={suit: _share(suits == number) for number, suit in enumerate(SUITS)},
        ranks={rank: _share(CARD_RANK[called] == number) for number, rank in enumerate(RANKS)}
        if hidden
        else {},
    )


def speed_of(agent: str, played: Sequence[tuple[Played, int]]) -> Speed:
    """How fast an agent was, from pieces with its number in each."""
    return Speed(
        agent=agent,
        decisions=int(sum(part.decisions[number] for part, number in played)),
        seconds=float(sum(part.seconds[number] for part, number in played)),
    )


def _share(flags: np.ndarray) -> float:
    return float(flags.mean()) if flags.size else 0.0
