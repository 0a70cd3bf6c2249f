"""What `rung bench` times, timed by pytest-benchmark: to compare runs, keep and plot them.

Nothing here runs with the other tests. `pytest tests/bench --benchmark-enable` does it.
"""

import pytest

from train import workloads


@pytest.mark.parametrize("workload", workloads.all_of_them(), ids=lambda workload: workload.name)
def test_speed(benchmark, workload):
    if not benchmark.enabled:
        pytest.skip("timed by pytest tests/bench --benchmark-enable")
    piece = workload.prepare()
    count = piece()
    benchmark(piece)
    benchmark.extra_info[workload.unit] = count / benchmark.stats.stats.median
