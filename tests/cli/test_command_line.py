"""The command as a person meets it: real processes, help at once, and no traceback whatever happens."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from novelty_kit import __version__
from novelty_kit.cli import COMMANDS, cli
from novelty_kit.errors import NoveltyKitError

ROOT = Path(__file__).resolve().parents[2]
NEW = ("check", "arxiv:2001.00001", "--graph", "data/demo/events.jsonl")
HEAVY = (
    "duckdb",
    "pandas",
    "numpy",
    "pyarrow",
    "matplotlib",
    "networkx",
    "httpx",
    "papermill",
    "msgspec",
    "polars",
)
Novelty = Callable[..., Any]


def start(*arguments: str, code: str | None = None, **options: Any) -> subprocess.Popen[bytes]:
    """A process of its own: `novelty` with these arguments, or Python code."""
    command = [sys.executable, *(("-c", code) if code else ("-m", "novelty_kit")), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        **options,
    )


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from novelty_kit.cli import main
for arguments in (["--help"], ["--version"], ["check", "--help"], ["explain", "-h"], ["rules"], ["no-such"], []):
    try:
        main(arguments)
    except SystemExit:
        pass
print("heavy:", [name for name in {HEAVY} if name in sys.modules])
"""
    out, err = start(code=code).communicate(timeout=60)
    assert out.decode().splitlines()[-1] == "heavy: []"
    assert b"Traceback" not in err


def test_help_names_every_command_and_every_option_says_what_it_does(novelty: Novelty) -> None:
    said = novelty("--help").out
    assert novelty("--version").out.strip() == f"novelty, version {__version__}"
    for name, _, summary in COMMANDS:
        assert re.search(rf"^  {name} ", said, re.M)
        assert summary[:30] in said
        done = novelty(name, "--help")
        assert (done.code, done.err) == (0, "")
    for name, command in all_commands(cli, "novelty"):
        assert command.help or isinstance(command, click.Group), name
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert option.help, f"{name} {option.name}"


def all_commands(group: click.Group, name: str) -> list[tuple[str, click.Command]]:
    """Every command and group below one, by its whole name."""
    found: list[tuple[str, click.Command]] = []
    ctx = click.Context(group)
    for below in group.list_commands(ctx):
        command = group.get_command(ctx, below)
        assert command is not None
        found.append((f"{name} {below}", command))
        if isinstance(command, click.Group):
            found += all_commands(command, f"{name} {below}")
    return found


def test_every_command_is_in_the_readme() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8") if readme.exists() else None
    missing = [name for name, _, _ in COMMANDS if text is not None and f"novelty {name}" not in text]
    assert missing == []


def test_usage_errors_are_short_and_show_the_way_to_help(novelty: Novelty) -> None:
    for arguments in (
        ("chek",),
        ("check",),
        ("check", "--kind"),
        ("rules", "a", "b"),
        ("--foo",),
        ("schema", "--json"),
    ):
        done = novelty(*arguments)
        assert (done.code, done.out) == (2, "")
        assert len(done.err.splitlines()) <= 3
        assert "--help" in done.err
    bare = novelty()
    assert bare.code == 2
    assert "Commands:" in bare.out + bare.err


def test_an_unknown_rule_or_schema_is_one_error(novelty: Novelty) -> None:
    for command, known in (("rules", "novelty rules"), ("schema", "candidate")):
        done = novelty(command, "no-\x1b[31msuch\u202e" + "x" * 3000)
        assert (done.code, done.out) == (2, "")
        assert known in done.err
        assert "\x1b" not in done.err
        assert "\u202e" not in done.err
        assert len(done.err) < 700


def test_rules_are_told_with_their_sentence_source_text_and_an_example(novelty: Novelty) -> None:
    listed = json.loads(novelty("rules", "--json").out)
    assert [rule["rule_id"] for rule in listed[:5]] == ["r0", "r1", "r2", "r3", "r4"]
    lines = novelty("rules").out.splitlines()
    for rule, line in zip(listed, lines, strict=True):
        assert set(rule) == {"rule_id", "sentence", "source", "where", "body", "example"}
        assert all(rule.values())
        assert rule["sentence"] in line
        assert "reference, section" in rule["source"]
        assert rule["sentence"].endswith(".")
        assert (ROOT / rule["where"]).is_file()
    one = novelty("rules", "R3")
    for part in (listed[3]["sentence"], listed[3]["source"], listed[3]["body"], listed[3]["example"]):
        assert part in one.out
    assert len(listed) == len({rule["rule_id"] for rule in listed})


def test_schemas_are_listed_and_printed(novelty: Novelty) -> None:
    names = [line.split()[0] for line in novelty("schema").out.splitlines()]
    assert {"event", "candidate", "result", "history", "plan", "report"} <= set(names)
    for name in names:
        assert json.loads(novelty("schema", name).out)["$schema"].endswith("2020-12/schema")


# ---- Real processes


