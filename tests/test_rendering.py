"""What environments render: text, pixels and a window, the same picture each time."""

import copy
import importlib
import pickle
import sys
import time

import gymnasium
import imageio_ffmpeg
import numpy as np
import pygame
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import HumanRendering, RecordVideo, RenderCollection
from gymnasium.wrappers.vector import RecordVideo as RecordVectorVideo

import rungenv
from rungenv import screen
from rungenv.drawing import Label
from rungenv.registration import GAMES, gymnasium_id
from rungenv.tabletop import SIZE
from rungenv.window import Window

SHAPE = (640, 1000, 3)


@pytest.fixture(params=rungenv.VARIANTS)
def game(request):
    return request.param


@pytest.fixture
def shown(monkeypatch):
    """The sentences of every picture that a window is given; none of them has to be waited for."""
    pictures = []

    def show(window, items, size):
        pictures.append([item.text for item in items if isinstance(item, Label)])

    monkeypatch.setattr(Window, "show", show)
    return pictures


@pytest.fixture
def no_window_is_left():
    """Whatever a test opens, pygame is as it was before."""
    yield
    pygame.quit()


def seat_env(game="single_sar", **options):
    return gymnasium.make(gymnasium_id(game), **options)


def table_env(game="single_sar", wrapped=False, **options):
    module, preset = GAMES[game]
    module = importlib.import_module(f"rungenv.{module}")
    return (module.env if wrapped else module.raw_env)(**preset, **options)


def vector_env(game="single_sar", n=2, **options):
    return gymnasium.make_vec(
        gymnasium_id(game), n, vectorization_mode="vector_entry_point", **options
    )


def play(env, seed=1):
    """Play an episode of a one-seat environment at random; yields after the reset and each step."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    yield info
    while info["action_mask"].any():
        _, _, _, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        yield info


def play_table(env, seed=1):
    """Play an episode of a PettingZoo environment at random; yields before each action."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        yield
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated else rng.choice(legal))


class TestOneSeat:
    @pytest.mark.parametrize("reveal", [False, True])
    def test_it_shows_what_its_seat_may_know(self, game, reveal):
        env = seat_env(game, render_mode="rgb_array", reveal=reveal)
        text = seat_env(game, render_mode="ansi", reveal=reveal)
        for _, _ in zip(play(env), play(text), strict=True):
            seat, tables = env.unwrapped.seat, env.unwrapped.tables
            picture = rungenv.picture(tables, seat=seat, reveal=reveal)
            frame = env.render()
            assert frame.shape == SHAPE
            assert frame.dtype == np.uint8
            assert np.array_equal(frame, picture.rgb())
            assert text.render() == picture.text()
            assert env.unwrapped.picture() == picture

    def test_gymnasiums_check_of_all_modes(self, game, shown, recwarn):
        check_env(seat_env(game).unwrapped)
        assert shown  # in the mode "human"
        assert not [str(warning.message) for warning in recwarn]

    def test_a_window_shows_every_action(self, shown):
        env = seat_env(render_mode="human", episode="match", points_target=2, seat=0)
        rounds = sum(bool(info["round_over"]) for info in play(env))
        results = [said for said in shown if any("win the round" in text for text in said)]
        assert len(results) == rounds
        tables = env.unwrapped.tables
        assert sum("They win the match." in said for said in shown) == 1
        assert len(shown) > rounds * 29  # each round's deal, and at least 28 cards of it
        assert f"player_{tables.seat[0]}" not in shown[-1]


