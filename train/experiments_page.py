"""What experiments came to: a page of Markdown, and a picture of all points with intervals."""

import io
import itertools
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from agents.axes import game_of
from train.arena.student import quantile
from train.config import Config
from train.experiments_plan import Plan, Question, Results, differences
from train.files import write_atomically
from train.progress import COLOURS


@dataclass(frozen=True)
class Noise:
    """Where a run like the base lands by the luck of its seed, 95 times in 100: a prediction for
    one more run, from the mean points of those that there are.
    """

    low: float
    high: float

    def verdict(self, line: Mapping[str, Any]) -> str:
        """What an experiment's points say beside it."""
        points = mean_points(line)
        return "better" if points > self.high else "worse" if points < self.low else "within noise"


@dataclass(frozen=True)
class Against:
    """Points a deal of a run's last policy against an opponent: the mean over the run's games."""

    opponent: str
    points: float
    margin: float
    """Half the width of the 95 % interval."""

    def __str__(self) -> str:
        return f"{self.points:+.3f} ± {self.margin:.3f}"


def against_each(line: Mapping[str, Any], game: str | None = None) -> list[Against]:
    """What the last policy of an experiment came to against each opponent; or so in one game."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for score in line["scores"]:
        if score["policy"] == "last" and game in (None, score.get("game")):
            found.setdefault(score["opponent"], []).append(score)
    return [
        Against(
            opponent,
            points=float(np.mean([score["points"] for score in scores])),
            margin=math.hypot(*((score["high"] - score["low"]) / 2 for score in scores))
            / len(scores),
        )
        for opponent, scores in found.items()
    ]


def mean_points(line: Mapping[str, Any], game: str | None = None) -> float:
    """The mean of the last policy's points over its opponents; or so in one game."""
    return float(np.mean([against.points for against in against_each(line, game)]))


def noise_of(plan: Plan, results: Results) -> Noise | None:
    """The noise, from the seeds that are done; None for fewer than two.

    The interval in which one more value of a normal distribution is expected after n of them: their
    mean, and to either side Student's quantile times deviation times sqrt(1 + 1/n).
    """
    points = np.array([mean_points(results[name]) for name in plan.seeds if name in results])
    if len(points) < 2:
        return None
    margin = quantile(len(points) - 1) * points.std(ddof=1) * (1 + 1 / len(points)) ** 0.5
    return Noise(points.mean() - margin, points.mean() + margin)


@dataclass(frozen=True)
class Places:
    """Where a programme is kept: its configurations and its results."""

    configs: Path = Path("configs/experiments")
    results: Path = Path("train/experiments.jsonl")

    def command(self, name: str = "") -> str:
        """The command that does what is missing of the programme, or one experiment.

        >>> Places().command("base")
        'python -m train.experiments base'
        """
        words = ["python -m train.experiments", *([name] if name else [])]
        if self != Places():
            words.append(f"--configs {self.configs} --results {self.results}")
        return " ".join(words)


_HEAD = """\
Recipes of training, each trained alike and measured alike. {base} Then the policy as it was at the
end plays its best against `greedy` and `expert`, {pairs} pairs of validation deals against each:
points a deal with 95 % intervals. Those intervals are of the deals alone. Another seed gives
another policy, and how far these lie apart is noise too: {noise}

*Explained* is the share of the variance of outcomes that the critic foresees at the end, in rounds
of its own policy. *Steps/s* are seat-steps trained in a second of processor time, measurements on
the way included, by one thread on a machine that was busy with other work.

The budget is short: a recipe that is behind here may be ahead after ten times as many steps, above
all one that keeps exploring, learns slowly or has a large network.

Of {all} experiments {done} are done. `{command}` trains and measures what is missing; with
`--only-page --page {page}` it writes this page. The configurations are in `{configs}/`, the results
in `{results}`.
"""


def page(
    plan: Plan, experiments: Mapping[str, Config], results: Results, places: Places, path: Path
) -> str:
    """The whole of it in Markdown, for a file of this path; beside it is the picture of `draw`."""
    base = experiments[plan.seeds[0]]
    noise = noise_of(plan, results)
    pairs = sorted({score["pairs"] for line in results.values() for score in line["scores"]})
    head = _HEAD.format(
        base=_base_in_words(plan.seeds[0], base),
        pairs=" to ".join(f"{n:,}" for n in dict.fromkeys([*pairs[:1], *pairs[-1:]])) or "no",
        noise=_noise_in_words(plan, results, noise),
        command=places.command(),
        page=path,
        configs=places.configs,
        results=places.results,
        done=len(results),
        all=len(experiments),
    )
    parts = [f"# {plan.title}", *map(_wrapped, head.split("\n\n"))]
    parts.append(f"![Points a deal of all experiments]({path.with_suffix('.png').name})")
    if plan.learned:
        parts.append(f"## What was learned\n\n{_wrapped(plan.learned)}")
    for question in plan.questions:
        parts += _section(question, plan.seeds, experiments, results, noise, places)
    return "\n\n".join(parts) + "\n"


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(" ".join(paragraph.split()), 100, break_on_hyphens=False)


