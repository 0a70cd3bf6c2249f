"""Results on disk: their place is tried before the work, and they are written whole or not."""

import json
import os
from pathlib import Path
from typing import Any


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that, whatever happens, its name holds the old contents or the new."""
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)  # the new name itself
    finally:
        os.close(directory)


def write_json(path: Path, values: Any) -> None:
    """Plain values as JSON in a file, whole or not at all."""
    write_atomically(path, (json.dumps(values, indent=2) + "\n").encode())


def refuse_unwritable(path: Path) -> None:
    """Make the file's folder; ValueError if a file of this name could not be written there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        _temporary(path).touch()
        _temporary(path).unlink()
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")
