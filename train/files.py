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


def read_json(path: Path) -> Any:
    """The values of a file of JSON; ValueError, in one line, for one that has none."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ValueError(f"there is no file {path}, so it cannot be read") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: it is no JSON: {error}") from None


def read_lines(path: Path) -> list[Any]:
    """The values of a file with JSON in each of its lines; none if there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


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
