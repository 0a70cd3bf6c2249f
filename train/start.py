"""`rung train`: a new run, or one that goes on.

Torch takes long to load, so it is left until the command line has been found sound.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from train import launch, train_command
from train.options import on_a_command_line
from train.train_command import Command

if TYPE_CHECKING:
    from train.config import Config
    from train.ranks import Ranks


def new_folder(name: str) -> Path:
    """runs/<name>, or when there is one already runs/<name>-2 and so on; not yet made."""
    folder = Path("runs", name)
    number = 2
    while folder.exists():
        folder = Path("runs", f"{name}-{number}")
        number += 1
    return folder


def main(args: Sequence[str]) -> int:
    """`rung train`: the exit code is 0, or 130 after Ctrl-C."""
    command = train_command.parse(args)
    if command.ranks > 1:
        folder = _folder(command)
        rest = () if command.resume or command.settings.run else ("--run", str(folder))
        code = launch.run_ranks(command.ranks, (*args, "--ranks", "1", *rest))
        if code == launch.STOPPED:
            Console().print(f"stopped; go on with: rung train --resume {folder}")
        return code

    from train.ranks import joined

    try:
        with joined() as ranks:
            return _train(command, ranks)
    except ConnectionError as error:
        print(f"rung train: {error}", file=sys.stderr)
        return launch.LOST


def _train(command: Command, ranks: "Ranks") -> int:
    from train.loop import is_over, train
    from train.progress import CURVE

    settings = command.settings
    folder = Path(ranks.told_by_first(str(_folder(command)) if ranks.is_first else None))
    console = Console(quiet=not ranks.is_first)
    if command.resume is None:
        usual = Path("runs", settings.game)
        if settings.run is None and folder != usual:
            console.print(f"there is a run in {usual} already: this one is another")
        console.print(f"training {settings.game} in {folder}")
    else:
        console.print(f"going on with {settings.game} in {folder}")
    state = train(settings, folder, console, ranks)
    if not is_over(settings, state):
        console.print(f"stopped and saved; go on with: rung train --resume {folder}")
        return launch.STOPPED
    curve = f", as is its learning curve, {CURVE}" if state.curve else ""
    console.print(f"the agent is in {folder}{curve}")
    console.print(f"how good it is: {measuring(settings, folder)}")
    return 0


def measuring(settings: "Config", folder: Path) -> str:
    """The command that measures a run's agent on test deals.

    >>> from train.config import from_dict
    >>> settings = from_dict({"game": "double_sar", "rules": {"no_late_pickup": True}})
    >>> measuring(settings, Path("runs/mine"))
    'rung arena double_sar runs/mine greedy expert --deals test --rules no_late_pickup=True'
    """
    game, house_rules = on_a_command_line(settings.games)
    words = ["rung", "arena", game, str(folder), "greedy", "expert", "--deals", "test"]
    return shlex.join([*words, *house_rules])


def _folder(command: Command) -> Path:
    """Where the run is, or is to be; ranks that were started again go on in the same."""
    if command.resume is not None:
        return command.resume
    if command.settings.run is None:
        return new_folder(command.settings.game)
    folder = Path(command.settings.run)
    if folder.exists() and int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) == 0:
        raise ValueError(f"{folder} exists already; go on with it by --resume {folder}")
    return folder
