"""Configuration: from YAML and the command line, with clear words for what is wrong."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rungenv
from train import config, options, train_command
from train import settings as sections

CONFIGS = sorted(Path(__file__).parent.parent.glob("configs/*.yaml"))


def written(tmp_path, text):
    path = tmp_path / "run.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_changes_what_it_names_and_leaves_the_rest(tmp_path):
    settings = config.load(
        written(
            tmp_path,
            """
            game: double_sar
            rules: {no_late_pickup: true}
            network: {hidden: [64, 32]}
            ppo: {learning_rate_start: 3e-4, epochs: 1}
            budget: {total_steps: null, max_minutes: 2}
            """,
        )
    )
    assert settings.rules == rungenv.variant("double_sar", no_late_pickup=True)
    assert settings.network.hidden == (64, 32)
    assert settings.network.critic_hidden == sections.Network().critic_hidden
    assert settings.ppo.learning_rate_start == 3e-4
    assert settings.budget == sections.Budget(total_steps=None, max_minutes=2.0)
    assert config.from_dict(config.to_dict(settings)) == settings


def test_overrides_come_after_the_file(tmp_path):
    path = written(tmp_path, "ppo: {epochs: 3, deals: 7}")
    settings = config.load(path, {"ppo.epochs": 1, "seed": 5})
    assert (settings.ppo.epochs, settings.ppo.deals, settings.seed) == (1, 7, 5)


@pytest.mark.parametrize("section", ["ppo:", "{}"])
def test_overrides_fill_a_section_that_the_file_leaves_empty(tmp_path, section):
    assert config.load(written(tmp_path, section), {"ppo.epochs": 2}).ppo.epochs == 2


def test_overrides_of_what_is_no_section_are_refused(tmp_path):
    with pytest.raises(ValueError, match="ppo must hold keys and values, not 3"):
        config.load(written(tmp_path, "ppo: 3"), {"ppo.epochs": 2})


def test_more_fields_are_read_besides_those_of_the_game():
    game = config.load(None, {"game": "mendikot"})
    more = config.load(None, {"game": "mendikot", "network.more_fields": ["played", "led"]})
    assert more.fields == (*game.fields, "played")
    own = config.load(None, {"network.fields": ["hand"], "network.more_fields": ["played"]})
    assert own.fields == ("hand", "played")
    with pytest.raises(ValueError, match="no field is called 'playd'; nearest: played"):
        config.load(None, {"network.more_fields": ["playd"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seeds: 1", "'seeds'; nearest: seed"),
        ("ppo: {epoch: 1}", "'ppo.epoch'; nearest: epochs"),
        ("rules: {no_late_pick: true}", "'no_late_pick'; nearest: no_late_pickup"),
        ("game: duble_sar", "'duble_sar'; nearest: double_sar"),
        ("network: {fields: [hnd]}", "no field is called 'hnd'; nearest: hand"),
        ("ppo: 3", "ppo must hold keys and values, not 3"),
        ("ppo: {epochs: 1.5}", "ppo.epochs must be a whole number, not 1.5"),
        ("ppo: {epochs: true}", "ppo.epochs must be a whole number, not True"),
        ("ppo: {clip: wide}", "ppo.clip must be a number, not 'wide'"),
        ("ppo: {epochs: 0}", "ppo.epochs must be more than 0, not 0"),
        ("ppo: {trace: 1.5}", "ppo.trace must be at most 1, not 1.5"),
        ("network: {hidden: 256}", "network.hidden must be a list, not 256"),
        ("{ppo: {cards_weight: 1}, network: {hidden: []}}", "with a hidden layer to guess from"),
        ("network: {hidden: [256, 0]}", "network.hidden must be more than 0, not 0"),
        ("network: {suits: mixed}", "network.suits must be one of sorted, as_dealt, shuffled, not"),
        ("budget: {total_steps: null}", "a run needs an end"),
        ("budget: {total_steps: null, max_minutes: .nan}", "budget.max_minutes must be a number"),
        ("budget: {max_minutes: .inf}", "budget.max_minutes must be a number, not inf"),
        ("ppo: {clip: .nan}", "ppo.clip must be a number, not nan"),
        ("{game: single_sar+mendikot, shares: [1, .nan]}", "shares must be a number, not nan"),
        ("league: {partners: 2}", "league.partners must be at most 1, not 2"),
        ("seed: 2305843009213693952", "seed must be at most 2305843009213693951"),
        ("report: {pairs: 1}", "report.pairs must be 0, or 2 and more"),
        ("{report: {pairs: 0}, budget: {patience: 3}}", "budget.patience waits for measurements"),
        ("ppo: {shaping_start: .nan}", "ppo.shaping_start must be a number"),
        ("ppo: {shaping_end: .inf}", "ppo.shaping_end must be a number"),
        ("rules: {name: 1}", "no option 'name'"),
        ("rules: {game: 1}", "no option 'game'"),
        ("rules: {1: 2}", "rules has the key 1"),
        ("ppo: {1: 2}", "ppo has the key 1"),
        ("[1, 2]", "must hold keys and values, not list"),
        ("a: [", "is no YAML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_line(tmp_path, text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        config.load(written(tmp_path, text))
    assert "\n" not in str(raised.value)


def test_a_file_that_extends_another_names_only_what_differs(tmp_path):
    (tmp_path / "above.yaml").write_text("{game: mendikot, ppo: {epochs: 3, deals: 7}}", "utf-8")
    (tmp_path / "base.yaml").write_text("{extends: above.yaml, seed: 2, ppo: {deals: 8}}", "utf-8")
    path = written(tmp_path, "{extends: base.yaml, ppo: {trace: 0.5}}")
    settings = config.load(path, {"seed": 3})
    ppo = settings.ppo
    assert (settings.game, settings.seed) == ("mendikot", 3)
    assert (ppo.epochs, ppo.deals, ppo.trace) == (3, 8, 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: run.yaml", "run.yaml extends itself"),
        ("extends: other.yaml", "run.yaml extends itself, by way of"),
        ("extends: nothing.yaml", "nothing.yaml cannot be read"),
        ("extends: 3", "extends must be the name of a file, not 3"),
    ],
)
def test_a_file_that_extends_what_it_cannot_is_refused(tmp_path, text, message):
    (tmp_path / "other.yaml").write_text("extends: run.yaml", "utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        config.load(written(tmp_path, text))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"nothing\.yaml cannot be read"):
        config.load(tmp_path / "nothing.yaml")


def test_the_command_line_comes_after_the_file(tmp_path):
    path = written(tmp_path, "{game: double_sar, ppo: {epochs: 3, deals: 7}}")
    args = ["--config", str(path), "--ppo.epochs", "1", "--rules.no-late-pickup", "True"]
    settings = train_command.parse(args).settings
    assert (settings.ppo.epochs, settings.ppo.deals) == (1, 7)
    assert settings.rules == rungenv.variant("double_sar", no_late_pickup=True)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("double_sar", "no_late_pickup=true new_cards=1"),
        ("single_sar", "new_cards=(1,0,0,1) call_any_suit=True call_seconds=5"),
        ("be_ranga", "scoring=kots kots_target=4 passing=false"),
        ("mendikot", "play_out=true"),
    ],
)
def test_house_rules_are_given_as_to_the_other_commands(game, words):
    args = ["--game", game, "--rules", *words.split(), "--seed", "3"]
    settings = train_command.parse(args).settings
    assert settings.rules == options.rules_from(game, words.split())
    assert settings.seed == 3


def test_the_game_of_the_command_line_brings_its_rules():
    assert train_command.parse(["--game", "mendikot"]).settings.rules == rungenv.variant("mendikot")


def test_an_unknown_option_of_the_command_line_names_the_nearest():
    with pytest.raises(ValueError, match=r"--ppo\.epoch\b.*--ppo\.epochs") as raised:
        train_command.parse(["--ppo.epoch", "1"])
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("words", [["1"], ["1", "--seed", "3"], ["1", "1", "1", "1"]])
@pytest.mark.parametrize("option", ["--rules.new-cards", "--rules.new_cards"])
def test_one_number_of_new_cards_is_for_all_seats(option, words):
    assert train_command.parse([option, *words]).settings.rules.new_cards == (1, 1, 1, 1)
    assert train_command.parse([f"{option}=2"]).settings.rules.new_cards == (2, 2, 2, 2)
    with pytest.raises(ValueError, match="takes 4 values"):
        train_command.parse([option, "1", "2"])


def test_what_is_wrong_in_a_file_is_said_with_its_name(tmp_path):
    path = written(tmp_path, "{ppo: {epoch: 1}}")
    with pytest.raises(ValueError, match=f"^{path}: no option is called 'ppo.epoch'"):
        train_command.parse(["--config", str(path)])
    path = written(tmp_path, "{seed: 1}")
    with pytest.raises(ValueError, match=f"^{path} with game=chess: no game is called"):
        train_command.parse(["--config", str(path), "--game", "chess"])


def test_help_does_not_load_torch():
    code = "import sys; from train import demo, start; print('torch' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == "False"


def test_there_is_a_file_for_each_game():
    assert {config.load(path).game for path in CONFIGS} == set(rungenv.VARIANTS)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_files_of_the_repository_are_sound(path):
    settings = config.load(path)
    assert config.from_dict(config.to_dict(settings)) == settings
    if path.stem in rungenv.VARIANTS:
        assert settings.game == path.stem
