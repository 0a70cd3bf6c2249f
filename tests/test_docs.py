"""The documentation: its links, its pages, its names, and the commands and files that it shows.

Its Python examples are doctests; `make docs` builds all of it, with warnings as errors.
"""

import ast
import importlib
import json
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest
import tyro

import agents
import rungenv
from train import arena, cli, config

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def pages() -> dict[str, str]:
    """The text of every page that people read, by its path; of a notebook its words alone."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", "*.md", "*.ipynb"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    found = {}
    for path in filter(None, listed.stdout.split("\0")):
        text = (ROOT / path).read_text("utf-8") if (ROOT / path).is_file() else ""
        if path.endswith(".ipynb") and text:
            cells = json.loads(text)["cells"]
            text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        found[path] = text
    return found


PAGES = pages()


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^(`{3,})[^\n]*\n.*?^\1", "", text, flags=re.M | re.S))


def anchors(text: str) -> set[str]:
    """What links may name in a page: its headings in small letters, with hyphens."""
    headings = re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES)
def test_no_link_is_dead(page):
    """A link to a folder is dead as well: the site has pages and files alone."""
    dead = []
    for link in re.findall(r"\]\(<?([^)\s>]+)>?\)", without_code(PAGES[page])):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (ROOT / page).parent / file if file else ROOT / page
        name = str(target.resolve().relative_to(ROOT)) if target.is_file() else ""
        if not name or (anchor and name in PAGES and anchor not in anchors(PAGES[name])):
            dead.append(link)
    assert not dead


def test_every_page_of_the_documentation_is_listed_and_there():
    index = (DOCS / "index.md").read_text("utf-8")
    listed = [
        re.sub(r".*<(.*)>", r"\1", line).strip("/ ")
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```", index, re.M | re.S)
        for line in block.splitlines()
        if line and not line.startswith(":")
    ]
    plain = {entry for entry in listed if "*" not in entry}
    ours = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")}
    elsewhere = {entry for entry in plain - ours if (ROOT / f"{entry}.md").is_file()}
    assert plain - ours - elsewhere == set()
    assert ours - plain == {"index"}
    assert elsewhere > {"README", "rungenv/RULES", "rungenv/FIELDS", "agents/PROTOCOL"}


API = "\n".join(path.read_text("utf-8") for path in sorted((DOCS / "api").glob("*.md")))


def test_every_public_name_has_an_entry():
    def is_there(package, name):
        entry = rf"^\.\. (?:auto|py:)\w+:: (?:{package}\.)?{name}$|:members:.*\b{name}\b"
        return re.search(entry, API, re.M)

    names = [
        *(("rungenv", name) for name in rungenv.__all__),
        *(("agents", name) for name in agents.__all__),
        *(("train.arena", name) for name in arena.__all__),
    ]
    assert not [name for name in names if not is_there(*name)]


@cache
def defined(module: str) -> set[str]:
    """The names that a module's source defines or imports, without importing it."""
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    names = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def test_every_entry_is_the_name_of_something():
    current = ""
    for kind, name in re.findall(r"^\.\. (auto\w+|currentmodule):: (\S+)$", API, re.M):
        module, _, last = name.rpartition(".")
        if kind == "currentmodule":
            current = name
        elif kind == "automodule":
            assert defined(name), name
        elif (module or current) == "rungenv":
            assert last in rungenv.__all__
        else:
            assert last in defined(module), name
    for module, names in re.findall(r"^\.\. automodule:: (\S+)\n   :members: (.+)$", API, re.M):
        assert set(names.split(", ")) <= defined(module), module


CONFIGURATIONS = re.compile(r"^```yaml\n(.*?)^```", re.M | re.S)


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/")])
def test_configurations_that_are_shown_can_be_read(page, tmp_path):
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    for block in CONFIGURATIONS.findall(PAGES[page]):
        (tmp_path / "mine.yaml").write_text(block)
        assert config.load(tmp_path / "mine.yaml")


def commands(text: str) -> list[list[str]]:
    """Every command line of `rung` in a page: the words after it."""
    shown = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
    shown += re.findall(r"^    rung .*$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    found = []
    for line in "\n".join(shown).replace("\\\n", " ").splitlines():
        line = re.sub(r"^    | {2,}.*| #.*", "", line.removeprefix("$ "))
        _, train, rest = line.partition("-m -- train train ")
        if train:
            found.append(["train", *shlex.split(rest)])
        elif line.startswith("rung "):
            found.append(shlex.split(line)[1:])
    return found


SHOWN = {
    shlex.join(words): words
    for text in PAGES.values()
    for words in commands(text)
    if not (words[0] == "train" and "--resume" in words)  # which reads the run
}


class Understood(Exception):
    """Raised in place of doing what a command line says."""


@pytest.mark.parametrize("words", SHOWN.values(), ids=SHOWN)
def test_command_lines_that_are_shown_are_understood(words, monkeypatch, tmp_path):
    def read_only(*args, **settings):
        understand(*args, **settings)
        raise Understood

    understand = tyro.cli
    monkeypatch.setattr(tyro, "cli", read_only)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    (tmp_path / "mine.yaml").write_text(CONFIGURATIONS.findall(PAGES["docs/how_to/train.md"])[0])
    name, *args = words
    module, _ = cli.COMMANDS[name]
    with pytest.raises(Understood):
        importlib.import_module(module).main(args)


def test_commands_are_found():
    assert len(SHOWN) > 30
    assert {words[0] for words in SHOWN.values()} >= {"arena", "train", "play", "export", "games"}
