"""Reading is strict: what cannot be a passport is one clear error with its place, and nothing is repaired."""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
import time
from pathlib import Path

import pytest
import yaml
from passport_cases import CASES, base

from novelty_kit.errors import DocumentError, InputError, NoveltyKitError
from novelty_kit.passport import Passport, read_passport
from novelty_kit.passport.read import passport_files

DEEP = 20_000


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def refused(path: Path) -> DocumentError:
    started = time.perf_counter()
    with pytest.raises(DocumentError) as caught:
        read_passport(path)
    assert time.perf_counter() - started < 20
    assert caught.value.exit_code == 2
    assert caught.value.problem.path == str(path)
    assert caught.value.problem.remedy
    assert "\n" not in str(caught.value)
    pickle.loads(pickle.dumps(caught.value))
    return caught.value


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30)
)
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 1500))

# name, content, what the error says, line
REFUSED = [
    ("empty.json", "", "empty", None),
    ("blank.json", " \n\t\n", "empty", None),
    ("text.json", "experiment_provenance: []\n", "not JSON", 1),
    ("half.json", '{\n "a": [1,\n', "not JSON", 3),
    ("comma.json", '{"a": [1, ]}', "not JSON", 1),
    ("two.json", "{}\n{}", "not JSON", 2),
    ("nan.json", '{"a": "NaN",\n "b": NaN}', "NaN", 2),
    ("infinity.json", '{"a": [\n-Infinity]}', "Infinity", 2),
    ("overflow.json", '{"a": 1,\n"b": 1e999}', "past what a number can hold", 2),
    ("digits.json", '{"a":\n' + "9" * 5000 + "}", "more digits", 2),
    ("float_digits.json", '{"a":\n0.' + "9" * 5000 + "}", "past what a number can hold", 2),
    ("twice.json", '{"a": 1,\n "b": {"c": 1},\n "a": 2}', "given twice", 3),
    ("twice_inside.json", '{"a": [{"b": 1,\n "b": 1}]}', "given twice", 2),
    ("twice_escaped.json", '{"ab": 1,\n "\\u0061b": 1}', "given twice", 2),
    ("control.json", '{"a": "x\x01"}', "not JSON", 1),
    ("deep.json", "[" * DEEP + "]" * DEEP, "nested deeper", 1),
    ("deep_object.json", '{"a":' * DEEP + "1" + "}" * DEEP, "nested deeper", 1),
    ("deep_open.json", "[" * DEEP, "nested deeper", 1),
    ("a_little_deep.json", "[" * 150 + "\n" + "]" * 150, "nested deeper", 1),
    ("bom.json", b"\xef\xbb\xbf{}", "byte order mark", 1),
    ("utf16.json", "{}".encode("utf-16"), "UTF-16", 1),
    ("latin.json", '{"a": "caf\xe9"}'.encode("latin-1"), "not UTF-8", 1),
    ("empty.yaml", "", "empty", None),
    ("comments.yaml", "# nothing\n\n", "empty", None),
    ("tabs.yaml", "a:\n\tb: 1\n", "not YAML", 2),
    ("half.yaml", "a: [1,\n", "not YAML", 2),
    ("colon.yaml", "a: b: c\n", "not YAML", 1),
    ("twice.yaml", "a: 1\nb: 2\na: 3\n", "given twice, first on line 1", 3),
    ("twice_inside.yaml", "a:\n  - b: 1\n    'b': 2\n", "given twice", 3),
    ("merge_twice.yaml", "x: &x {a: 1}\ny:\n  <<: *x\n  <<: *x\n", "given twice", 4),
    ("merge_text.yaml", "y:\n  <<: x\n", "no mapping", 2),
    ("number_key.yaml", "a: 1\n7: x\n", "is no text", 2),
    ("null_key.yaml", "a: 1\n~: x\n", "is no text", 2),
    ("bool_key.yaml", "a: 1\non: x\n", "is no text", 2),
    ("list_key.yaml", "? [a]\n: 1\n", "key is a list", 1),
    ("alias_key.yaml", "a: &x b\n*x : 1\n", "key is an alias", 2),
    ("python.yaml", "a: !!python/object/apply:os.system [echo]\n", "refused", 1),
    ("python_scalar.yaml", "a: !!python/name:os.system ''\n", "refused", 1),
    ("own_tag.yaml", "a: 1\nb: !thing {}\n", "refused", 2),
    ("binary.yaml", "a: !!binary aGk=\n", "refused", 1),
    ("set.yaml", "a: !!set {x}\n", "refused", 1),
    ("wrong_tag.yaml", "a: !!int b\n", "not what its tag says", 1),
    ("documents.yaml", "a: 1\n---\nb: 2\n", "second document", 2),
    ("self.yaml", "a: &x [*x]\n", "stands for nothing", 1),
    ("unknown_alias.yaml", "a: *x\n", "stands for nothing", 1),
    ("laughs.yaml", LAUGHS, "more than 2,000,000 values", 7),
    ("chain.yaml", CHAIN, "nested deeper", 100),
    ("nan.yaml", "a: 1\nb: .nan\n", "no number", 2),
    ("infinity.yaml", "a: -.inf\n", "no number", 1),
    ("overflow.yaml", "a: 1e999\n", "past what a number can hold", 1),
    ("digits.yaml", "a: " + "9" * 5000 + "\n", "digits", 1),
    ("deep.yaml", "[" * DEEP + "]" * DEEP, "", 1),
    ("deep_block.yaml", "- " * DEEP + "x", "nested deeper", 1),
    ("control.yaml", "a: x\x01\n", "not YAML", None),
    ("bom.yaml", b"\xef\xbb\xbfa: 1\n", "byte order mark", 1),
    ("utf16.yaml", "a: 1\n".encode("utf-16"), "UTF-16", 1),
    ("latin.yaml", "b: 1\na: caf\xe9\n".encode("latin-1"), "not UTF-8", 2),
    ("lone.yaml", 'a: "\\ud83c"\n', "not YAML", 1),
]


