"""Directives for what the packages say of themselves, so that no table is kept by hand.

```{table-of} train.games:options_table      a function that gives a rich table, or Markdown
```{options-of} train.config:Config          a dataclass of dataclasses, by dotted name
```{picture} mendikot                        a table of a game after some actions of greedy
"""

import base64
import contextlib
import dataclasses
import io
import os
import re
from collections.abc import Iterator, Sequence
from html import escape
from importlib import import_module
from typing import Any
from unittest import mock

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from rich.table import Table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import agents
import rungenv
from rungenv.actions import ACTION_NAMES, CALL, N_ACTIONS
from rungenv.layout import SETS, SMALLS, Form
from rungenv.state import COLUMNS
from rungenv.words import fields_table
from train.cli import COMMANDS
from train.games import field_meanings


def named(path: str) -> Any:
    """What "module:name" is the address of."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def markdown(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines
    )


def of_rich(table: Table) -> str:
    """A table for the terminal, in Markdown: its first column is names, its headers plain words."""
    rows = zip(*(column.cells for column in table.columns), strict=True)
    plain = [[f"`{first}`", *map(str, rest)] for first, *rest in rows]
    return markdown([str(column.header) for column in table.columns], plain)


def actions_table() -> str:
    """The 61 actions by number."""
    suits = [
        [f"{first} to {first + 12}", f"`{ACTION_NAMES[first]}` to `{ACTION_NAMES[first + 12]}`"]
        for first in range(0, CALL, 13)
    ]
    others = [[str(number), f"`{ACTION_NAMES[number]}`"] for number in range(CALL, N_ACTIONS)]
    return markdown(["number", "action"], suits + others)


def columns_table() -> str:
    """The columns of `rungenv.state.State`."""
    rows = [
        [f"`{name}`", _shape(column.width), column.dtype.__name__, column.meaning]
        for name, column in COLUMNS.items()
    ]
    return markdown(["column", "shape", "dtype", "meaning"], rows)


def parts_table() -> str:
    """The parts of a view, those of card sets first."""
    rows = [
        [
            f"`{part.name}`",
            _shape(part.rows),
            "uint64 set" if part.form == Form.SET else "int8",
            part.meaning,
            part.rule,
        ]
        for part in SETS + SMALLS
    ]
    return markdown(["part", "shape", "dtype", "meaning", "rule"], rows)


def _shape(width: int) -> str:
    return "(n,)" if width == 1 else f"(n, {width})"


def options_of(kind: type, prefix: str = "") -> Iterator[list[str]]:
    """The options of a dataclass and those inside it: dotted name, default, meaning."""
    meanings = field_meanings(kind)
    for field in dataclasses.fields(kind):
        default = getattr(kind(), field.name)
        name = prefix + field.name
        if dataclasses.is_dataclass(default) and not isinstance(default, rungenv.Rules):
            yield from options_of(type(default), f"{name}.")
        else:
            shown = "" if isinstance(default, rungenv.Rules) else f"`{default}`"
            yield [f"`{name}`", shown, meanings.get(field.name, "")]


class TableOf(SphinxDirective):
    """A table that a function of the packages gives, as Markdown or for the terminal."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        made = named(self.arguments[0])()
        return self.parse_text_to_nodes(of_rich(made) if isinstance(made, Table) else made)


class OptionsOf(SphinxDirective):
    """Every option of a configuration with its default and its meaning."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        rows = list(options_of(named(self.arguments[0])))
        return self.parse_text_to_nodes(markdown(["option", "default", "meaning"], rows))


class Commands(SphinxDirective):
    """The `--help` of every command of `rung`, as a terminal of this width would have it."""

    def run(self) -> list[nodes.Node]:
        sections = []
        for name, (module, purpose) in COMMANDS.items():
            section = nodes.section(ids=[f"rung-{name}"])
            section += nodes.title(text=f"rung {name}")
            section += nodes.paragraph(text=f"{purpose[0].upper()}{purpose[1:]}.")
            section += nodes.literal_block(text=help_of(module), language="text")
            sections.append(section)
        return sections


def help_of(module: str) -> str:
    """What a command prints when it is asked for help, without colours."""
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "90"}),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        import_module(module).main(["--help"])
    return re.sub(r"\x1b\[[0-9;]*m", "", printed.getvalue()).strip()


class TablePicture(SphinxDirective):
    """A table of a game after some actions of the greedy agent, as `rungenv.picture` draws it."""

    required_arguments = 1
    has_content = True
    option_spec = {
        "seed": directives.nonnegative_int,
        "actions": directives.nonnegative_int,
        "seat": directives.nonnegative_int,
        "reveal": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        game = self.arguments[0]
        tables = rungenv.deal(rungenv.variant(game), 1, seed=self.options.get("seed", 0))
        greedy, chance = agents.make("greedy"), np.random.default_rng(0)
        for _ in range(self.options.get("actions", 0)):
            rungenv.step(tables, greedy.act(rungenv.observe(tables), chance))
        shown = rungenv.picture(
            tables, seat=self.options.get("seat"), reveal="reveal" in self.options
        )
        data = base64.b64encode(shown.svg().encode()).decode()
        said = " ".join(self.content) or game
        html = (
            f'<figure class="table-picture"><img src="data:image/svg+xml;base64,{data}" '
            f'alt="{escape(said, quote=True)}"><figcaption>{escape(said)}</figcaption></figure>'
        )
        return [nodes.raw("", html, format="html")]


def write_fields(app: Sphinx, page: str, source: list[str]) -> None:
    """The page of columns is made from `rungenv.FIELDS`, and not from the file that was kept."""
    if page == "rungenv/FIELDS":
        source[0] = fields_table()


def show_blocks_as_they_stand(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Docstrings are plain text: an indented block below a paragraph is code, or an example."""
    told, before = [], ""
    for number, line in enumerate(lines):
        is_first = line.startswith("    ") and number > 0 and not lines[number - 1]
        if is_first and before[:1] not in ("", " ", "-", ".") and not before.endswith("::"):
            told += ["::", ""]
        told.append(line)
        before = line or before
    lines[:] = told


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directives known to Sphinx."""
    app.add_directive("table-of", TableOf)
    app.add_directive("options-of", OptionsOf)
    app.add_directive("commands", Commands)
    app.add_directive("picture", TablePicture)
    app.connect("source-read", write_fields)
    app.connect("autodoc-process-docstring", show_blocks_as_they_stand)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
