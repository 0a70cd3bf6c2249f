"""What a tournament found: `results.json`, and records of a few games in `games.jsonl`."""

import json
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from rungenv.record_file import write_records
from rungenv.record_text import parse_record
from train.arena.control import controlled
from train.arena.played import Played
from train.arena.ratings import Meeting, ladder
from train.arena.recorded import selected
from train.arena.results import Calls, GameResults, Results, Score, Speed, write_results
from train.arena.sample_size import power_table, two_stage_interval
from train.arena.summary import calls_of, score_of, speed_of
from train.arena.tournament import Tournament
from train.options import game_name

GAMES = "games.jsonl"


def write_findings(tournament: Tournament, cheats: Sequence[str] = ()) -> Results:
    """Write both files of a tournament that is played; cheats: its agents that see all hands."""
    settings = tournament.settings
    results = Results(
        agents=settings.agents,
        cheats=tuple(cheats),
        deals=settings.deals,
        set=settings.set,
        seed=settings.seed,
        episode=settings.episode,
        settings=settings.as_dict(),
        games=tuple(game_results(tournament, game, cheats) for game in range(len(settings.games))),
        games_recorded=_write_games(tournament),
        faults=_faults(tournament),
    )
    write_results(tournament.folder, results)
    return results


def game_results(tournament: Tournament, game: int, cheats: Sequence[str]) -> GameResults:
    """All figures of one game, by its number."""
    settings = tournament.settings
    rules, meetings = settings.games[game], settings.meetings()
    played = {meeting: tournament.played(game, meeting) for meeting in meetings}
    numbers = combinations(range(len(settings.agents)), 2)
    met = [
        Meeting(
            *both,
            points=np.concatenate([part.pairs for part in played[meeting]]),
            wins=np.concatenate([part.wins for part in played[meeting]]),
        )
        for both, meeting in zip(numbers, meetings, strict=True)
    ]
    scores = tuple(_score(tournament, game, meeting) for meeting in meetings)
    calls, speeds = _by_agent(tournament, game, played)
    return GameResults(
        rules=rules,
        scores=scores,
        ladder=ladder(settings.agents, met, np.random.default_rng([settings.seed, game]), cheats),
        calls=calls,
        speeds=speeds,
        power=power_table([score.deviation for score in scores]),
    )


def _by_agent(
    tournament: Tournament, game: int, played: dict[tuple[str, str], list[Played]]
) -> tuple[tuple[Calls, ...], tuple[Speed, ...]]:
    """The calls, where anybody calls, and the speed of each agent."""
    rules = tournament.settings.games[game]
    calls, speeds = [], []
    for name in tournament.settings.agents:
        own = [
            (part, number)
            for meeting, parts in played.items()
            for number in range(2)
            if meeting[number] == name
            for part in parts
        ]
        speeds.append(speed_of(name, own))
        if rules.calls:
            calls.append(calls_of(rules, name, own))
    return tuple(calls), tuple(speeds)


def _score(tournament: Tournament, game: int, meeting: tuple[str, str]) -> Score:
    """The score of two agents, by the stop rule's interval and with the control, if asked for."""
    settings = tournament.settings
    score = score_of(
        settings.games[game],
        meeting,
        tournament.played(game, meeting),
        seed=settings.seed,
        first_table=0,
        episode=settings.episode,
    )
    values = tournament.values(game, meeting, score.pairs)
    changes: dict[str, Any] = {}
    if settings.until is not None:
        low, high = two_stage_interval(values, settings.first_pairs(meeting))
        changes = {"low": low, "high": high, "planned": score.pairs}
    control = settings.control_meeting()
    if control is not None and meeting != control:
        theirs = tournament.values(game, control, tournament.most_pairs(game))[: score.pairs]
        beside = tournament.values_beside(game)
        changes["controlled"] = controlled(values, theirs, beside, control)
    if settings.luck and score.rules.calls:
        parts = tournament.played(game, meeting)
        luck = np.concatenate([part.luck for part in parts if part.luck is not None])
        changes["controlled"] = controlled(values, luck, None, ("luck",))
    return Score(**{**vars(score), **changes})


def _write_games(tournament: Tournament) -> tuple[dict[str, Any], ...]:
    """Write the records of the games to be shown; returns what each line is of."""
    records, index = [], []
    for game, rules in enumerate(tournament.settings.games):
        for meeting in tournament.settings.meetings():
            lines = [line for part in tournament.played(game, meeting) for line in part.games]
            for kept in selected(lines, 0):
                records.append(parse_record(kept.pop("record")))
                about = {"line": len(records), "game": game_name(rules)}
                index.append({**about, "a": meeting[0], "b": meeting[1], **kept})
    write_records(tournament.folder / GAMES, records)
    return tuple(index)


def _faults(tournament: Tournament) -> tuple[dict[str, Any], ...]:
    """All failures that the tournament went on from."""
    return tuple(
        {**json.loads(fault), "game": game_name(rules)}
        for game, rules in enumerate(tournament.settings.games)
        for meeting in tournament.settings.meetings()
        for part in tournament.played(game, meeting)
        for fault in part.faults
    )
