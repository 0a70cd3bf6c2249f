"""`python -m train.best_response`: what can be won by training against an agent as it is.

The agent takes the other team's seats at every table, and the policy learns what pays against it
alone. What it gains is a lower bound of what a best response would; the less, the harder the agent
is to exploit (Lockhart et al., Computing approximate equilibria in sequential adversarial games by
exploitability descent, 2019; Timbers et al., Approximate exploitability: learning a best response
in large games, 2022). A policy network begins as the agent itself: then it has nothing to learn
but what the agent does wrong.

The gain is measured on test deals; which policy of the run is best was chosen on validation deals.
"""

import dataclasses
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console

import agents
from agents.network import NetworkAgent
from train import config, marks
from train.config import Config
from train.files import refuse_unwritable, write_json
from train.loop import is_over, train
from train.options import parse

GROUP = "best response"


@dataclass(frozen=True)
class BestResponse:
    """Train against an agent that stays as it is, and measure what that gains.

    For example:

      python -m train.best_response single_sar zoo/single_sar --run runs/response
    """

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """One of the six games."""
    agent: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="AGENT")]
    """The agent to train against."""
    run: Path
    """The folder of the run, which goes on there if it was stopped; marks.json goes there too."""
    steps: int = 20_000_000
    """Seat-steps of training, the agent's own included."""
    warm_up: int = 500_000
    """As many of these are the agent's play against itself, for a critic to learn from."""
    pairs: int = 20_000
    """Pairs of test deals to measure the gain on."""
    seed: int = 0
    """All chance in the run comes from this number."""
    threads: int = 0
    """Threads to learn with; 0: one for each core, up to four."""
    learning_rate: float = 5e-4
    """At the start; it falls to a tenth. Lower than in self-play: the policy is good already."""


def main(args: Sequence[str]) -> int:
    """Train, measure, write marks.json; the exit code is 0, or 130 after Ctrl-C."""
    options = parse(BestResponse, args, "python -m train.best_response")
    settings = settings_of(options)
    path = options.run / "marks.json"
    refuse_unwritable(path)
    state = train(settings, options.run, Console())
    if not is_over(settings, state):
        print("stopped and saved; the same command goes on")
        return 130
    row = gain(options, state.steps)
    marks.tell(row)
    write_json(path, {"format": marks.FORMAT, "rows": [row], "calls": []})
    return 0


def settings_of(options: BestResponse) -> Config:
    """The configuration of the run: the network is the agent's own if it has one."""
    agent = agents.make(options.agent)
    network: dict[str, Any] = {}
    begin: dict[str, Any] = {"agent": options.agent, "steps": options.warm_up}
    if isinstance(agent, NetworkAgent):
        found = agent.network.description()
        if found["attention"] is not None or found["reads_rules"]:
            raise ValueError(f"{options.agent} has a network that this cannot begin as")
        network = {key: found[key] for key in ("fields", "hidden", "suits", "shape")}
        begin["weights"] = options.agent
    return config.from_dict(
        {
            "game": options.game,
            "seed": options.seed,
            "threads": options.threads,
            "network": network,
            "clone": begin,
            "ppo": {
                "learning_rate_start": options.learning_rate,
                "learning_rate_end": options.learning_rate / 10,
                "entropy_start": 0.02,
                "entropy_end": 0.005,
            },
            "league": {"share": 1.0, "agents": [options.agent], "partners": 0.0},
            "budget": {"total_steps": options.steps},
            "report": {"opponents": [options.agent], "pairs": 2000, "every_minutes": 3.0},
        }
    )


def gain(options: BestResponse, steps: int) -> dict[str, Any]:
    """What the run's best policy wins against the agent, as a row of a model card."""
    folder = options.run / f"measured-{steps}"
    meeting = marks.meeting_of(
        GROUP, options.game, str(options.run), options.agent, options.pairs, folder
    )
    trained = f"what trained {steps / 1e6:.1f} M seat-steps against it"
    return {**marks.row_of(meeting), "agent": trained, "command": command_line(options)}


def command_line(options: BestResponse) -> str:
    """The command that measures this, every option spelled out; the folder is anybody's own.

    >>> command_line(BestResponse("be_ranga", "zoo/be_ranga", Path("runs/response"), steps=1000))
    ... # doctest: +ELLIPSIS
    'python -m train.best_response be_ranga zoo/be_ranga --run FOLDER --steps 1000 --warm-up ...'
    """
    words = ["python", "-m", "train.best_response", options.game, options.agent, "--run", "FOLDER"]
    for name, value in dataclasses.asdict(options).items():
        if name not in ("game", "agent", "run"):
            told = f"{value:g}" if isinstance(value, float) else str(value)
            words += [f"--{name.replace('_', '-')}", told]
    return shlex.join(words)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"python -m train.best_response: {error}")
