"""How a tournament was made, for its report: the command, the versions, the seed, the rules."""

import dataclasses
import json
import platform
from importlib.metadata import version
from typing import Any
from xml.etree.ElementTree import Element

import rungenv
from train.arena.markup import Part, section, tag
from train.arena.plan import Settings
from train.arena.report_tables import table

Values = dict[str, Any]


def how_made(values: Values) -> Element:
    """All that the same figures can be made from again."""
    settings = values["settings"]
    files = settings.get("files", {})
    versions = ", ".join(f"{name} {version(name)}" for name in ("rungenv", "numpy"))
    command = Settings.from_dict(settings).command()
    facts: list[tuple[str, Part]] = [
        ("command", tag("code", command + " --allow-cheats" * bool(values["cheats"]))),
        ("agents", "; ".join(values["agents"])),
        ("files", "; ".join(f"{name}: {digest}" for name, digest in files.items()) or None),
        ("deals", f"{values['deals']}, set {values['set']}: seed {values['seed']}, tables from 0"),
        ("versions", f"{versions}, Python {platform.python_version()}"),
        ("pairs at a time", "; ".join(f"{name}: {n:,}" for name, n in settings["blocks"].items())),
        ("clock", f"{settings['clock']:g} s" if settings["clock"] else None),
        ("an agent that fails", "forfeits the round" if settings["forfeit"] else "ends it all"),
    ]
    rows = [
        tag("tr", tag("th", key, scope="row"), tag("td", said))
        for key, said in facts
        if said is not None
    ]
    return section(
        "How it was made",
        "how",
        "The same command gives the same figures, on any number of processes; only times differ.",
        tag("div", tag("table", tag("tbody", rows), class_="facts"), class_="wide"),
        tag("h3", "Rules"),
        _rules(values),
    )


def _rules(values: Values) -> Element:
    """Every option of every game; in bold where it is not what the game's own rules have."""
    games = values["games"]
    rows = []
    for option in games[0]["rules"]:
        cells = []
        for game in games:
            is_changed = option in _changes(game)
            cells.append(tag("td", tag("b" if is_changed else "span", str(game["rules"][option]))))
        rows.append([tag("td", option, class_="name"), *cells])
    return table(["option", *(game["game"] for game in games)], rows, sortable=False)


def _preset(game: Values) -> str:
    return game["game"].split()[0]


def _changes(game: Values) -> Values:
    """The options of a game that its own rules have otherwise, with their values."""
    usual = json.loads(json.dumps(dataclasses.asdict(rungenv.variant(_preset(game)))))
    return {option: value for option, value in game["rules"].items() if value != usual[option]}
