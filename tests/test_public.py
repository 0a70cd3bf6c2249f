"""The public face of rungenv: every name is there, and what takes time to import waits."""

import subprocess
import sys

import pytest

import rungenv


def test_every_public_name_is_there():
    for name in rungenv.__all__:
        assert getattr(rungenv, name) is not None
        assert name in dir(rungenv)
    assert sorted(set(rungenv.__all__)) == sorted(rungenv.__all__)
    with pytest.raises(AttributeError, match="no attribute 'world'"):
        rungenv.world  # noqa: B018


@pytest.mark.parametrize("name", ["worlds", "Record", "Recorder", "read_records", "write_records"])
def test_beliefs_and_records_are_imported_when_asked_for(name):
    check = (
        "import sys, rungenv\n"
        "late = {'rungenv.belief', 'rungenv.record', 'rungenv.recorder', 'rungenv.record_file'}\n"
        "assert not late & set(sys.modules)\n"
        f"from rungenv import {name}\n"
        f"assert {name}.__name__ == {name!r}\n"
        "assert late & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", check], check=True)