class TestTable:
    def test_it_shows_what_the_agent_to_act_may_know(self, game):
        env = table_env(game, render_mode="rgb_array")
        for step, _ in enumerate(play_table(env)):
            if step % 4:
                continue
            scene = rungenv.picture(env.tables).scene
            assert scene.names[0] == "player_0"
            actor = int(env.tables.seat[0])
            if actor >= 0:
                assert [hand is not None for hand in scene.hands] == [s == actor for s in range(4)]
            assert np.array_equal(env.render(), rungenv.picture(env.tables).rgb())

    @pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
    def test_perspective_and_reveal(self, mode):
        for seat, reveal in ((None, True), (2, False), (1, True)):
            perspective = None if seat is None else f"player_{seat}"
            env = table_env(render_mode=mode, perspective=perspective, reveal=reveal, wrapped=True)
            for step, _ in enumerate(play_table(env)):
                if step % 7 == 0:
                    picture = rungenv.picture(env.unwrapped.tables, seat=seat, reveal=reveal)
                    expected = picture.text() if mode == "ansi" else picture.rgb()
                    assert np.array_equal(env.render(), expected)

    def test_a_person_sees_how_each_round_of_a_match_ends(self, shown):
        env = table_env("be_ranga", episode="match", points_target=3, render_mode="human")
        for _ in play_table(env):
            pass
        results = [said for said in shown if any("win the round" in text for text in said)]
        assert len(results) == env.tables.round[0] + 1
        assert sum("They win the match." in said for said in shown) == 1


class TestManyTables:
    @pytest.mark.parametrize(("controls", "apart"), [("seat", 4), ("team", 2), ("all", 1)])
    @pytest.mark.parametrize("reveal", [False, True])
    def test_a_picture_for_each_as_the_observed_seat_sees_it(self, controls, apart, reveal):
        options = {"controls": controls, "reveal": reveal}
        env = vector_env("hidden_rung", 3, render_mode="rgb_array", **options)
        text = vector_env("hidden_rung", 3, render_mode="ansi", **options)
        _, infos = env.reset(seed=4)
        text.reset(seed=4)
        bottoms = [env.picture(row).scene.names[0] for row in range(3)]
        for _ in range(6):
            frames, texts = env.render(), text.render()
            assert isinstance(frames, tuple)
            for row, seat in enumerate(infos["seat"].tolist()):
                picture = env.picture(row)
                bottom = int(picture.scene.names[0][-1])
                assert (bottom - seat) % apart == 0
                assert picture == rungenv.picture(
                    env.tables, row, seat, reveal=reveal, bottom=bottom
                )
                assert np.array_equal(frames[row], picture.rgb())
                assert texts[row] == picture.text()
                assert picture.scene.names[0] == bottoms[row]  # the table does not turn
            actions = infos["action_mask"].argmax(axis=1)
            _, _, over, _, infos = env.step(actions)
            text.step(actions)
            assert not over.any()

    def test_no_mode_shows_nothing(self):
        env = vector_env()
        env.reset(seed=0)
        assert env.render() is None


@pytest.mark.usefixtures("no_window_is_left")
class TestGymnasiumsWrappers:
    def test_a_film_of_an_episode(self, tmp_path):
        env = RecordVideo(seat_env(render_mode="rgb_array", seat=0), str(tmp_path / "films"))
        steps = len(list(play(env)))
        env.close()
        (film,) = tmp_path.glob("films/*.mp4")
        assert imageio_ffmpeg.count_frames_and_secs(str(film)) == (steps, steps / 2)

    def test_a_film_of_many_tables(self, tmp_path):
        env = RecordVectorVideo(
            vector_env(n=3, render_mode="rgb_array"),
            str(tmp_path / "films"),
            step_trigger=lambda step: step == 0,
        )
        _, infos = env.reset(seed=0)
        for _ in range(5):
            _, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        env.close()
        (film,) = tmp_path.glob("films/*.mp4")
        assert imageio_ffmpeg.count_frames_and_secs(str(film))[0] == 5

    def test_frames_collected(self):
        env = RenderCollection(seat_env(render_mode="rgb_array"))
        steps = len(list(play(env)))
        frames = env.render()
        assert len(frames) == steps
        assert all(frame.shape == SHAPE for frame in frames)
        assert len({frame.tobytes() for frame in frames}) == steps

    def test_their_window(self):
        env = HumanRendering(seat_env(render_mode="rgb_array"))
        env.metadata["render_fps"] = 1000
        for _ in play(env):
            assert env.render() is None
        env.close()
        assert not pygame.get_init()
        again = seat_env(render_mode="rgb_array")
        again.reset(seed=2)
        assert again.render().shape == SHAPE  # although pygame was shut down


