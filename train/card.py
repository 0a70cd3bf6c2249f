"""A model card: what an agent is, how it came to be, how good it is; as data and as a page.

Every figure on it is out of the agent's file, out of a tournament's `results.json`, or out of
the `marks.json` of `train/marks.py` and `train/best_response.py`.
"""

import json
import os
import platform
import re
import shlex
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from rungenv.layout import LAYOUT_VERSION
from train import config
from train.arena.plan import Settings
from train.config import Config
from train.options import house_rules_told

FORMAT = "rungenv card 1"
LICENCE = "Apache-2.0"


def training_command(settings: Config) -> str:
    """The command line that trains this again: what differs from the game's defaults.

    >>> training_command(config.load(None, {"game": "mendikot", "ppo.epochs": 2}))
    'rung train --game mendikot --ppo.epochs 2'
    """
    plain = config.to_dict(settings)
    usual = config.to_dict(config.from_dict({"game": settings.game}))
    words = ["rung", "train", "--game", settings.game]
    words += house_rules_told(
        {option: getattr(settings.rules, option) for option in plain["rules"]}
    )
    for group, value in plain.items():
        if group in ("game", "rules", "run", "report"):
            continue
        pairs = value.items() if isinstance(value, dict) else [("", value)]
        for key, inner in pairs:
            before = usual[group] if key == "" else usual[group].get(key)
            if inner != before:
                name = f"{group}.{key}".rstrip(".").replace("_", "-")
                words += [f"--{name}", *map(str, inner if isinstance(inner, list) else [inner])]
    return shlex.join(words)


def card_of(
    name: str,
    header: Mapping[str, str],
    size: int,
    parameters: int,
    results: Sequence[Mapping[str, Any]],
    marks: Sequence[Mapping[str, Any]],
    notes: Sequence[str],
    run: str,
) -> dict[str, Any]:
    """The card as plain values.

    header: of the run's checkpoint; size: of the weights' file, in bytes; results: of tournaments,
    as `results.py` writes them, in which the agent is called `run`; marks: of the agent, as
    `train/marks.py` writes them; notes: what is known of its weaknesses.
    """
    settings = config.from_dict(json.loads(header["config"]))
    state = json.loads(header["state"])
    return {
        "format": FORMAT,
        "name": name,
        "game": settings.game,
        "rules": json.loads(header["rules"]),
        "layout_version": LAYOUT_VERSION,
        "network": json.loads(header["network"]),
        "parameters": parameters,
        "bytes": size,
        "training": {
            "command": training_command(settings),
            "seed": settings.seed,
            "steps": state["steps"],
            "updates": state["updates"],
            "seconds": round(state["seconds"]),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, {settings.threads or 'all'}"
            f" of them used, {platform.system()}",
            "versions": {each: version(each) for each in ("rungenv", "torch", "numpy")},
        },
        "results": [
            *(row for each in results for row in _rows(each, run, name)),
            *(
                _renamed({"game": settings.game, **row}, run, name)
                for each in marks
                for row in each["rows"]
            ),
        ],
        "calls": [
            *(_renamed(row, run, name) for each in results for row in _calls(each, run)),
            *(_renamed(row, run, name) for each in marks for row in each["calls"]),
        ],
        "weaknesses": list(notes),
        "licence": LICENCE,
    }


def _rows(results: Mapping[str, Any], run: str, name: str) -> list[dict[str, Any]]:
    """What the agent reached against each opponent, from its own side."""
    rows = []
    command = _with_name(Settings.from_dict(dict(results["settings"])).command(), run, name)
    for game in results["games"]:
        for score in game["scores"]:
            if run not in (score["a"], score["b"]):
                continue
            is_first = score["a"] == run
            low, high = score["low"], score["high"]
            rows.append(
                {
                    "game": game["game"],
                    "agent": name,
                    "against": score["b"] if is_first else score["a"],
                    "deals": results["deals"],
                    "set": results["set"],
                    "pairs": score["pairs"],
                    "points": score["points"] if is_first else -score["points"],
                    "low": low if is_first else -high,
                    "high": high if is_first else -low,
                    "win": score["win"] if is_first else 1 - score["win"],
                    "command": command,
                }
            )
    return rows


