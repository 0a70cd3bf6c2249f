"""RLlib's PettingZooEnv trains PPO on its new API stack, with masks."""

import numpy as np
import pytest
import ray
import rllib_ppo


@pytest.fixture(scope="module", autouse=True)
def _ray():
    """Ray's processes have half a minute to start, which on a busy machine is not always enough."""
    for tries_left in (2, 1, 0):
        try:
            ray.init(num_cpus=1, include_dashboard=False)
            break
        except Exception:
            ray.shutdown()
            if not tries_left:
                raise
    yield
    ray.shutdown()


@pytest.mark.parametrize("game", ["single_sar", "hidden_rung", "mendikot_band"])
def test_two_iterations_of_ppo_play_whole_rounds_and_learn(game):
    results = rllib_ppo.main(game)

    assert len(results) == 2
    for result in results:
        played, learnt = result["env_runners"], result["learners"]["shared"]
        assert played["num_episodes"] > 5
        assert played["episode_len_min"] >= 28, "seven tricks at least"
        assert 0 < learnt["entropy"] < np.log(13), "spread over legal actions only"
        assert np.isfinite(learnt["total_loss"])
    assert set(results[0]["env_runners"]["agent_steps"]) == {f"player_{n}" for n in range(4)}