@pytest.mark.usefixtures("no_window_is_left")
class TestWindow:
    def picture(self, seed=0):
        return rungenv.picture(rungenv.deal(rungenv.variant("be_ranga"), 1, seed=seed))

    def show(self, window, seed=0):
        picture = self.picture(seed)
        window.show(picture.drawing(), SIZE)
        return picture.rgb()

    def on_screen(self):
        return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)

    def close_as_a_person(self):
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    def test_it_shows_the_same_pixels(self):
        window = Window("be ranga", fps=1000)
        for seed in (1, 2):
            assert np.array_equal(self.show(window, seed), self.on_screen())
        assert pygame.display.get_caption()[0] == "be ranga"
        window.close()
        assert not pygame.display.get_init()
        window.close()

    def test_each_picture_stays_for_its_time(self):
        window = Window("", fps=20)
        start = time.monotonic()
        for _ in range(4):
            self.show(window)
        assert time.monotonic() - start >= 0.15

    def test_the_person_closes_it(self):
        window = Window("", fps=1)
        self.show(window)
        self.close_as_a_person()
        start = time.monotonic()
        for _ in range(3):
            self.show(window)
        assert time.monotonic() - start < 0.9  # nothing waits any more
        assert not pygame.display.get_init()
        window.close()
        self.show(window)  # but it can be opened again
        assert pygame.display.get_init()

    def test_other_events_are_left_to_others(self):
        window = Window("", fps=1000)
        self.show(window)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
        self.show(window)
        assert [event.key for event in pygame.event.get(pygame.KEYDOWN)] == [pygame.K_a]

    def test_an_environment_goes_on_without_it(self, monkeypatch):
        monkeypatch.setattr(Window, "_wait", Window._listen)  # no waiting
        env = seat_env(render_mode="human", seat=0)
        for step, _ in enumerate(play(env)):
            if step == 2:
                self.close_as_a_person()
        assert step > 5
        assert not pygame.display.get_init()
        env.close()
        env.reset(seed=1)
        assert pygame.display.get_init()
        env.close()
        assert not pygame.display.get_init()

    def test_an_environment_with_an_open_window_can_be_copied(self, monkeypatch):
        monkeypatch.setattr(Window, "_wait", lambda window: None)
        env = table_env("mendikot", render_mode="human")
        env.reset(seed=1)
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            action = int(np.flatnonzero(other.last()[0]["action_mask"])[0])
            other.step(action)
            assert np.array_equal(self.on_screen(), other.picture().rgb())

    def test_without_a_display_it_says_so(self, monkeypatch):
        monkeypatch.setenv("SDL_VIDEODRIVER", "no_such_driver")
        with pytest.raises(RuntimeError, match=r"no window can be opened here .*'rgb_array'"):
            self.show(Window("", fps=2))
        assert self.picture().rgb().shape == SHAPE


class TestWithoutPygame:
    @pytest.fixture(autouse=True)
    def pygame_is_missing(self, monkeypatch):
        for name in ("pygame", "pygame.font"):
            monkeypatch.setitem(sys.modules, name, None)
        screen.pygame.cache_clear()
        yield
        screen.pygame.cache_clear()

    def test_it_says_what_to_install(self):
        for make in (seat_env, table_env):
            with pytest.raises(ImportError, match=r"pip install 'rungenv\[render\]'"):
                make(render_mode="human")
        picture = rungenv.picture(rungenv.deal(rungenv.variant("be_ranga"), 1))
        with pytest.raises(ImportError, match="need pygame"):
            picture.rgb()

    def test_an_environment_for_pixels_does_without_until_it_is_looked_at(self):
        """Stable-Baselines3 makes every environment so."""
        for make in (seat_env, table_env):
            env = make(render_mode="rgb_array")
            env.reset(seed=0)
            with pytest.raises(ImportError, match=r"pip install 'rungenv\[render\]'"):
                env.render()

    def test_text_and_svg_do_without(self):
        env = seat_env(render_mode="ansi")
        env.reset(seed=0)
        assert "player_3" in env.render()
        assert env.unwrapped.picture().svg().startswith("<svg ")


@pytest.mark.parametrize("make", [seat_env, table_env, vector_env])
def test_reveal_is_yes_or_no(make):
    with pytest.raises(ValueError, match="reveal must be one of False, True, not 'yes'"):
        make(reveal="yes")
