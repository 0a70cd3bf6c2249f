"""Records in files: JSON Lines, one game a line, UTF-8.

Nothing that goes wrong costs a game that was written before it. `write_records` puts a whole file
in place at once; `append_records` adds lines behind a line that was cut short; `read_records` gives
the good lines and says what is wrong with the others.
"""

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rungenv.record import Record
from rungenv.record_text import parse_record, record_line


@dataclass(frozen=True)
class Fault:
    """A line that is no record: its number, from 1, and what is wrong with it."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True)
class Reading:
    """What a file holds: its records, the number of the line of each, and the faults."""

    records: list[Record]
    lines: list[int]
    faults: list[Fault]


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write a file of records; an earlier file stays until the new one is complete."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(_line(record) for record in records)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def append_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Add records to the end of a file, or begin one; they are on disk when this returns.

    Should the file end in the midst of a line, a new line is begun.
    """
    lines = b"".join(_line(record) for record in records)
    with open(path, "ab+") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                lines = b"\n" + lines
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def read_records(path: str | os.PathLike[str], *, verify: bool = True) -> Reading:
    """Read a file: every record that is sound, and every line that is not.

    verify: play each record over; one that breaks the rules, or ends otherwise than it says, is a
    fault. Empty lines are passed over.
    """
    reading = Reading([], [], [])
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = parse_record(_text(line))
                if verify:
                    record.verify()
            except ValueError as error:
                reading.faults.append(Fault(number, str(error)))
            else:
                reading.records.append(record)
                reading.lines.append(number)
    return reading


def _line(record: Record) -> bytes:
    return record_line(record).encode() + b"\n"


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"no UTF-8: {error.reason} at byte {error.start}") from None


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
