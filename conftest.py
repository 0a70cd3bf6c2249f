"""Settings for every test process: one thread, no display, short notebooks, no time limits."""

import importlib.util
import os

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("QUICK", "1")

from hypothesis import settings  # noqa: E402

# In CI the same examples every time; elsewhere new ones each run, so that they keep finding things.
settings.register_profile("everywhere", deadline=None)
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")

# Doctests import every file, and these need what `make test-interop` installs.
if importlib.util.find_spec("pyspiel") is None:
    collect_ignore = ["rungenv/openspiel.py", "rungenv/openspiel_observer.py"]
