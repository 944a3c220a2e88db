"""Each result of a quote's proof: what fires it, what does not, and that only one carries a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from novelty_kit.errors import DamageError, InputError
from novelty_kit.priorart.proof import Proof, Prover, QuoteResult
from novelty_kit.priorart.references import ReferenceList, read_references
from novelty_kit.priorart.searchlog import Candidate
from novelty_kit.priorart.store import TextStore, sha256_of
from novelty_kit.priorart.substance import why_too_short
from novelty_kit.priorart.verdicts import GivenQuote

TITLE = "Merging spectral sketches of one stream"
ABSTRACT = "We merge two spectral sketches in one pass. It needs no shared seed, and loses 0.5 % at most."
TEXT = f"{TITLE}\n\n{ABSTRACT}"


@pytest.fixture
def store(tmp_path: Path) -> TextStore:
    kept = TextStore(tmp_path / "store")
    kept.add_paper("arxiv:2001.00001", TITLE, ABSTRACT, "2026-01-01T00:00:00Z")
    return kept


def work(**changes: Any) -> Candidate:
    fields: dict[str, Any] = {
        "id": "arxiv:2001.00001",
        "title": TITLE,
        "url": "https://arxiv.org/abs/2001.00001",
        "text_sha256": sha256_of(TEXT),
        "date": "2020-01-05",
    }
    return Candidate(**(fields | changes))


def prove(store: TextStore, text: str, *works: Candidate, **options: Any) -> Proof:
    span = {name: options.pop(name) for name in ("start", "end") if name in options}
    prover = Prover(store, options.pop("own", ()), **options)
    return prover.prove(GivenQuote(text, sha256_of(TEXT), **span), works or (work(),))


def test_a_passage_is_proven_with_its_place(store: TextStore) -> None:
    proof = prove(store, "merge two  spectral sketches in one pass")
    assert proof.result is QuoteResult.VERIFIED
    assert TEXT[proof.spans[0].start : proof.spans[0].end] == proof.passage
    assert proof.to_dict()["spans"][0]["case"] == "kept"


def test_a_stated_place_must_be_the_place(store: TextStore) -> None:
    quote = "We merge two spectral sketches in one pass."
    start = TEXT.index(quote)
    assert prove(store, quote, start=start, end=start + len(quote)).verified
    assert prove(store, quote, start=start + 1, end=start + 40).result is QuoteResult.NOT_FOUND
    assert prove(store, quote, start=10**9, end=10**9 + 5).result is QuoteResult.NOT_FOUND


def test_other_words_are_not_found(store: TextStore) -> None:
    assert prove(store, "We merge ten spectral sketches in one pass.").result is QuoteResult.NOT_FOUND


def test_a_text_that_no_search_for_the_claim_found_is_not_in_the_log(store: TextStore) -> None:
    proof = prove(store, "We merge two spectral sketches in one pass.", work(text_sha256="0" * 64))
    assert proof.result is QuoteResult.NOT_IN_LOG


def test_a_text_that_is_gone_or_was_never_there_is_missing(store: TextStore) -> None:
    quote = "We merge two spectral sketches in one pass."
    (row,) = store.rows(sha256_of(TEXT))
    (store.folder / "raw" / row.raw_sha256).unlink()
    assert prove(store, quote).result is QuoteResult.STORE_MISSING
    assert prove(TextStore(store.folder / "nowhere"), quote).result is QuoteResult.STORE_MISSING


@pytest.mark.parametrize("kind", ["raw", "text", "row"])
def test_altered_bytes_are_a_mismatch_and_never_pass(store: TextStore, kind: str) -> None:
    (row,) = store.rows(sha256_of(TEXT))
    path = {
        "raw": store.folder / "raw" / row.raw_sha256,
        "text": store.folder / "text" / row.text_sha256,
        "row": next((store.folder / "row" / row.text_sha256).iterdir()),
    }[kind]
    path.write_bytes(path.read_bytes().replace(b"two", b"ten") + b" ")
    proof = prove(store, "We merge ten spectral sketches in one pass.")
    assert proof.result is QuoteResult.HASH_MISMATCH


@pytest.mark.parametrize("row", [b"[]", b"{}", b"nonsense", b'{"url": 1}'])
def test_a_row_that_is_none_is_damage(store: TextStore, row: bytes) -> None:
    folder = store.folder / "row" / sha256_of(TEXT)
    (folder / f"{sha256_of(row)}.json").write_bytes(row)
    with pytest.raises(DamageError):
        store.text(sha256_of(TEXT))


def test_names_that_are_no_hash_are_no_path(store: TextStore) -> None:
    for name in ("../../etc/passwd", "", "A" * 64, "0" * 63):
        assert list(store.rows(name)) == []
        with pytest.raises(InputError):
            store.text(name)


def test_adding_twice_changes_nothing_and_two_sources_of_one_text_are_two_rows(store: TextStore) -> None:
    files = sorted(store.folder.rglob("*"))
    store.add_paper("arxiv:2001.00001", TITLE, ABSTRACT, "2026-01-01T00:00:00Z")
    assert sorted(store.folder.rglob("*")) == files
    store.add(b"<p>", TEXT, url="u", fetched_at=None, media_type="text/html", extractor=("x", "1"))
    assert len(list(store.rows(sha256_of(TEXT)))) == 2
    assert store.text(sha256_of(TEXT)) == TEXT


def test_a_lone_surrogate_survives_the_store(store: TextStore) -> None:
    row = store.add_paper("u", "a \ud800 title", "")
    assert store.text(row.text_sha256) == "a \ud800 title"


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("two spectral sketches", "3 words"),
        ("…", "no word"),
        ('"."', "no word"),
        ("It is one of the most", "stop words"),
        ("https://example.org/a/very/long/address/that/says/nothing", "only an address"),
        ("doi:10.5555/abc.def and arXiv:2001.00001", "1 words"),
        ("spam spam spam spam spam spam spam", "repeats"),
        ("可能合并两个草图", "8 characters"),
    ],
)  # fmt: skip
def test_a_scrap_is_too_short(store: TextStore, quote: str, why: str) -> None:
    proof = prove(store, quote)
    assert proof.result is QuoteResult.TOO_SHORT
    assert why in proof.detail


@pytest.mark.parametrize(
    "quote",
    [
        "needs no shared seed and loses nothing",
        "internationalisation considered",
        "这很可能合并两个草图的方法啊",
    ],
)
def test_six_words_or_thirty_characters_or_twelve_without_spaces_are_enough(quote: str) -> None:
    assert why_too_short(quote) == ""


def test_a_title_proves_nothing_even_when_it_runs_on(store: TextStore) -> None:
    for quote in (TITLE, "spectral sketches of one stream merging"[:31], f"{TITLE}. We merge", TITLE.upper()):
        assert prove(store, quote).result in (QuoteResult.TITLE_ONLY, QuoteResult.NOT_FOUND)
    assert prove(store, TITLE).result is QuoteResult.TITLE_ONLY
    assert prove(store, f"{TITLE}\n\nWe merge").result is QuoteResult.TITLE_ONLY
    assert prove(store, f"{TITLE}\n\n{ABSTRACT}").verified


def test_the_artifact_s_own_words_prove_nothing(store: TextStore) -> None:
    quote = "We merge two spectral sketches in one pass."
    own = "In this paper we merge two spectral\nsketches in one pass. It is new."
    assert prove(store, quote, own=[own]).result is QuoteResult.OWN_TEXT
    assert prove(store, quote, own=["We merge ten spectral sketches in one pass."]).verified
    assert prove(store, "needs no shared seed, and loses", own=[TEXT]).result is QuoteResult.OWN_TEXT


@pytest.mark.parametrize(
    ("entry", "cites"),
    [
        ("arXiv:2001.00001v2", True),
        ("Doe, J. (2020). Sketches. https://arxiv.org/abs/2001.00001.", True),
        ("doi:10.48550/arXiv.2001.00001", True),
        ("Doe, J. (2020). Merging Spectral Sketches of One Stream. Proc. X.", True),
        ("arxiv:2001.00002", False),
        ("Merging spectral sketches of two streams", False),
        ("", False),
    ],
)
def test_a_cited_work_is_no_uncited_prior_art(store: TextStore, entry: str, cites: bool) -> None:
    proof = prove(store, "We merge two spectral sketches in one pass.", references=ReferenceList([entry]))
    assert (proof.result is QuoteResult.CITED) == cites
    assert proof.verified != cites


@pytest.mark.parametrize(
    ("theirs", "ours", "earlier"),
    [
        ("2020-01-05", "2020-01-06", True),
        ("2020-01-05", "2020-01-05", False),
        ("2020-01-05", "2019", False),
        ("2020", "2020-06-01", True),
        ("2021", "2020-06-01", False),
        (None, "2020", True),
        ("2020", None, True),
        ("soon", "2020", True),
        ("2020-01-05T10:00:00Z", "2020-01", True),
    ],
)
def test_a_source_must_not_be_known_to_be_later(
    store: TextStore, theirs: str | None, ours: str | None, earlier: bool
) -> None:
    quote = "We merge two spectral sketches in one pass."
    proof = prove(store, quote, work(date=theirs), artifact_date=ours)
    assert proof.verified == earlier
    assert (proof.result is QuoteResult.NOT_EARLIER) != earlier


def test_every_result_has_its_own_word() -> None:
    assert [str(result) for result in QuoteResult] == [
        "no-quote",
        "source-not-in-log",
        "store-missing",
        "hash-mismatch",
        "source-cited",
        "source-not-earlier",
        "too-short",
        "title-only",
        "own-text",
        "not-found",
        "verified-span",
    ]


def test_references_are_read_a_line_each(tmp_path: Path) -> None:
    path = tmp_path / "refs.txt"
    path.write_bytes("\ufeff# mine\r\narxiv:2001.00001\r\n\r\nA title\u2028with a separator\n".encode())
    assert read_references(str(path)) == ("arxiv:2001.00001", "A title\u2028with a separator")