def _base_in_words(name: str, base: Config) -> str:
    shape, ppo, clone = base.network, base.ppo, base.clone
    games = "the six games" if len(base.games) > 1 else base.game
    first = f", the first {clone.steps:,} of them imitating `{clone.agent}`" if clone.agent else ""
    return (
        f"All play {games} for {base.budget.total_steps:,} seat-steps{first}, and where a row says "
        f"nothing else all are as `{name}`: layers of {' and '.join(map(str, shape.hidden))} in "
        f"policy and critic, {ppo.deals:,} rounds an update, entropy {ppo.entropy_start} to "
        f"{ppo.entropy_end}, learning rate {ppo.learning_rate_start:g} to "
        f"{ppo.learning_rate_end:g}, lambda {ppo.trace}."
    )


def _noise_in_words(plan: Plan, results: Results, noise: Noise | None) -> str:
    if noise is None:
        return "not yet known."
    done = sum(name in results for name in plan.seeds)
    return (
        f"after {done} seeds of the base, one more is expected, 95 times in 100, to have a mean of "
        f"the two between {noise.low:+.3f} and {noise.high:+.3f}. Outside of this a row is called "
        "better or worse, inside *within noise*. Of so many rows one or two are outside by luck."
    )


def _section(
    question: Question,
    seeds: Sequence[str],
    experiments: Mapping[str, Config],
    results: Results,
    noise: Noise | None,
    places: Places,
) -> Iterator[str]:
    """The paragraphs of a question: its table, what is still to be done, and what was learned."""
    yield f"## {question.question}"
    done = [name for name in question.experiments if name in results]
    if done and done != [seeds[0]]:  # the base alone is no answer
        rows = [
            "| what differs | greedy | expert | mean | | explained | steps/s | command |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for name in done:
            differs = in_words(differences(experiments[name], experiments[seeds[0]]), seeds[0])
            verdict = noise.verdict(results[name]) if noise and name not in seeds else ""
            command = places.command(name)
            rows.append(_row(differs, results[name], verdict, command))
            games = [game_of(rules) for rules in experiments[name].games]
            rows += (_row_of_game(game, results[name]) for game in games if len(games) > 1)
        yield "\n".join(rows)
    if missing := [f"`{name}`" for name in question.experiments if name not in results]:
        yield f"Not done yet: {', '.join(missing)}."
    if question.learned:
        yield _wrapped(question.learned)


def _row(differs: str, line: Mapping[str, Any], verdict: str, command: str) -> str:
    speed = line["steps_per_cpu_second"]
    cells = [
        differs,
        *map(str, against_each(line)),
        f"{mean_points(line):+.3f}",
        verdict,
        f"{line['explained_variance']:.2f}",
        f"{speed:,}" if speed else "",
        f"`{command}`",
    ]
    return f"| {' | '.join(cells)} |"


def _row_of_game(game: str, line: Mapping[str, Any]) -> str:
    """What a run of several games came to in one of them."""
    each, mean = map(str, against_each(line, game)), mean_points(line, game)
    return f"| its {game} | {' | '.join(each)} | {mean:+.3f} |  |  |  |  |"


def in_words(options: Mapping[str, Any], base: str = "base") -> str:
    """Options that differ from the base's, as a cell of a table; with none, the base's name.

    >>> in_words({"ppo.trace": 1.0, "network.hidden": [64, 64]}), in_words({})
    ('ppo.trace 1.0, network.hidden 64 64', 'base')
    """
    texts = []
    for name, value in options.items():
        value = " ".join(map(str, value)) if isinstance(value, list) else value
        texts.append(f"{name} {value}")
    return ", ".join(texts) or base


def draw(plan: Plan, results: Results, path: Path) -> None:
    """The picture: the points of all experiments with their intervals, one below the other, and
    the band of noise.
    """
    rows = [
        (question, name)
        for question in plan.questions
        for name in question.experiments
        if name in results and (name != plan.seeds[0] or question is plan.questions[0])
    ]
    figure = Figure(figsize=(8, 1.6 + 0.22 * len(rows)), dpi=130, layout="constrained")
    axes = figure.subplots()
    noise = noise_of(plan, results)
    heights = -np.arange(len(rows))
    columns = zip(*(against_each(results[name]) for _, name in rows), strict=True)
    for column, color in zip(columns, itertools.cycle(COLOURS), strict=False):
        points, margins = [each.points for each in column], [each.margin for each in column]
        axes.errorbar(points, heights, xerr=margins, fmt="o", markersize=3, color=color, alpha=0.6)
        label = f"against {column[0].opponent}"
        axes.plot([], [], "o", markersize=3, color=color, label=label)
    means = [mean_points(results[name]) for _, name in rows]
    axes.plot(means, heights, "|", color="black", markersize=9, label="mean of the two")
    if noise is not None:
        axes.axvspan(noise.low, noise.high, color="0.5", alpha=0.2, linewidth=0, label="its noise")
    for height, (before, after) in enumerate(itertools.pairwise(rows)):
        if before[0] is not after[0]:
            axes.axhline(-height - 0.5, color="0.8", linewidth=0.6)
    axes.set_yticks(heights, [name for _, name in rows], fontsize=8)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xlabel("points a deal after training, 95 % intervals")
    axes.grid(axis="x", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8)
    file = io.BytesIO()
    figure.savefig(file, format="png")
    write_atomically(path, file.getvalue())
