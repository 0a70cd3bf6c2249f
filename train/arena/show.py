"""A tournament's results as tables for a terminal."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table

from train import arena
from train.arena.duels import NAME_LENGTH
from train.arena.results import Calls, GameResults, Rating, Results, Score
from train.arena.verdicts import power_line, verdicts
from train.options import short_names

CHEATS = "sees all hands"
"""What stands beside an agent that is no fair measure."""


def tables(results: Results) -> Iterator[RenderableType]:
    """All that is shown of a tournament, from top to bottom."""
    games = results.games
    if len(results.agents) == 2:
        by_goal: dict[str, list[Score]] = {}
        for game in games:
            by_goal.setdefault(game.rules.goal, []).extend(game.scores)
        yield from map(arena.table, by_goal.values())
        yield from verdicts(score for game in games for score in game.scores)
    for game in games:
        if len(results.agents) > 2:
            yield cross_table(game, results.cheats)
            yield arena.table(game.scores)
            yield from verdicts(game.scores)
        if len(results.agents) > 2 or len(games) == 1:
            yield ladder_table(game)
            if game.calls:
                yield calls_table(game.calls, game.name)
        if any(score.controlled for score in game.scores):
            yield control_table(game)
        if any(score.planned for score in game.scores) or len(games) == 1:
            yield power_line(game)
    if results.cheats:
        yield f"{', '.join(results.cheats)}: {CHEATS}, and is no fair measure of play"
    if results.faults:
        lost = len(results.faults)
        yield f"agents failed {lost} times and were gone on without; results.json tells of each"


def cross_table(game: GameResults, cheats: tuple[str, ...] = ()) -> Table:
    """Points of each agent, a line each, against each other, best first."""
    order = [rating.agent for rating in game.ladder]
    cells = {}
    for score in game.scores:
        margin = (score.high - score.low) / 2
        cells[score.a, score.b] = f"{score.points:+.3f} ± {margin:.3f}"
        cells[score.b, score.a] = f"{-score.points:+.3f} ± {margin:.3f}"
    shown = _table(
        game.name, f"{_unit(game)} of the agent on the left against the one above, 95 % interval"
    )
    short = _short(order)
    shown.add_column("", overflow="fold", min_width=7)
    for name in order:
        shown.add_column(short[name], justify="right", overflow="fold", min_width=14)
    for name in order:
        label = f"{short[name]} ({CHEATS})" if name in cheats else short[name]
        shown.add_row(label, *(cells.get((name, other), "") for other in order))
    return shown


def ladder_table(game: GameResults) -> Table:
    """Ratings with their intervals, and how fast each agent decides."""
    shown = _table(
        game.name,
        "rating: Elo's points, by what was won, the mean 0; 95 % intervals by bootstrap of deals\n"
        f"points: {_unit(game)}, mean over all opponents; decisions/s: an agent's own time alone",
    )
    shown.add_column("agent", overflow="fold")
    shown.add_column("rating", justify="right", overflow="fold")
    shown.add_column("points", justify="right", overflow="fold")
    shown.add_column("won", justify="right", no_wrap=True)
    shown.add_column("decisions/s", justify="right", no_wrap=True)
    speeds = {speed.agent: speed for speed in game.speeds}
    short = _short([rating.agent for rating in game.ladder])
    for rating in game.ladder:
        name = short[rating.agent]
        shown.add_row(
            f"{name} ({CHEATS})" if rating.cheats else name,
            f"{rating.rating:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})",
            _points(rating),
            f"{100 * rating.win:.1f}",
            f"{speeds[rating.agent].per_second:,.0f}",
        )
    return shown


def calls_table(calls: tuple[Calls, ...], title: str) -> Table:
    """What each agent called or hid, and what came of it."""
    hidden = any(one.ranks for one in calls)
    shown = _table(
        title,
        "passed: of the rounds in which it was asked first; success: of the rounds in which it "
        f"{'hid a card' if hidden else 'called'}",
    )
    heads = ["agent", "passed", "hid" if hidden else "called", "success", *"CDHS"]
    heads += ["2-5", "6-9", "ten", "honour"] if hidden else []
    for head in heads:
        shown.add_column(head, justify="left" if head == "agent" else "right", overflow="fold")
    short = _short([one.agent for one in calls])
    for one in calls:
        shares = [one.success, *one.suits.values()]
        if hidden:
            shares += [sum(one.ranks[rank] for rank in group) for group in _GROUPS]
        passed = "" if one.passed is None else f"{100 * one.passed:.1f} %"
        cells = (f"{100 * share:.1f} %" for share in shares)
        shown.add_row(short[one.agent], passed, f"{one.made:,}", *cells)
    return shown


_GROUPS = ("2345", "6789", "T", "JQKA")
"""Ranks that the table of calls takes together."""


def control_table(game: GameResults) -> Table:
    """Scores as the control variate makes them."""
    by = next(score.controlled.by for score in game.scores if score.controlled)
    what = "the luck of the cards dealt after the call"
    if len(by) == 2:
        what = f"{by[0]} against {by[1]} on the same deals"
    shown = _table(game.name, f"control variate: {what}; 95 % interval")
    for name in ("agent", "against"):
        shown.add_column(name, overflow="fold")
    for name in ("points", "with control", "variance left"):
        shown.add_column(name, justify="right", no_wrap=True)
    short = _short([rating.agent for rating in game.ladder])
    for score in game.scores:
        if (steady := score.controlled) is not None:
            shown.add_row(
                short[score.a],
                short[score.b],
                f"{score.points:+.3f} ± {(score.high - score.low) / 2:.3f}",
                f"{steady.points:+.3f} ± {(steady.high - steady.low) / 2:.3f}",
                f"{100 * steady.variance:.0f} %",
            )
    return shown


def _short(names: Sequence[str]) -> dict[str, str]:
    """Names as a table has room for."""
    return dict(zip(names, short_names(names, NAME_LENGTH), strict=True))


def _points(rating: Rating) -> str:
    return f"{rating.points:+.3f} ({rating.points_low:+.3f} to {rating.points_high:+.3f})"


def _unit(game: GameResults) -> str:
    by_match = game.scores[0].episode == "match"
    return "matches won less lost, per match" if by_match else "points won less lost, per deal"


def _table(title: str, caption: str) -> Table:
    return Table(
        title=title,
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
