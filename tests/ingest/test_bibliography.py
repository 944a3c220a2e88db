"""Bibliographies: entries in are entries out, and no id is guessed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from loopback_server import Clock, Told, loopback, services

from novelty_kit.cli.ingest import ingest
from novelty_kit.errors import DocumentError, NoveltyKitError
from novelty_kit.ingest.bibliography import bibliography_items
from novelty_kit.ingest.bibtex import plain_latex
from novelty_kit.ingest.by_title import fits, resolve_by_title
from novelty_kit.ingest.record import Skipped, Work
from novelty_kit.ingest.reference_list import candidate_of, cited_by

Rows = Callable[..., list[dict[str, Any]]]

FILES = Path(__file__).parent.parent / "cases/ingest/files"
BIB = (FILES / "oddities.bib").read_text("utf-8")

RIS = (FILES / "three.ris").read_text("utf-8")


def items(tmp_path: Path, form: str, text: str | bytes) -> list[Work | Skipped]:
    path = tmp_path / f"f.{form}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return list(bibliography_items([path], form))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(ingest, list(arguments), catch_exceptions=False)


def test_bibtex_entries_of_every_type_and_repeated_keys(tmp_path: Path) -> None:
    found = items(tmp_path, "bibtex", BIB)
    works = [item for item in found if isinstance(item, Work)]
    skipped = [item for item in found if isinstance(item, Skipped)]
    assert [work.ids for work in works] == [
        {"doi": "10.1000/_x", "arxiv": "1508.05387"},
        {"arxiv": "1412.6980"},
        {"arxiv": "2303.08774"},
        {"pmid": "24038744"},
        {"pmid": "38012345"},
        {"arxiv": "math/0307200"},
    ]
    assert [work.publication_date for work in works] == ["2016", None, None, "2013-10-01", None, None]
    assert works[0].title == "BV Master Über Things"
    assert [(s.code, s.where) for s in skipped] == [
        ("no_id", "f.bibtex:6"),
        ("not_a_work", "f.bibtex:10"),
        ("no_id", "f.bibtex:11"),
        ("unreadable", "f.bibtex:13"),
    ]
    assert "an id in it cannot be read" in skipped[2].why
    assert skipped[0].entry is not None
    assert skipped[0].entry.authors == ("Doe, J.", "van den Oord, Aäron")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ris_records(tmp_path: Path, end: str) -> None:
    found = items(tmp_path, "ris", ("\ufeff" + RIS).replace("\n", end))
    assert [w.ids for w in found if isinstance(w, Work)] == [
        {"doi": "10.1109/mcse.2018.2884139"},
        {"arxiv": "1706.03762"},
    ]
    assert [w.publication_date for w in found if isinstance(w, Work)] == ["2019", "2019-05-02"]
    assert [(s.code, s.where) for s in found if isinstance(s, Skipped)] == [("no_id", "f.ris:13")]


@pytest.mark.parametrize(
    "text", [RIS.replace("ER  - \n\nTY  - CONF", "TY  - CONF"), RIS + "TY  - JOUR\nTI  - x\n", "hello", ""]
)
def test_a_ris_file_that_would_lose_a_record_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        items(tmp_path, "ris", text)
    assert caught.value.problem.path is not None


def test_csl_items_in_every_arrangement(tmp_path: Path) -> None:
    one = {
        "id": 7,
        "type": "article",
        "DOI": "10.1000/X",
        "title": ["A", "B"],
        "issued": {"date-parts": [["2017", 7, "07"]]},
    }
    two = {
        "id": "b",
        "type": "entry",
        "URL": "https://arxiv.org/abs/1707.02264v3",
        "issued": {"date-parts": [[None]]},
    }
    for arrangement in ([one, two], {"a": one, "b": [two]}, [[one], [two]]):
        found = items(tmp_path, "csl", json.dumps(arrangement))
        assert [w.ids for w in found if isinstance(w, Work)] == [
            {"doi": "10.1000/x"},
            {"arxiv": "1707.02264"},
        ]
        assert [w.publication_date for w in found if isinstance(w, Work)] == ["2017-07-07", None]
    assert isinstance(items(tmp_path, "csl", json.dumps(one))[0], Work)
    assert [type(i) for i in items(tmp_path, "csl", json.dumps([None, one]))] == [Skipped, Work]
    with pytest.raises(DocumentError, match="CSL-JSON is JSON"):
        items(tmp_path, "csl", "{")


def test_a_list_of_ids_names_every_bad_line(tmp_path: Path) -> None:
    found = items(tmp_path, "ids", "# mine\n2408.06292\n\nhttps://doi.org/10.1000/X\nW7\nW7\n")
    assert [w.ids for w in found if isinstance(w, Work)] == [
        {"arxiv": "2408.06292"},
        {"doi": "10.1000/x"},
        {"openalex": "W7"},
    ]
    with pytest.raises(DocumentError) as caught:
        items(tmp_path, "ids", "2408.0629\nok\nW1\n")
    assert [problem.line for problem in caught.value.problems] == [1, 2]


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"{\'E}tude sur l'{\oe}uvre", "Étude sur l'œuvre"),
        (r"{{AlphaFold}} \& \textit{friends}", "AlphaFold & friends"),
        ("plain  text\n here", "plain text here"),
        ("日本語", "日本語"),
    ],
)
def test_latex_becomes_letters(latex: str, plain: str) -> None:
    assert plain_latex(latex) == plain


def test_entries_become_papers_and_the_same_file_twice_adds_nothing(
    tmp_path: Path, log: Path, rows: Rows
) -> None:
    (tmp_path / "f.bib").write_text(BIB, "utf-8")
    result = run("bibtex", str(tmp_path / "f.bib"), "--graph", str(log), "--json")
    assert result.exit_code == 3
    summary = json.loads(result.stdout)
    assert (summary["asked"], summary["answered"], summary["failed"]) == (
        10,
        6,
        {"no_id": 2, "not_a_work": 1, "unreadable": 1},
    )
    assert rows(log, "references_checked") == []
    assert all(row["read"] for row in rows(log, "paper"))
    assert (
        json.loads(run("bibtex", str(tmp_path / "f.bib"), "--graph", str(log), "--json").stdout)["n_events"]
        == 0
    )
    run("bibtex", str(tmp_path / "f.bib"), "--graph", str(tmp_path / "u.jsonl"), "--unread")
    assert not any(row["read"] for row in rows(tmp_path / "u.jsonl", "paper"))


def test_a_bibliography_is_a_papers_reference_list(tmp_path: Path, log: Path, rows: Rows) -> None:
    (tmp_path / "f.ris").write_text(RIS, "utf-8")
    assert run("ris", str(tmp_path / "f.ris"), "--graph", str(log), "--cited-by", "2408.06292").exit_code == 3
    assert [r["cited_lom_id"] for r in rows(log, "citation_edge")] == [
        "doi:10.1109/mcse.2018.2884139",
        "arxiv:1706.03762",
    ]
    assert rows(log, "references_checked")[0]["n_refs"] == 3
    assert rows(log, "paper")[0]["lom_id"] == "arxiv:2408.06292"


def test_a_bibliography_is_a_candidates_references(tmp_path: Path) -> None:
    (tmp_path / "f.ris").write_text(RIS, "utf-8")
    result = run("ris", str(tmp_path / "f.ris"), "--candidate", "10.1000/me")
    assert result.exit_code == 3
    assert json.loads(result.stdout) == {
        "candidate": {
            "kind": "paper",
            "keys": {"doi": "10.1000/me"},
            "references": ["doi:10.1109/mcse.2018.2884139", "arxiv:1706.03762"],
        }
    }
    assert "f.ris:13" in result.stderr


def test_a_paper_does_not_cite_itself_and_no_work_twice() -> None:
    entries = [
        Work("csl", {"arxiv": "2408.06292"}),
        Work("csl", {"doi": "10.1000/x"}),
        Work("csl", {"doi": "10.1000/x"}),
    ]
    work = cited_by("arxiv:2408.06292", entries, "csl")
    assert work.references is not None
    assert [e.lom_ids for e in work.references.entries] == [("doi:10.1000/x",)]
    assert work.references.fault is None
    assert candidate_of("arxiv:2408.06292", entries)["candidate"]["references"] == ["doi:10.1000/x"]


def entry(title: str, *authors: str, year: str | None = None) -> Work:
    return Work("bibtex", {}, title=title, authors=authors, publication_date=year)


def found(title: str, *authors: str, year: str | None = None, number: int = 1) -> Work:
    return Work("openalex", {"openalex": f"W{number}"}, title=title, authors=authors, publication_date=year)


@pytest.mark.parametrize(
    ("meant", "is_it", "fitting"),
    [
        (
            entry("Attention is all you need", "Vaswani, Ashish"),
            found("Attention Is All You Need", "Ashish Vaswani"),
            True,
        ),
        (
            entry("Attention is all you need", "A. Nobody"),
            found("Attention Is All You Need", "Ashish Vaswani"),
            False,
        ),
        (entry("Deep learning"), found("Deep Learning"), False),
        (entry("Deep learning", "Goodfellow, I"), found("Deep Learning", "Ian Goodfellow"), True),
        (entry("Deep learning", "Goodfellow, I"), found("Deep Learning", "Yann LeCun"), False),
        (
            entry("Wavenet for raw audio signals", "van den Oord, Aäron"),
            found("WaveNet for raw audio signals", "A. van den Oord"),
            True,
        ),
        (
            entry("Learning with margins does generalise", year="2010"),
            found("Learning with margins does generalise", year="2021"),
            False,
        ),
        (
            entry("Learning with margins does generalise", year="2014"),
            found("Learning with margins does generalise", year="2015-01"),
            True,
        ),
        (
            entry("Learning with margins does generalise"),
            found("Learning with margins does not generalise"),
            False,
        ),
        (
            entry("Learning with 2 margins does generalise"),
            found("Learning with 3 margins does generalise"),
            False,
        ),
    ],
)
def test_what_fits_an_entry(meant: Work, is_it: Work, fitting: bool) -> None:
    assert fits(meant, is_it) is fitting


def an_answer(*works: tuple[int, str]) -> Told:
    results = [
        {
            "id": f"https://openalex.org/W{n}",
            "title": title,
            "referenced_works": [f"https://openalex.org/W{n + 50}"],
        }
        for n, title in works
    ]
    return Told(json.dumps({"meta": {}, "results": results}).encode())


TITLE = "Sequential convergence of AdaGrad algorithm for smooth convex optimization"


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (an_answer((1, TITLE.upper()), (2, "Something else that was found")), None),
        (an_answer((1, TITLE), (2, TITLE)), "several_matches"),
        (an_answer((1, TITLE.replace("convex", "non-convex"))), "no_match"),
        (an_answer(), "no_match"),
        (Told(b"<html>", 404), "not_found"),
        (Told(b"{}", 200), "unreadable"),
    ],
    ids=["one", "two", "negated", "none", "404", "no list"],
)
def test_an_entry_without_an_id_is_looked_up_by_its_title(told: Told, code: str | None) -> None:
    skipped = Skipped("no_id", "entry x holds no id", "f:1", entry(TITLE))
    with loopback() as server, services({"openalex": server}, Clock()) as asking:
        server.script = [told]
        (item,) = resolve_by_title(asking, "openalex", [skipped])
        assert "filter=title.search" in server.asked[0].path
    assert (item.code if isinstance(item, Skipped) else None) == code
    if isinstance(item, Work):
        assert item.ids == {"openalex": "W1"}


def test_a_spent_budget_leaves_the_other_entries_unasked() -> None:
    skipped = Skipped("no_id", "entry x holds no id", "f:1", entry(TITLE))
    budget = Told(b'{"message": "Insufficient credits"}', 429, {"Retry-After": "54000"})
    with loopback() as server, services({"openalex": server}, Clock()) as asking:
        server.script = [budget]
        codes = [
            i.code for i in resolve_by_title(asking, "openalex", [skipped, skipped]) if isinstance(i, Skipped)
        ]
        assert len(server.asked) == 1
    assert codes == ["budget_spent", "not_asked"]


def test_every_real_bibliography_is_accounted_for(data: Path) -> None:
    forms = {".bib": "bibtex", ".bibtex": "bibtex", ".biblatex": "bibtex", ".ris": "ris", ".json": "csl"}
    expected = {
        "aiscientist_adaptive_dual_scale_denoising.bib": (2, {"no_id": 21}),
        "aiscientist_rl_lr_adaptation.bib": (5, {"no_id": 12}),
        "asreview_faulty_year.ris": (0, {"no_id": 1}),
        "asreview_scopus.ris": (6, {}),
        "biber_examples.bib": (5, {"no_id": 124, "not_a_work": 3}),
        "citationjs_doi_api.csl.json": (4, {}),
        "litstudy_example.ris": (24, {"no_id": 1}),
        "manubot_arxiv-joss-csl.json": (1, {}),
        "manubot_null-date-parts-csl.json": (1, {}),
        "rispy_utf_chars.ris": (0, {"no_id": 1}),
        "zotero_arxiv_identifiers_460.bibtex": (3, {}),
        "zotero_cjk_names_2624.biblatex": (0, {"no_id": 35}),
        "zotero_duplicate_eprinttype_1128.biblatex": (1, {}),
        "zotero_html_tags_1575.biblatex": (0, {"no_id": 1}),
    }
    seen = {}
    for path in sorted((data / "bib").iterdir()):
        if path.suffix in forms and not path.name.startswith("_"):
            listed = list(bibliography_items([path], forms[path.suffix]))
            skipped = Counter(item.code for item in listed if isinstance(item, Skipped))
            seen[path.name] = (len(listed) - skipped.total(), dict(skipped))
    assert seen == expected


def test_crossrefs_bibtex_is_read(data: Path) -> None:
    paths = sorted((data / "crossref").glob("*.bib"))
    works = list(bibliography_items(paths, "bibtex"))
    assert [work.ids["doi"] for work in works if isinstance(work, Work)] == [
        "10.1063/1.4938384",
        "10.1007/s40278-023-41815-2",
        "10.1038/s42256-024-00832-8",
        "10.1101/2024.04.01.587366",
    ]


def test_a_plan_is_asked_batch_by_batch(
    tmp_path: Path, log: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {
        "batches": [
            {"source": "openalex", "ids": ["W1"], "unlocks": []},
            {"source": "s2", "ids": ["CorpusId:7"]},
        ]
    }
    (tmp_path / "plan.json").write_text(json.dumps(plan), "utf-8")
    with loopback() as openalex, loopback() as s2:
        openalex.script = [
            Told(b'{"id": "https://openalex.org/W1", "referenced_works": ["https://openalex.org/W2"]}')
        ]
        s2.script = [Told(b"{}", 404)]
        monkeypatch.setenv("NOVELTY_OPENALEX_URL", openalex.url)
        monkeypatch.setenv("NOVELTY_S2_URL", s2.url)
        result = run("plan", str(tmp_path / "plan.json"), "--graph", str(log), "--json")
        assert result.exit_code == 3
        assert json.loads(result.stdout)["failed"] == {"not_found": 1}
        assert [r["lom_id"] for r in rows(log, "references_checked")] == ["openalex:W1", "s2:CorpusId:7"]
        result = run("plan", str(tmp_path / "plan.json"), "--graph", str(log), "--resume", "--json")
        assert (result.exit_code, json.loads(result.stdout)["asked"]) == (0, 0)


@pytest.mark.parametrize(
    "plan",
    [
        "[",
        "{}",
        '{"batches": [{}]}',
        '{"batches": [{"source": "scopus", "ids": []}]}',
        '{"batches": [{"source": "s2", "ids": ["x"]}]}',
    ],
)
def test_what_is_no_plan_is_refused(tmp_path: Path, plan: str) -> None:
    (tmp_path / "plan.json").write_text(plan, "utf-8")
    with pytest.raises(DocumentError):
        run("plan", str(tmp_path / "plan.json"), "--graph", str(tmp_path / "log"))


@pytest.mark.parametrize("arguments", [["openalex"], ["openalex", "--from-file"], ["s2", "2408.0629"]])
def test_a_command_without_anything_to_ask_for_is_refused(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(NoveltyKitError):
        run(*arguments, "--graph", str(tmp_path / "log"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl"])
@pytest.mark.parametrize(
    ("encoding", "notes"),
    [
        ("utf-8", ()),
        ("utf-8-sig", ()),
        ("utf-16", ("read_as_utf-16",)),
        ("cp1252", ("read_as_windows-1252",)),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_bibliography_in_any_common_encoding_keeps_its_letters(
    tmp_path: Path, form: str, encoding: str, notes: tuple[str, ...], end: str
) -> None:
    text = {
        "bibtex": "@article{a,\n title={Über naïve Größen},\n doi={10.1000/x}\n}\n",
        "ris": "TY  - JOUR\nTI  - Über naïve Größen\nDO  - 10.1000/x\nER  - \n",
        "csl": '[{"type":"article","title":"Über naïve Größen",\n"DOI":"10.1000/x"}]\n',
    }[form]
    (found,) = items(tmp_path, form, text.replace("\n", end).encode(encoding))
    assert isinstance(found, Work)
    assert (found.title, found.ids, found.notes) == ("Über naïve Größen", {"doi": "10.1000/x"}, notes)