def _renamed(row: Mapping[str, Any], run: str, name: str) -> dict[str, Any]:
    """A row in whose texts the agent has its name, and not that of the run that it is from."""
    return {
        key: _with_name(value, run, name) if isinstance(value, str) else value
        for key, value in row.items()
    }


def _with_name(text: str, run: str, name: str) -> str:
    """A text in which a run is called by another name, but not another run whose name is longer.

    >>> _with_name("rung arena be_ranga runs/a pair:runs/a+greedy runs/a-2", "runs/a", "zoo/a")
    'rung arena be_ranga zoo/a pair:zoo/a+greedy runs/a-2'
    """
    return re.sub(rf"(?<![\w./-]){re.escape(run)}(?![\w./-])", lambda _: name, text)


def _calls(results: Mapping[str, Any], run: str) -> list[dict[str, Any]]:
    return [call for game in results["games"] for call in game["calls"] if call["agent"] == run]


def page_of(card: Mapping[str, Any], curve: str | None = None) -> str:
    """The card as Markdown, for a folder that has the learning curve under the name given."""
    training, network = card["training"], card["network"]
    hidden = " x ".join(map(str, network["hidden"]))
    versions = ", ".join(f"{name} {number}" for name, number in training["versions"].items())
    lines = [
        f"# {card['name']}",
        "",
        f"Plays **{card['game']}**. A policy network, {hidden} units, {card['parameters']:,} "
        f"weights ({card['bytes'] / 2**20:.1f} MB), layout version {card['layout_version']} of the "
        f"view. Licence: {card['licence']}.",
        "",
        "## How it was trained",
        "",
        f"    {training['command']}",
        "",
        f"{training['steps']:,} seat-steps in {training['updates']:,} updates, "
        f"{training['seconds'] / 60:.0f} minutes, seed {training['seed']}; on "
        f"{training['machine']}; {versions}.",
        "",
    ]
    if curve:
        lines += [f"![Points a deal on validation deals while it learned]({curve})", ""]
    if card["results"]:
        lines += ["## How good it is", "", *_table(card["results"]), ""]
    if card["calls"]:
        lines += ["## What it calls", "", "Against all of these opponents together:", ""]
        lines += [line for call in card["calls"] for line in _call_lines(call)]
        lines += [""]
    if card["weaknesses"]:
        lines += ["## Known weaknesses", "", *(f"- {note}" for note in card["weaknesses"]), ""]
    return "\n".join(lines)


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The figures, and under them the commands that made them."""
    commands = list(dict.fromkeys(row["command"] for row in rows))
    sets = dict.fromkeys(f"{row['deals']} set {row['set']}" for row in rows)
    games = {row.get("game") for row in rows}
    of_several = len(games) > 1  # then each row says of which
    lines = [
        f"Points per deal on duplicate deals ({', '.join(sets)}), each deal played twice with the "
        "teams exchanged.",
        "",
        f"|{' game |' * of_several} agent | against | points | 95 % interval | rounds won "
        "| pairs | by |",
        f"|{'---|' * of_several}---|---|---|---|---|---|---|",
    ]
    for row in rows:
        won = "" if row["win"] is None else f"{row['win']:.1%}"
        by = commands.index(row["command"]) + 1
        game = f" {row['game']} |" if of_several else ""
        lines.append(
            f"|{game} {row['agent']} | {row['against']} | {row['points']:+.3f} "
            f"| {row['low']:+.3f} to {row['high']:+.3f} | {won} | {row['pairs']:,} | {by} |"
        )
    return [*lines, "", *(f"{n}. `{command}`" for n, command in enumerate(commands, 1))]


def _call_lines(call: Mapping[str, Any]) -> list[str]:
    suits = ", ".join(f"{suit} {share:.0%}" for suit, share in call["suits"].items())
    lines = [f"- {call['success']:.1%} of {call['made']:,} calls won the round; suits: {suits}"]
    if call["pass"] is not None:
        asked = f"{call['asked']:,} calls that could be passed"
        lines.insert(0, f"- {call['pass']:.1%} of {asked} were passed")
    if call["ranks"]:
        ranks = ", ".join(f"{rank} {share:.0%}" for rank, share in call["ranks"].items())
        lines.append(f"- rank of the card laid face down: {ranks}")
    return lines
