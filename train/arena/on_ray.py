"""The arena's pieces of work on a Ray cluster: the optional extra `ray`.

The pieces are those that processes of one machine play, and so are the results. Where a worker
dies, Ray starts its piece again elsewhere; a piece whose result did come is never asked for again.
On other machines of a cluster this package must be installed, and files that agents are named by
must lie in the same places.
"""

import importlib
from collections.abc import Generator, Sequence

from train.arena.piece import Piece
from train.arena.workers import DEATHS, Done, thread_variables, work

LOCAL = "local"
"""Instead of an address: a cluster on this machine, for as long as the pieces take."""


def run_on_ray(pieces: Sequence[Piece], *, address: str = LOCAL) -> Generator[Done, None, None]:
    """Pieces side by side on the cores of a cluster; ValueError where Ray is not installed.

    A cluster that this process is connected to already is used, and left as it is.
    """
    if not pieces:
        return
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise ValueError("Ray is not installed: pip install 'rungenv[ray]'") from None
    connected = ray.is_initialized()
    if not connected:
        try:
            ray.init(address=None if address == LOCAL else address, log_to_driver=False)
        except ConnectionError as error:
            raise ValueError(f"no Ray cluster answers at {address}: {error}") from None
    try:
        one_thread = {"env_vars": dict.fromkeys(thread_variables(), "1")}
        play = ray.remote(num_cpus=1, max_retries=DEATHS, runtime_env=one_thread)(work)
        running = [play.remote(piece) for piece in pieces]
        while running:
            finished, running = ray.wait(running, num_returns=1)
            yield ray.get(finished[0])
    finally:
        if not connected:
            ray.shutdown()
