"""What tyro says of a command line that does not fit, as one short line.

tyro frames its message: what is wrong, a rule, what may have been meant or the help of the option,
and a rule again. A message of a kind that is not known here is left as its first part says it.
"""

import re
from collections.abc import Sequence

from rungenv.rules import nearest

_KINDS = {"INT": "a whole number", "FLOAT": "a number", "{True,False}": "True or False"}
"""What tyro writes for a value, in words."""


def in_one_line(box: str, prog: str) -> str:
    """A framed message as a line: what is wrong, and what would be right.

    >>> box = "╭─ Unrecognized options ─╮\\n│ Unrecognized options: --pair, 20 │"
    >>> in_one_line(box + "\\n│ ─── │\\n│ Perhaps you meant: │\\n│     --pairs INT │", "rung arena")
    'no option --pair; nearest: --pairs'
    """
    first, rest = _parts(box)
    said = " ".join(line.strip() for line in first)
    if found := re.match(r"Unrecognized options: (.*)", said):
        return _unrecognized(found[1].split(", "), _names(rest), prog)
    if said.startswith("Missing from "):
        missing = _names(first[1:])
        return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    if found := re.match(r"Missing value for argument '(.+?)'\. Expected (\d+)", said):
        return f"{found[1]} takes {found[2]} value{'s' * (found[2] != '1')}"
    if found := re.match(
        r"invalid choice (.+) for argument '(.+?)'\. Expected one of \((.+)\)", said
    ):
        choices = found[3].replace("'", "").rstrip(",")
        return f"{found[2]} must be one of {choices}, not {found[1]}"
    if found := re.match(r"Error parsing (\S+): (.*)", said):
        return _unread(found[1], found[2], rest)
    return said


def _parts(box: str) -> tuple[list[str], list[str]]:
    """The lines above the first rule, and those below it, without the frame and its title.

    The frame is of lines, or of blanks where the terminal cannot show these.
    """
    above: list[str] = []
    lines = [line.replace("│", " ")[2:].rstrip() for line in box.splitlines()[1:]]
    for at, line in enumerate(lines):
        if line.strip("─-╰╯ "):
            above.append(line)
        elif above:
            return above, lines[at + 1 :]
    return above, []


def _names(lines: Sequence[str]) -> list[str]:
    """The options, or positional arguments, of a list with a line of help below each."""
    return [line.split()[0] for line in lines if re.match(r" {4}\S", line)]


def _unrecognized(words: Sequence[str], near: Sequence[str], prog: str) -> str:
    """Options that there are not; else words that are too many."""
    options = [word for word in words if word.startswith("-")]
    if not options:
        return f"{', '.join(map(repr, words))} is more than {prog} takes"
    hint = nearest(options[0], near) if near else f"; {prog} --help lists them"
    return f"no option {', '.join(options)}{hint}"


def _unread(option: str, why: str, help_lines: Sequence[str]) -> str:
    """A value that is of another kind than its option's."""
    shown = [line.split(maxsplit=1) for line in help_lines if line.split()[:1] == [option]]
    kinds = shown[0][1] if shown and len(shown[0]) > 1 else ""
    wanted = " or ".join(_KINDS.get(kind, kind) for kind in kinds.split("|") if kind != "{None}")
    value = re.search(r": ('[^']*')$", why)
    if not wanted:
        return f"{option}: {why}"
    return f"{option} must be {wanted}" + (f", not {value[1]}" if value else "")
