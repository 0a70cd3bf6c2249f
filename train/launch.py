"""Training in several ranks on this machine: starting them, and starting them again.

`torchrun` can do the same, on many machines too:

    torchrun --nproc-per-node 2 -m -- train train ...

The two dashes keep it from taking `--run` for an option of its own.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

RESTARTS = 3
"""How often the ranks of a run are started again after one was lost."""

DONE, CRASHED, ERROR, LOST, STOPPED = 0, 1, 2, 3, 130
"""Exit codes of a rank; LOST is that of one that has lost another. Negative: it was killed."""

_GRACE = 20.0
"""Seconds that ranks have to end by themselves once one was lost."""


def run_ranks(size: int, args: Sequence[str]) -> int:
    """Run `rung train` with these arguments in `size` ranks; returns the exit code.

    args must name the run's folder. When a rank is lost the others are ended, and all go on from
    the run's last checkpoint, up to RESTARTS times.
    """
    for restart in range(RESTARTS + 1):
        codes, is_stopped = _run_once(size, args, restart)
        for code in (CRASHED, ERROR):
            if code in codes:
                return code
        if not any(codes):
            return DONE
        if is_stopped or set(codes) <= {DONE, STOPPED}:  # told to by us, or by somebody else
            return STOPPED
        killed = [f"rank {n} by {signal.Signals(-c).name}" for n, c in enumerate(codes) if c < 0]
        print(f"killed: {', '.join(killed) or 'none'}", file=sys.stderr, flush=True)
    print(f"given up after {RESTARTS} restarts", file=sys.stderr)
    return LOST


def _run_once(size: int, args: Sequence[str], restart: int) -> tuple[list[int], bool]:
    """Start the ranks and wait for all to end: their exit codes, and whether they were told to."""
    command = [sys.executable, "-m", "train", "train", *args]
    together = {
        "WORLD_SIZE": str(size),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_free_port()),
        "TORCHELASTIC_RESTART_COUNT": str(restart),
    }
    ranks: list[subprocess.Popen[bytes]] = []
    is_stopped = False

    def pass_on(number: int, frame: FrameType | None) -> None:
        nonlocal is_stopped
        is_stopped = True
        for rank in ranks:
            rank.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in range(size):
            numbers = {"RANK": str(number), "LOCAL_RANK": str(number)}
            ranks.append(subprocess.Popen(command, env=os.environ | together | numbers))
        return _wait(ranks), is_stopped
    finally:
        for rank in ranks:
            rank.kill()
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait(ranks: list[subprocess.Popen[bytes]]) -> list[int]:
    """Until all have ended, or long enough after one was lost."""
    deadline = float("inf")
    while any(rank.poll() is None for rank in ranks):
        failed = any(rank.poll() not in (None, DONE, STOPPED) for rank in ranks)
        if failed and deadline == float("inf"):
            deadline = time.monotonic() + _GRACE
        if time.monotonic() > deadline:
            for rank in ranks:
                rank.kill()
        time.sleep(0.05)
    return [rank.wait() for rank in ranks]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
