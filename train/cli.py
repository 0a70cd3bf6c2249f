"""The console command `rung`. What a command does not need it does not load: torch takes long."""

import importlib
import os
import sys
from collections.abc import Sequence

from agents import AgentFailure
from rungenv.rules import nearest

COMMANDS = {
    "demo": ("train.demo", "train an agent at single sar and measure it, in minutes"),
    "train": ("train.start", "train an agent by self-play, or go on with a run"),
    "arena": ("train.arena.versus", "measure agents against one another on duplicate deals"),
    "ladder": ("train.arena.ladder_page", "write the ladders of tournaments as a page of Markdown"),
    "play": ("train.play", "sit down at a table with agents"),
    "replay": ("train.replay", "step through a recorded game"),
    "export": ("train.export", "write a run's agent as a file, with its model card"),
    "bench": ("train.bench", "measure the speed of the environments on this machine"),
    "games": ("train.games", "list the games, their options, and the agents"),
}
"""Each command's module, whose `main(args)` returns the exit code, and what it is for."""

_USAGE = """\
usage: rung COMMAND ...

Court Piece (Rung): six games to train, measure and play agents at.

{commands}

`rung COMMAND --help` lists what a command can be told. To begin with:

  rung play single_sar                          a match with greedy agents
  rung arena all greedy random                  one agent against another, in all six games
  rung train --game double_sar                  training; the agent lands in runs/double_sar
  rung arena double_sar runs/double_sar greedy  how good it has become
"""


def usage() -> str:
    """What `rung --help` prints."""
    lines = [f"  {name:8}{purpose}" for name, (_, purpose) in COMMANDS.items()]
    return _USAGE.format(commands="\n".join(lines))


def main(args: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 2 after an error, 130 after Ctrl-C."""
    _open_closed_streams()
    code = 0
    try:
        try:
            code = _run(*((sys.argv[1:] if args is None else args) or ["--help"]))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except SystemExit as stopped:
        if not isinstance(stopped.__context__, BrokenPipeError):  # which rich turns into an exit
            raise
        _drop_output()
    return code


def _run(name: str, *rest: str) -> int:
    if name in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    try:
        return _command(name)(rest)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise
    except (ValueError, OSError, AgentFailure) as error:
        prog = f"rung {name}" if name in COMMANDS else "rung"
        print(f"{prog}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def _open_closed_streams() -> None:
    """Python has None for a stream that was closed before it began, as by `rung play <&-`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _drop_output() -> None:
    """Whoever read the output has gone, as `head` does: what is left of it goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(name: str):
    if name not in COMMANDS:
        raise ValueError(f"no command is called {name!r}{nearest(name, tuple(COMMANDS))}")
    module, _ = COMMANDS[name]
    return importlib.import_module(module).main
