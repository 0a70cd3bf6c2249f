"""Imports point one way only: rungenv <- agents <- train, and upward in the list of files below."""

import ast
import graphlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PACKAGES = ("rungenv", "agents", "train")
"""Each package may import itself and those before it."""

RULES_FLOOR = (
    "bits",
    "columns",
    "chance",
    "cards",
    "actions",
    "rules",
    "checks",
    "storage",
    "state",
    "sealed",
    "snapshot",
    "dealing",
    "draws",
    "trump",
    "extras",
    "legal",
    "trick",
    "collect",
    "score",
    "match",
    "tables",
    "kernel",
    "layout",
    "packing",
    "knowledge",
    "view",
    "table",
    "evidence",
    "splits",
    "orders",
    "from_view",
    "placing",
    "belief",
    "record",
    "recording",
    "record_json",
    "record_text",
    "record_file",
    "recorder",
)
"""The files of rungenv that are the rules: each may import those before it, and numpy."""


def imported(source: str, package: str = "") -> set[str]:
    """The dotted names that a module's source imports, wherever in it the import stands.

    `from a import b` may mean the module a.b or a name inside a, so it gives "a.b". A relative
    import is read as standing in a module directly inside `package`.
    """
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = [package if node.level else "", node.module or ""]
            start = ".".join(part for part in parts if part)
            names.update(f"{start}.{alias.name}" for alias in node.names)
    return names


def modules(package: str) -> dict[str, Path]:
    """A package's modules by dotted name, the package itself among them."""
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = {name: path for package in PACKAGES for name, path in modules(package).items()}


def imports_of(module: str) -> set[str]:
    """Which modules of this project one of them imports, and which packages from elsewhere."""
    path = MODULES[module]
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    found = set()
    for name in imported(path.read_text("utf-8"), package):
        if name.partition(".")[0] not in PACKAGES:
            found.add(name.partition(".")[0])
        elif name in MODULES:
            found.add(name)
        else:
            found.add(name.rpartition(".")[0] or name)
    return found


def is_adapter(module: str) -> bool:
    package, _, name = module.partition(".")
    return package == "rungenv" and name != "" and name not in RULES_FLOOR


def test_imports_are_found_in_every_form():
    source = (
        "import numpy as np\nfrom rungenv import kernel, view\nfrom . import cards\n"
        "from .bits import BIT\ndef f():\n    import rungenv.record\n"
    )
    assert imported(source, "rungenv") == {
        "numpy",
        "rungenv.kernel",
        "rungenv.view",
        "rungenv.cards",
        "rungenv.bits.BIT",
        "rungenv.record",
    }


@pytest.mark.parametrize("module", MODULES)
def test_a_package_imports_no_later_package(module):
    own = PACKAGES.index(module.partition(".")[0])
    later = {
        name
        for name in imports_of(module)
        if name.partition(".")[0] in (*PACKAGES[own + 1 :], "tests", "notebooks")
    }
    assert not later, f"{module} imports {sorted(later)}: {' <- '.join(PACKAGES)}"


@pytest.mark.parametrize("name", [name for name in RULES_FLOOR if f"rungenv.{name}" in MODULES])
def test_the_rules_floor_imports_only_files_before_it_and_numpy(name):
    before = {f"rungenv.{other}" for other in RULES_FLOOR[: RULES_FLOOR.index(name)]}
    allowed = before | {"numpy"} | sys.stdlib_module_names
    wrong = imports_of(f"rungenv.{name}") - allowed
    assert not wrong, f"rungenv.{name} may not import {sorted(wrong)}"


def test_adapters_do_not_import_one_another_in_a_circle():
    uses = {
        module: {name for name in imports_of(module) if is_adapter(name)}
        for module in MODULES
        if is_adapter(module)
    }
    graphlib.TopologicalSorter(uses).prepare()


def test_no_file_of_rungenv_imports_the_names_of_the_package():
    """`rungenv/__init__.py` imports the files; a file that imports it back makes a circle."""
    files = [module for module in MODULES if module.startswith("rungenv.")]
    assert not [module for module in files if "rungenv" in imports_of(module)]
