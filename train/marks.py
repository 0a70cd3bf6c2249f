"""`python -m train.marks`: all that a model card says an agent is worth, measured on test deals.

Three groups of figures, each a list of duels on the same deals:

- the ladder: against random, greedy and expert.
- partners: with greedy in its partner's seat against two experts, beside what an expert reaches
  with such a partner in the same seats. What is found by self-play can be a private code, of no
  use beside others; the difference, deal by deal, tells.
- search: against plain search; and search that has the agent for its prior and in its rollouts,
  against the agent alone and against plain search. It can come out worse than either.

Every duel is a tournament in a folder of its own, kept piece by piece (`train/arena`), so that the
same command goes on where it was stopped. `rung export --marks` puts the figures on the card.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console

import agents
import rungenv
from agents.axes import refuse_other_game
from rungenv.rules import nearest
from train.arena import plan, student
from train.arena.plan import Settings
from train.arena.played import Played
from train.arena.summary import calls_of
from train.arena.tournament import Tournament
from train.arena.workers import run_here
from train.files import read_json, refuse_unwritable, write_json
from train.options import game_name, parse, rules_from

FORMAT = "rungenv marks 1"
LADDER, PARTNERS, SEARCH = "ladder", "partners", "search"
GROUPS: tuple[str, ...] = (LADDER, PARTNERS, SEARCH)
EXPERT, WEAKER = "expert", "greedy"
"""The mark that agents are to beat, and the partner that they have not trained with."""


@dataclass(frozen=True)
class Marks:
    """Measure an agent for its model card.

    For example:

      python -m train.marks single_sar runs/single_sar --out runs/marks/single_sar
      python -m train.marks single_sar zoo/single_sar --out marks --only search --worlds 32
    """

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """One of the six games."""
    agent: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="AGENT")]
    """The agent: a run's folder, or any name that `agents.make` knows."""
    out: Path
    """A folder for what is played, and for marks.json."""
    only: tuple[str, ...] = GROUPS
    """Which of the groups to measure: ladder, partners, search."""
    pairs: int = 50_000
    """Pairs of deals in each duel of the ladder."""
    partner_pairs: int = 20_000
    """The same with partners, which is slower."""
    search_pairs: int = 300
    """The same against search."""
    worlds: int = 64
    """Worlds for each decision of a search."""
    caution: float = 2.0
    """Of the search with the agent: another action than the agent's own must pay more by so many
    standard errors."""


@dataclass(frozen=True)
class Meeting:
    """Two agents and their duel: of `values` (pairs,) and `wins` the first agent's are meant."""

    group: str
    a: str
    b: str
    settings: Settings
    parts: Sequence[Played]

    @property
    def values(self) -> np.ndarray:
        """The mean payoff of the first agent in each pair: (pairs,)."""
        return np.concatenate([part.pairs for part in self.parts])


def main(args: Sequence[str]) -> int:
    """Measure what is missing and write marks.json; the exit code is 0."""
    options = parse(Marks, args, "python -m train.marks")
    for group in options.only:
        if group not in GROUPS:
            raise ValueError(f"no group of marks is called {group!r}{nearest(group, GROUPS)}")
    refuse_other_game(agents.make(options.agent), rules_from(options.game, ()))
    path = options.out / "marks.json"
    refuse_unwritable(path)
    met, rows = [], []
    for meeting in meetings(options):
        met.append(meeting)
        rows.append(row_of(meeting))
        tell(rows[-1])
        if (meeting.group, len(of_group(met, PARTNERS))) == (PARTNERS, 2):
            rows.append(difference(*of_group(met, PARTNERS)))
            tell(rows[-1])
    write_json(path, {"format": FORMAT, "rows": rows, "calls": calls(options, met)})
    return 0


