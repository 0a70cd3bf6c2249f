"""Executes notebooks in full, from a clean kernel, and stores them: `make notebooks`.

    python notebooks/execute.py notebooks/02_your_own_bot.ipynb ...

A notebook is stored with its outputs once all of its cells have run, and not touched before. What
changes from run to run without anything having changed, such as times, is not stored. With the
outputs goes a hash of the code that made them, by which `make test` sees code edited since.
"""

import hashlib
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError

from train.files import write_atomically

QUICK = "QUICK"
"""Where this environment variable is set, as in `make test`, notebooks do all they do with less."""

_SECONDS = 3600
"""That one cell may take, on a machine with much else to do."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def execute(path: Path) -> None:
    """Execute a notebook in its own folder and store it; CellExecutionError if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=_SECONDS,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],  # errors; a warning for each start is noise
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(env={name: value for name, value in os.environ.items() if name != QUICK})
    for cell in notebook.cells:
        cell.metadata = {name: cell.metadata[name] for name in ("tags",) if name in cell.metadata}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "executed_code": code_hash(notebook),
    }
    nbformat.validate(notebook)
    write_atomically(path, (nbformat.writes(notebook).rstrip("\n") + "\n").encode())


def code_hash(notebook: Any) -> str:
    """A hash of all code of a notebook, cell by cell."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256("\0".join(code).encode()).hexdigest()


def main(paths: list[str]) -> int:
    """Execute notebooks one after another; the exit code is 1 if one of them failed."""
    failed = 0
    for path in map(Path, paths):
        print(f"{path}: ", end="", flush=True)
        started = time.perf_counter()
        try:
            execute(path)
        except (CellExecutionError, CellTimeoutError) as error:
            failed = 1
            print(f"failed, and is left as it was\n{_COLOURS.sub('', str(error))}")
        else:
            print(f"{time.perf_counter() - started:.0f} s, {path.stat().st_size / 1e3:.0f} kB")
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
