"""What a tournament found, in words: who is better than whom, and by how much.

A difference is seen where the 95 % interval of the points leaves 0 out, and only then. Where all
pairs came out alike there is no interval: nothing says how far from that the next ones may be.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from train.arena.results import Controlled, GameResults, Score
from train.options import game_name

FEW = 3
"""Meetings that have a line each; of more, only those are named that nothing was seen in."""


def verdicts(scores: Iterable[Score]) -> Iterator[str]:
    """A line for each two agents: of one game with the figure, of several with the games.

    Of many agents, one line on those between whom no difference was seen.
    """
    met: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        met.setdefault((score.a, score.b), []).append(score)
    if len(met) <= FEW:
        yield from (_of_games(both) if len(both) > 1 else _of_one(both[0]) for both in met.values())
        return
    alike = [_of_one(score) for both in met.values() for score in both if not _sign(score)]
    yield "; ".join(alike) if alike else "every two differ: no interval holds 0"


def power_line(game: GameResults) -> str:
    """What the pairs that were played can show, and what more of them could."""
    played = min(score.pairs for score in game.scores)
    smallest, most = min(game.power.items())
    if all(score.high == score.low for score in game.scores):
        return f"{game.name}: all pairs came out alike, so they do not say what they can show"
    shown = smallest * math.sqrt(most / played)
    more = [f"{size:g} takes {pairs:,}" for size, pairs in _some(game.power) if pairs > played]
    unit = "a match" if game.scores[0].episode == "match" else "a deal"
    line = (
        f"{game.name}: {played:,} pairs show a difference of {shown:.2g} points {unit} four times"
    )
    return f"{line} in five" + (f"; {', '.join(more)}" if more else "")


def _some(power: Mapping[float, int]) -> Sequence[tuple[float, int]]:
    """The largest difference but one, and the smallest."""
    sizes = sorted(power.items(), reverse=True)
    return [sizes[1], sizes[-1]] if len(sizes) > 1 else sizes


def _best(score: Score) -> Score | Controlled:
    """The figure with the control variate, where there is one: it is the steadier."""
    return score.controlled or score


def _sign(score: Score) -> int:
    """1 where the first agent was seen to be better, -1 where worse, else 0."""
    best = _best(score)
    return 0 if _all_alike(best) else int(best.low > 0) - int(best.high < 0)


def _all_alike(best: Score | Controlled) -> bool:
    """Whether no pair differs from another, so that there is no interval to judge by."""
    return best.low == best.high


def _of_one(score: Score) -> str:
    sign, best = _sign(score), _best(score)
    if _all_alike(best):
        return f"all {score.pairs:,} pairs of {score.a} and {score.b} came out alike"
    if not sign:
        return f"no difference seen between {score.a} and {score.b}"
    figure = f"{best.points:+.3f} ± {(best.high - best.low) / 2:.3f}"
    return f"{score.a} is {'better' if sign > 0 else 'worse'} than {score.b} ({figure})"


def _of_games(scores: Sequence[Score]) -> str:
    said = []
    for sign, words in ((1, "better in"), (-1, "worse in"), (0, "no difference seen in")):
        games = [game_name(score.rules) for score in scores if _sign(score) == sign]
        said += [f"{words} {', '.join(games)}"] if games else []
    return f"{scores[0].a} against {scores[0].b}: {'; '.join(said)}"
