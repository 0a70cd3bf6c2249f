"""A program that answers lines with lines, within limits, and what is said of it when it fails.

POSIX only: pipes are waited for together, and the limits are the shell's.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.util import Finalize

LAST_WORDS = 10
"""Lines of the program's standard error that are repeated when it fails."""

_LONGEST = 4096
"""Bytes that may come without an end of line."""
_GRACE = 1.0
"""Seconds that a program has to leave in, once its standard input has ended."""

_LAUNCH = """\
limit=$1 alive=$2; shift 2
[ "$limit" = 0 ] || ulimit -d "$limit"
(read gone <"/dev/fd/$alive"; kill -9 -$$) >/dev/null 2>&1 </dev/null &
exec "$@"
"""
"""Limits the program's memory, and kills it, with all that it has started, when we are gone.

The limit is one on memory that is written to (RLIMIT_DATA), for programs that run others' code, as
node does, reserve many times as much as they use. Should this process be killed, nothing holds the
pipe `alive` open any more, and whoever reads from it goes on to the next command."""


class PipeError(Exception):
    """A program failed; `is_late`: by taking too long."""

    def __init__(self, reason: str, is_late: bool = False) -> None:
        super().__init__(reason)
        self.is_late = is_late


class Pipe:
    """One running program, in a session of its own. It ends with this object, or before it.

    megabytes: memory it may write to, 0 for no limit. After a PipeError it is of no more use.
    """

    def __init__(self, command: Sequence[str], megabytes: int) -> None:
        alive, self._life = os.pipe()
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _LAUNCH, "sh", str(megabytes * 1024), str(alive), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[alive],
                start_new_session=True,
            )
        except BaseException:
            os.close(self._life)
            raise
        finally:
            os.close(alive)
        self.owner = os.getpid()
        self._in, self._out, self._err = (
            stream.fileno()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
            if stream is not None
        )
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        self._unread = b""  # of its standard output: after the last whole line
        self._words = b""  # the last of its standard error
        self._lines: list[str] = []  # whole lines that are still to be given out
        self.close = Finalize(self, _end, (self._process, self._life), exitpriority=10)

    def ask(self, requests: Iterable[bytes], seconds: float) -> Iterator[str]:
        """Send lines, and give the line that answers each as it comes.

        Requests go out as fast as the program takes them. `seconds` is the time for one answer,
        which runs from the answer before it. PipeError for a program that has ended, is too slow,
        or says more than it is asked.
        """
        self._refuse_chatter()
        to_send, sending, sent, answered = iter(requests), b"", 0, 0
        since = time.monotonic()
        is_all_sent = False
        with selectors.DefaultSelector() as ready:
            ready.register(self._out, selectors.EVENT_READ)
            ready.register(self._err, selectors.EVENT_READ)
            ready.register(self._in, selectors.EVENT_WRITE)
            while True:
                if not sending and not is_all_sent:
                    line = next(to_send, None)
                    if line is None:
                        is_all_sent = True
                        ready.unregister(self._in)
                    else:
                        sending = line
                        if sent == answered:
                            since = time.monotonic()
                        sent += 1
                if is_all_sent and answered == sent:
                    return
                left = since + seconds - time.monotonic()
                events = [key.fd for key, _ in ready.select(max(left, 0))]
                if self._err in events and not self._hear(os.read(self._err, 65536)):
                    ready.unregister(self._err)
                if self._in in events:
                    sending = sending[self._send(sending) :]
                if self._out in events:
                    self._read()
                elif left <= 0:
                    raise PipeError(self._told(f"took more than {seconds:g} s"), is_late=True)
                while self._lines:
                    if answered == sent:
                        self._refuse_chatter()
                    answered += 1
                    yield self._lines.pop(0)
                    since = time.monotonic()

    def _send(self, data: bytes) -> int:
        """How many bytes the program took. One that is gone takes them all: its output tells."""
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(data)

    def _read(self) -> None:
        """Take in what is on the standard output. PipeError at its end."""
        data = os.read(self._out, 65536)
        if not data:
            raise PipeError(self._told(self._ending()))
        *lines, self._unread = (self._unread + data).split(b"\n")
        self._lines += [line.decode(errors="replace").rstrip("\r") for line in lines]
        if len(self._unread) > _LONGEST:
            start = self._unread[:40].decode(errors="replace")
            raise PipeError(self._told(f"wrote {_LONGEST} bytes without an end of line: {start!r}"))

    def _refuse_chatter(self) -> None:
        """PipeError if there is a line that answers nothing."""
        if not self._lines:
            with contextlib.suppress(BlockingIOError):
                self._read()
        if self._lines:
            line = self._lines[0]
            raise PipeError(self._told(f"wrote a line that nobody asked for: {shortened(line)}"))

    def _hear(self, words: bytes) -> bool:
        """Keep the last of the standard error; False at its end."""
        self._words = (self._words + words)[-_LONGEST:]
        return bool(words)

    def _ending(self) -> str:
        """How the program ended; one that has closed its output without ending is killed."""
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        if code >= 0:
            return f"ended, with exit code {code}"
        return f"was ended by {signal.Signals(-code).name}"

    def _told(self, reason: str) -> str:
        """A reason, and below it the last words of the standard error. The program is ended."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with selectors.DefaultSelector() as ready:
            ready.register(self._err, selectors.EVENT_READ)
            deadline = time.monotonic() + _GRACE  # whatever a program that it began goes on to say
            while (left := deadline - time.monotonic()) > 0:
                if not (ready.select(left) and self._hear(os.read(self._err, 65536))):
                    break
        self.close()
        words = self._words.decode(errors="replace").splitlines()[-LAST_WORDS:]
        return "\n".join([f"{reason}; its last words:", *words]) if words else reason


def shortened(line: str) -> str:
    """A line of a program as it is quoted: the whole of it, if it is not long."""
    return repr(line if len(line) <= 80 else line[:77] + "...")


def _end(process: subprocess.Popen[bytes], life: int) -> None:
    """Let a program leave, or make it, and give back all that it took."""
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stderr is not None
    process.stderr.close()
    os.close(life)