@pytest.mark.parametrize(("name", "content", "says", "line"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_passport_is_one_clear_error(
    tmp_path: Path, name: str, content: str | bytes, says: str, line: int | None
) -> None:
    error = refused(written(tmp_path, name, content))
    assert says in str(error)
    assert error.problem.line == line


def test_the_column_of_an_error_counts_bytes(tmp_path: Path) -> None:
    assert refused(written(tmp_path, "a.json", '{"é": NaN}')).problem.column == 8
    assert refused(written(tmp_path, "b.json", b'{"a": "\xff"}')).problem.column == 8


def test_a_file_that_is_too_large_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    started = time.perf_counter()
    assert "YAML is read up to" in str(refused(path))
    assert time.perf_counter() - started < 1


def test_a_large_json_passport_is_read_without_a_slow_death(tmp_path: Path) -> None:
    body = base()
    unit = body["experiment_provenance"][0]["planned_vs_executed"][0]
    body["experiment_provenance"][0]["planned_vs_executed"] = [unit] * 40_000
    path = written(tmp_path, "large.json", json.dumps(body))
    started = time.perf_counter()
    assert read_passport(path).check() == ()
    assert time.perf_counter() - started < 20


def test_folders_missing_files_and_pipes_are_no_passports(tmp_path: Path) -> None:
    assert "No such file" in str(refused(tmp_path / "missing.json"))
    (tmp_path / "folder.json").mkdir()
    assert "is a folder" in str(refused(tmp_path / "folder.json"))
    os.mkfifo(tmp_path / "pipe.json")
    assert "no regular file" in str(refused(tmp_path / "pipe.json"))
    assert "suffix" in str(refused(written(tmp_path, "passport.txt", "{}")))
    with pytest.raises(DocumentError, match="cannot read"):
        read_passport(f"{tmp_path}/a\0b.json")


def test_yaml_and_json_of_one_content_are_one_passport(tmp_path: Path) -> None:
    as_yaml = read_passport(CASES / "base.yaml")
    as_json = read_passport(written(tmp_path, "base.json", json.dumps(base(), indent=2)))
    assert as_yaml.body == as_json.body == base()
    assert as_yaml.passport_hash == as_json.passport_hash


def test_the_hash_is_that_of_the_canonical_json() -> None:
    import hashlib

    assert (
        Passport({"b": 1, "a": ["é"]}).passport_hash
        == hashlib.sha256('{"a":["é"],"b":1}'.encode()).hexdigest()
    )
    assert Passport({"a": "\ud83c"}).passport_hash != Passport({"a": "\ud83d"}).passport_hash


def test_moments_stay_texts_and_numbers_stay_numbers(tmp_path: Path) -> None:
    text = (
        "a: 2031-04-02T08:00:00Z\nb: 2031-04-02\nc: 12:30:45\nd: 3.12.0\ne: 1e3\nf: 0x1F\ng: 0123\n"
        "h: '7'\ni: yes\nj:\n"
    )
    assert read_passport(written(tmp_path, "a.yaml", text)).body == {
        "a": "2031-04-02T08:00:00Z",
        "b": "2031-04-02",
        "c": "12:30:45",
        "d": "3.12.0",
        "e": 1000.0,
        "f": 31,
        "g": 123,
        "h": "7",
        "i": True,
        "j": None,
    }


def test_core_tags_and_merges_are_read(tmp_path: Path) -> None:
    text = (
        "a: !!str 12\nb: !!int '3'\nc: &c {x: 1, y: 2}\nd:\n  <<: *c\n  y: 3\ne:\n  <<: [{z: 1}, *c]\n"
        "f: ! 5\ng: !!timestamp 2031-04-02\n"
    )
    assert read_passport(written(tmp_path, "a.yaml", text)).body == {
        "a": "12",
        "b": 3,
        "c": {"x": 1, "y": 2},
        "d": {"x": 1, "y": 3},
        "e": {"z": 1, "x": 1, "y": 2},
        "f": "5",
        "g": "2031-04-02",
    }


def test_yaml_is_read_as_the_safe_loader_reads_it() -> None:
    class Plain(yaml.SafeLoader):
        pass

    text = (CASES / "base.yaml").read_text("utf-8").replace("2031-04", "x2031-04")
    path = CASES / "base.yaml"
    from novelty_kit.passport.yaml_source import parse_yaml

    assert parse_yaml(text, str(path))[0] == yaml.load(text, Loader=Plain)


def test_numbers_as_ids_are_findings_that_say_so(tmp_path: Path) -> None:
    text = (CASES / "base.yaml").read_text("utf-8").replace("experiment_id: kiln-b", "experiment_id: 12")
    findings = read_passport(written(tmp_path, "a.yaml", text)).check()
    shape = next(finding for finding in findings if finding.pointer.endswith("/1/experiment_id"))
    assert shape.message == "found 12"
    assert shape.expected == "a string; write it in quotes"


def test_an_escaped_pair_of_surrogates_is_one_character(tmp_path: Path) -> None:
    body = base()
    body["experiment_provenance"][0]["title"] = "\U0001f345" * 500
    assert read_passport(written(tmp_path, "a.json", json.dumps(body))).check() == ()


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_each_finding_carries_the_line_of_what_it_points_to(tmp_path: Path, suffix: str) -> None:
    body = base()
    body["experiment_provenance"][1]["title"] = 7
    body["experiment_provenance"][1]["surplus"] = 1
    del body["claim_drifts"][0]["claim_text"]
    body["claim_intent_manifests"][0]["claims"][2]["planned_experiment_ids"] = ["ghost"]
    text = json.dumps(body, indent=1) if suffix == "json" else yaml.safe_dump(body, sort_keys=False)
    lines = text.split("\n")
    findings = read_passport(written(tmp_path, f"a.{suffix}", text)).check()
    shown = {(f.tag, f.message): lines[f.line - 1] if f.line else "" for f in findings}
    assert "title" in shown["schema", "found 7"]
    assert "surplus" in shown["schema", 'key "surplus" is not known here']
    assert "ghost" in shown["EP-INV-2", 'the claim plans "ghost", which is no experiment here']
    missing = next(f for f in findings if f.message == 'key "claim_text" is missing')
    assert missing.pointer == "/claim_drifts/0"
    assert missing.line == next(n for n, line in enumerate(lines, 1) if "claim_drifts" in line) + 1


def test_lines_survive_odd_separators_inside_texts(tmp_path: Path) -> None:
    text = '{\n "a": "x\u2028y\u0085z",\n "experiment_provenance": 3\n}'
    finding = read_passport(written(tmp_path, "a.json", text)).check()[0]
    assert finding.line == 3


def test_a_pointer_escapes_what_pointers_escape() -> None:
    from novelty_kit.passport.finding import pointer_of

    assert pointer_of(("a/b", "c~d", 0)) == "/a~1b/c~0d/0"


def test_standard_input_is_json_by_its_first_sign_and_yaml_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (' {"a": 1}', "a: 1\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert read_passport("-").body == {"a": 1}


def test_a_folder_stands_for_the_passports_directly_in_it(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.json", "c.YML", "notes.txt"):
        written(tmp_path, name, "{}")
    (tmp_path / "inner").mkdir()
    written(tmp_path / "inner", "d.json", "{}")
    assert [Path(name).name for name in passport_files([tmp_path])] == ["a.json", "b.yaml", "c.YML"]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="holds no passport"):
        passport_files([empty])


def test_an_empty_list_of_files_is_an_error() -> None:
    with pytest.raises(InputError, match="no passport is named"):
        passport_files([])


def test_a_document_that_is_no_object_is_exactly_one_finding() -> None:
    for body in (3, "x", [], None, True, [{}]):
        findings = Passport(body).check()
        assert [finding.tag for finding in findings] == ["schema"]
        assert findings[0].pointer == ""


def test_unknown_keys_of_the_passport_are_ignored_and_absent_arrays_are_empty() -> None:
    assert Passport({}).check() == ()
    assert Passport({"anything": {"else": 1}}).check() == ()


def test_every_reading_error_is_one_of_ours() -> None:
    assert issubclass(DocumentError, NoveltyKitError)
