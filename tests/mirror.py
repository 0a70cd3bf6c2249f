"""The kernel's public columns beside the reference's attributes, in one form to compare."""

import dataclasses
from operator import attrgetter

from reference import GAMES, Table, name
from rungenv import Kind, Phase

FLAGS = ("passed", "timed_out", "owner_knows", "must_trump", "waiting_ace")
MAYBE = (
    *("seat", "next_dealer", "trump", "led", "holder", "caller", "turned_up", "face_down"),
    *("owner", "shown", "asker", "waiting", "winner", "match_winner"),
)
NUMBERS = ("dealer", "pile", "pile_tens", "trick_number", "redeal")
LISTS = ("tricks", "tens", "points", "kots", "streak", "new_cards_left")
SETS = ("hands", "first_five", "played", "voids")
PUBLIC = (*FLAGS, *MAYBE, *NUMBERS, *LISTS, *SETS, "trick", "phase", "kind", "legal", "length")
"""What is compared, in the order of the tuples below."""

PHASES = {phase.name: int(phase) for phase in Phase}
KINDS = {kind.name: int(kind) for kind in Kind}
BIT = [1 << number for number in range(61)]
read_flags, read_maybe, read_sets = (attrgetter(*names) for names in (FLAGS, MAYBE, SETS))
read_plain = attrgetter(*NUMBERS, *LISTS)


def bits(numbers):
    return sum(map(BIT.__getitem__, numbers))


def reference_columns(table: Table, legal: list[int]):
    """The values of PUBLIC at a reference table where this is legal, as the kernel keeps them."""
    return (
        *map(int, read_flags(table)),
        *[-1 if value is None else value for value in read_maybe(table)],
        *read_plain(table),
        *[[bits(numbers) for numbers in four] for four in read_sets(table)],
        [-1 if card is None else card for card in table.trick],
        *(PHASES[table.phase], KINDS[table.kind], bits(legal), len(table.history)),
    )


def kernel_columns(tables):
    """The values of PUBLIC at every table of the kernel: a list of tuples."""
    columns = [
        (tables.legal() if column == "legal" else getattr(tables, column)).tolist()
        for column in PUBLIC
    ]
    return list(zip(*columns, strict=True))


def kernel_history(tables, row):
    """The actions of the kernel's table so far: a list of (seat, action)."""
    past = tables.history[row, : tables.length[row]].tolist()
    return [(entry >> 6, entry & 63) for entry in past]


def mirror(tables, row):
    """A reference table like the kernel's, whose round is just dealt."""
    match = {
        column: getattr(tables, column)[row].tolist()
        for column in ("points", "kots", "streak", "new_cards_left")
    }
    deal = tables.deal[row].tolist()
    return Table(plain_options(tables.rules), int(tables.dealer[row]), [deal], **match)


def plain_options(rules):
    return {
        option: str(value) if isinstance(value, str) else value
        for option, value in dataclasses.asdict(rules).items()
    }


def record(table: Table, kernel=None):
    """A round in text: rules, dealer, deals, actions, and what the kernel has otherwise."""
    options = table.options
    nearest = min(GAMES, key=lambda game: len(GAMES[game].items() ^ options.items()))
    changed = {key: value for key, value in options.items() if GAMES[nearest][key] != value}
    lines = ["", f"rules   {nearest} {changed}", f"dealer  {table.dealer}"]
    for deal in table.deals[: table.redeal + 1]:
        lines += ["deal    " + " ".join(map(name, deal[seat])) for seat in range(4)]
    lines.append("actions " + " ".join(name(action) for _, action in table.history))
    if kernel is not None:
        reference = reference_columns(table, table.legal())
        for column, ours, theirs in zip(PUBLIC, reference, kernel, strict=True):
            if ours != theirs:
                lines.append(f"{column}: reference {ours}, kernel {theirs}")
    return "\n".join(lines)
