"""Notebooks as they are stored: executed from top to bottom, in full, and slim.

That they run is tested by nbmake, which executes them as a test each, with QUICK set.
"""

import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from notebooks.execute import QUICK, code_hash, execute

FOLDER = Path(__file__).parent.parent / "notebooks"
STORED = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 1_500_000
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")


def read(path: Path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook) -> list:
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def texts(notebook) -> list[str]:
    """All that is to be read in the outputs: what is printed, and results as text."""
    texts = [output.get("text", "") for output in outputs(notebook)]
    results = [output.get("data", {}).get("text/plain", "") for output in outputs(notebook)]
    return [text for text in texts + results if text]


@pytest.fixture(params=STORED, ids=lambda path: path.name)
def stored(request):
    return read(request.param)


def test_notebooks_are_numbered():
    assert STORED
    assert all(re.fullmatch(r"\d\d(_[a-z]+)+\.ipynb", path.name) for path in STORED)
    assert len({path.name[:2] for path in STORED}) == len(STORED)


def test_each_was_executed_from_top_to_bottom(stored):
    counts = [cell.execution_count for cell in code_cells(stored)]
    assert counts == list(range(1, len(counts) + 1))


def test_each_has_the_outputs_of_the_code_it_has(stored):
    """`make notebooks` stores them anew."""
    assert stored.metadata.executed_code == code_hash(stored)
    shown = [set(output.get("data", ())) for output in outputs(stored)]
    assert any(kinds & {"image/png", "image/svg+xml"} for kinds in shown)


def test_none_has_an_error_or_a_warning(stored):
    assert not [output for output in outputs(stored) if output.output_type == "error"]
    assert not [output.text for output in outputs(stored) if output.get("name") == "stderr"]


def test_what_is_shown_is_the_same_in_every_run(stored):
    assert not [text for text in texts(stored) if ADDRESS.search(text)]


def test_each_is_slim(stored):
    assert set(stored.metadata) == {"kernelspec", "language_info", "executed_code"}
    assert stored.metadata.kernelspec.name == "python3"
    assert all(set(cell.metadata) <= {"tags"} for cell in stored.cells)


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_each_file_is_small(path):
    assert path.stat().st_size < MOST_BYTES


def test_each_begins_with_a_title_and_ends_in_words(stored):
    first, last = stored.cells[0], stored.cells[-1]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert last.cell_type == "markdown"


# Storing one.


def write(path: Path, *sources: str) -> bytes:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path.read_bytes()


def test_a_notebook_is_stored_with_the_outputs_of_a_full_run(tmp_path, monkeypatch):
    monkeypatch.setenv(QUICK, "1")
    path = tmp_path / "small.ipynb"
    write(path, "import os\nprint(os.environ.get('QUICK'))", "6 * 7")
    execute(path)
    notebook = read(path)
    assert texts(notebook) == ["None\n", "42"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2]
    assert notebook.metadata.executed_code == code_hash(notebook)
    assert [cell.metadata for cell in notebook.cells] == [{}, {}]
    assert os.environ[QUICK] == "1"
    before = path.read_bytes()
    notebook.cells[1].source = "6 / 0"
    nbformat.write(notebook, path)
    assert code_hash(read(path)) != json.loads(before)["metadata"]["executed_code"]
    edited = path.read_bytes()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(path)
    assert path.read_bytes() == edited
    assert list(tmp_path.iterdir()) == [path]
