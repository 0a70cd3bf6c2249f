"""The files that an agent's name stands for: whether an agent is still what it was."""

import hashlib
import re
from pathlib import Path

from agents import zoo

WEIGHTS = ".safetensors"
"""How files of trained agents end."""
CHECKPOINT, BEST = f"checkpoint{WEIGHTS}", f"best{WEIGHTS}"
"""In a run's folder: where the run stands, and the agent that did best on validation deals."""

_BETWEEN = re.compile(r"[:,+=\s]+")
"""What stands between the parts of an agent's name."""


def files_of(name: str) -> tuple[Path, ...]:
    """The files that the parts of an agent's name stand for, in their order.

    Weights in the zoo, in a run's folder or elsewhere, files of bots and those of a program's
    command; not what these import. What is no file is passed over.

    >>> [path.name for path in files_of("search:prior=zoo/be_ranga,rollout=greedy")]
    ['be_ranga.safetensors']
    """
    found = (_file(part) for part in _BETWEEN.split(name) if part)
    return tuple(dict.fromkeys(path for path in found if path is not None))


def digest_of(name: str) -> str:
    """A word for the contents of an agent's files, another for others; "" without any.

    >>> digest_of("greedy"), len(digest_of("zoo/be_ranga"))
    ('', 16)
    """
    files = files_of(name)
    contents = hashlib.sha256()
    for path in files:
        contents.update(hashlib.sha256(path.read_bytes()).digest())
    return contents.hexdigest()[:16] if files else ""


def _file(part: str) -> Path | None:
    path = zoo.weights(part) if part in zoo.names() else Path(part)
    if not path.name:
        return None
    choices = (path / BEST, path / CHECKPOINT, path, path.with_name(path.name + WEIGHTS))
    try:
        return next((choice for choice in choices if choice.is_file()), None)
    except OSError:  # no system has a file of such a name
        return None
