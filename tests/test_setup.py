"""The front door, the pinned versions, and what must not be in the repository."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
ALWAYS = (*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"])
REQUIREMENTS = [
    (Requirement(line), file)
    for file, lines in (
        ("constraints.txt", (*EXTRAS["dev"], *EXTRAS["docs"])),
        ("constraints-interop.txt", EXTRAS["interop"]),
    )
    for line in (*ALWAYS, *lines)
]


def pins(file: str) -> dict[str, str]:
    found = {}
    for line in (ROOT / file).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, version = line.split("==")
            found[canonicalize_name(name)] = version
    return found


def tracked_texts() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


def words_of(path: Path) -> str:
    """A file's text, without the pictures of a notebook, which are letters without meaning."""
    return re.sub(r'"image/png": "[^"]*"', '"image/png": ""', path.read_text("utf-8"))


@pytest.mark.parametrize(("requirement", "file"), REQUIREMENTS, ids=str)
def test_every_dependency_is_pinned_to_a_version_it_admits(requirement, file):
    version = pins(file).get(canonicalize_name(requirement.name))
    assert version, f"{file} lacks {requirement.name}"
    assert requirement.specifier.contains(version)


@pytest.mark.parametrize("file", ["constraints.txt", "constraints-interop.txt"])
def test_pins_hold_everywhere(file):
    """A local version (1.0+cpu) exists on one index only."""
    assert not [name for name, version in pins(file).items() if "+" in version]
    assert pins(file)["torch"] == "2.13.0"


def test_both_files_of_pins_agree():
    """The trainers run on what all else is tested with, but for what they hold back themselves."""
    ours, theirs = pins("constraints.txt"), pins("constraints-interop.txt")
    differ = {name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name]}
    assert differ == {"filelock", "gymnasium"}


# Spelled in pieces, so that this file does not find itself.
FORBIDDEN = re.compile(
    "|".join(
        (
            r"(?<![\w./-])/" + r"(?:work|root|tmp|home|opt)/",
            r"\bpypi\."
            + r"org|pythonhosted\."
            + r"org|download\."
            + r"pytorch|files\."
            + r"python",
            r"--(?:extra-)?index-" + r"url|find-" + r"links",
            r"(?<!\w)shared" + r"/",
        )
    )
)


def test_no_file_names_a_machine_or_an_index():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in tracked_texts()
        for number, line in enumerate(words_of(path).splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("target", [[], ["help"]], ids=["make", "make help"])
def test_make_lists_its_targets(target):
    if not shutil.which("make"):
        pytest.skip("no make")
    printed = subprocess.run(
        ["make", "--no-print-directory", *target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    listed = re.findall(r"^ *make ([\w-]+) +(?=\S)", printed.expandtabs(), re.MULTILINE)
    assert listed == [
        "help",
        "setup",
        "demo",
        "test",
        "test-interop",
        "lint",
        "notebooks",
        "docs",
        "bench",
        "clean",
    ]


def test_every_rule_that_is_cited_has_its_line_in_the_rules():
    """RULES.md gives each rule once and in order, and no file cites one that is not there."""
    text = (ROOT / "rungenv" / "RULES.md").read_text("utf-8")
    given = [tuple(map(int, number)) for number in re.findall(r"\*\*R(\d+)\.(\d+)\*\*", text)]
    assert given == sorted(set(given))
    assert given[0] == (1, 1)
    sections = {section for section, _ in given}
    wrong = [
        f"{path.relative_to(ROOT)}: {cited[0]}"
        for path in tracked_texts()
        for cited in re.finditer(r"\bR(\d+)(?:\.(\d+))?\b", words_of(path))
        if (int(cited[1]), int(cited[2] or 0)) not in given
        and (cited[2] or int(cited[1]) not in sections)
    ]
    assert not wrong, "\n".join(wrong)
