"""`rung train`: a new run, or one that goes on.

Torch takes long to load, so it is left until the command line has been found sound.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from train import train_command


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
    settings = command.settings
    if command.resume is not None:
        folder = command.resume
    elif settings.run is None:
        folder = new_folder(settings.game)
    else:
        folder = Path(settings.run)
        if folder.exists():
            raise ValueError(f"{folder} exists already; go on with it by --resume {folder}")

    from train.loop import is_over, train

    console = Console()
    console.print(f"training {settings.game} in {folder}")
    state = train(settings, folder, console)
    if not is_over(settings, state):
        console.print(f"stopped and saved; go on with: rung train --resume {folder}")
        return 130
    console.print(f"the agent is in {folder}, as is its learning curve, curve.png")
    return 0