def duels(options: Marks) -> Iterator[tuple[str, str, str, int]]:
    """What is to be played: the group, the two agents, and how many pairs."""
    agent = options.agent
    if LADDER in options.only:
        for other in ("random", WEAKER, EXPERT):
            yield LADDER, agent, other, options.pairs
    if PARTNERS in options.only:
        for one in (agent, EXPERT):
            yield PARTNERS, f"pair:{one}+{WEAKER}", EXPERT, options.partner_pairs
    if SEARCH in options.only:
        plain = f"search:worlds={options.worlds}"
        with_it = f"caution={options.caution:g},rollout={agent},prior={agent}"
        searching = agents.make(f"{plain},{with_it}").name
        for one, other in ((agent, plain), (searching, agent), (searching, plain)):
            yield SEARCH, one, other, options.search_pairs


def meetings(options: Marks) -> Iterator[Meeting]:
    """All duels, each as it has been played to its end."""
    numbers = dict.fromkeys(GROUPS, 0)
    for group, a, b, pairs in duels(options):
        folder = options.out / f"{group}-{numbers[group]}"
        numbers[group] += 1
        yield meeting_of(group, options.game, a, b, pairs, folder)


def meeting_of(group: str, game: str, a: str, b: str, pairs: int, folder: Path) -> Meeting:
    """Two agents on test deals, gone on with if the folder has some of it."""
    settings = Settings(
        games=(rules_from(game, ()),),
        agents=(a, b),
        blocks=plan.blocks_of((a, b)),
        pairs=pairs,
        deals="test",
        files=plan.digests_of((a, b)),
    )
    return Meeting(group, a, b, settings, played(folder, settings))


def played(folder: Path, settings: Settings) -> list[Played]:
    """A tournament of two agents, gone on with if its folder has some of it.

    ValueError for a folder that holds another tournament.
    """
    if (folder / plan.CONFIG).exists():
        if plan.load(folder) != settings:
            raise ValueError(f"{folder} holds another tournament; measure into a new folder")
    else:
        plan.save(folder, settings)
    tournament = Tournament(settings, folder)
    tournament.play(run_here)
    return tournament.played(0, (settings.agents[0], settings.agents[1]))


def row_of(meeting: Meeting) -> dict[str, Any]:
    """A meeting as a row of the card."""
    wins = np.concatenate([part.wins for part in meeting.parts])
    return {
        "group": meeting.group,
        "agent": meeting.a,
        "against": meeting.b,
        **figures(meeting.settings, meeting.values),
        "win": float(wins.mean()),
        "command": meeting.settings.command(),
    }


def difference(one: Meeting, other: Meeting) -> dict[str, Any]:
    """By how much one agent did better than another on the same deals against the same."""
    commands = (one.settings.command(), other.settings.command())
    return {
        "group": one.group,
        "agent": f"{one.a} less {other.a}",
        "against": one.b,
        **figures(one.settings, one.values - other.values),
        "win": None,
        "command": " and ".join(commands) + ", pair by pair",
    }


def figures(settings: Settings, values: np.ndarray) -> dict[str, Any]:
    """The mean of (pairs,) values with its 95 % interval, and what it is of."""
    low, high = student.interval(values)
    return {
        "game": game_name(settings.games[0]),
        "deals": settings.deals,
        "set": settings.set,
        "pairs": len(values),
        "points": float(values.mean()),
        "low": low,
        "high": high,
    }


def calls(options: Marks, met: Iterable[Meeting]) -> list[dict[str, Any]]:
    """What the agent called on the ladder; nothing in a game in which nobody calls."""
    rules = rungenv.variant(options.game)
    own = [(part, 0) for meeting in of_group(met, LADDER) for part in meeting.parts]
    return [calls_of(rules, options.agent, own).as_dict()] if own and rules.calls else []


def of_group(met: Iterable[Meeting], group: str) -> list[Meeting]:
    """The meetings of one group, in order."""
    return [meeting for meeting in met if meeting.group == group]


def tell(row: dict[str, Any]) -> None:
    """Print a row."""
    line = f"{row['points']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f}), {row['pairs']:,} pairs"
    Console().print(f"{row['agent']} against {row['against']}: {line}", soft_wrap=True)


def read_marks(path: Path) -> dict[str, Any]:
    """What marks.json, or another file of this format, holds; ValueError for anything else."""
    found = read_json(path)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{path} holds something else than a {FORMAT!r}")
    return found


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"python -m train.marks: {error}")