def test_a_real_process_prints_bytes_of_utf8_and_the_exit_code(tmp_path: Path) -> None:
    candidate = {
        "id": "größe 🧜",
        "kind": "claim",
        "about_lom_id": "arxiv:2001.00001",
        "statement": "größer als 1",
    }
    record = json.dumps(candidate, ensure_ascii=False).encode()
    process = start(
        "explain",
        "-",
        "--graph",
        "data/demo/events.jsonl",
        stdin=subprocess.PIPE,
        env={"LC_ALL": "C", "PYTHONUTF8": "0"},
    )
    out, err = process.communicate(record, timeout=60)
    assert process.returncode == 0, err.decode()
    assert "größe 🧜: " in out.decode("utf-8")
    process = start(*NEW, "--jsonl")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (4, b"")
    assert json.loads(out)["lom_id"] == "arxiv:2001.00001"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, unbuffered: str) -> None:
    """Nor is anything lost where Python writes without a buffer, and a pipe takes a part only."""
    lines = [json.dumps({"id": f"c{n}", "kind": "paper", "keys": {"pmid": str(n)}}) for n in range(1, 400)]
    (tmp_path / "c.jsonl").write_text("\n".join(lines) + "\n")
    process = start(
        "check",
        str(tmp_path / "c.jsonl"),
        "--graph",
        "data/demo/events.jsonl",
        "--json",
        env={"PYTHONUNBUFFERED": unbuffered},
    )
    assert process.stdout is not None
    assert process.stdout.read(2) == b"[\n"
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""


def test_a_full_disk_behind_standard_output_is_one_error() -> None:
    with Path("/dev/full").open("wb") as full:
        process = start(*NEW, "--json", stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert len(err.decode().splitlines()) == 1
    assert b"No space left" in err


def test_a_file_that_cannot_be_written_whole_is_not_written_at_all(tmp_path: Path) -> None:
    """The limit on file sizes stands for a disk that is full."""
    for suffix in ("json", "jsonl", "csv", "parquet"):
        (tmp_path / f"out.{suffix}").write_text("what was there")

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    for suffix in ("json", "parquet"):
        out = tmp_path / f"out.{suffix}"
        process = start(*NEW, "--out", str(out), preexec_fn=limited)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 2, err.decode()
        assert "cannot write" in err.decode()
        assert len(err.decode().splitlines()) <= 3
        assert out.read_text() == "what was there"
    assert len(list(tmp_path.iterdir())) == 4


# A query that would take hours, in the place of the judge.
SLOW = """
import sys
from novelty_kit.cli import main
from novelty_kit.verdict import judge

def slow(graph, *rest, **options):
    print("judging", file=sys.stderr, flush=True)
    graph.connection.execute(
        "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b WHERE a.range * b.range % 7 = 3"
    )

judge.judge = slow
main(["check", "arxiv:2001.00001", "--graph", "data/demo/events.jsonl", "--out", sys.argv[1]])
"""


def test_ctrl_c_ends_with_130_and_leaves_nothing(tmp_path: Path) -> None:
    process = start(str(tmp_path / "out.json"), code=SLOW)
    assert process.stderr is not None
    assert process.stderr.readline() == b"judging\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"novelty: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_waiting_for_input_ends_with_130() -> None:
    read, write = os.pipe()
    process = start("check", "-", stdin=read)
    os.close(read)
    # It reads standard input before it opens the log: a byte that was taken says that it waits for more.
    os.write(write, b"{" * 70_000)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    os.close(write)
    assert (process.returncode, err) == (130, b"novelty: interrupted\n")


# ---- Errors of every kind


def all_errors(cls: type[NoveltyKitError] = NoveltyKitError) -> list[type[NoveltyKitError]]:
    return [cls, *(below for child in cls.__subclasses__() for below in all_errors(child))]


@pytest.mark.parametrize("cls", all_errors(), ids=lambda cls: cls.__name__)
def test_every_error_of_ours_is_told_in_words(
    cls: type[NoveltyKitError], novelty: Novelty, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise cls(
            "it is \x1b[31mwrong", path="a\nb.jsonl", line=3, column=4, pointer="/x", remedy="Mend it\u202e"
        )

    monkeypatch.setattr("novelty_kit.rulebook.rulebook", broken)
    done = novelty("rules")
    assert done.code == cls.exit_code
    assert done.err == "novelty: a\\nb.jsonl:3:4 /x: it is \\x1b[31mwrong. Mend it\\u202e\n"
    with pytest.raises(cls):
        cli.main(["rules", "--debug"], standalone_mode=False)


def test_what_the_system_refuses_is_told_in_words(novelty: Novelty, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise PermissionError(13, "Permission denied", "some/file")

    monkeypatch.setattr("novelty_kit.rulebook.rulebook", broken)
    done = novelty("rules")
    assert (done.code, done.err) == (2, "novelty: some/file: cannot be read or written: Permission denied\n")


def test_a_socket_or_a_pipe_is_no_log_and_no_list_of_candidates(
    tmp_path: Path, novelty: Novelty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.jsonl")
        for arguments in (("check", "s.jsonl"), ("check", "arxiv:2001.00001", "--graph", "s.jsonl")):
            done = novelty(*arguments)
            assert done.code == 2
            assert "s.jsonl" in done.err
            assert len(done.err.splitlines()) <= 3
