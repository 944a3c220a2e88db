"""The candidate: what is judged, as a checked record (novelty reference, section 4).

Nothing is read from disk here, and nothing is guessed: a field that is not known, a malformed id or a wrong
type is an error that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from novelty_kit.errors import CandidateError
from novelty_kit.graph.dates import is_date, is_time
from novelty_kit.graph.statements import statement_key
from novelty_kit.keys import SCHEMES
from novelty_kit.verdict.fields import FieldReader, shown

__all__ = ["Candidate", "Checked", "read_candidate"]

# The border's names of the keys, and the scheme of each, in the order that names a subject.
KEY_FIELDS: dict[str, str] = {
    "arxiv": "arxiv",
    "doi": "doi",
    "openalex": "openalex",
    "pmid": "pmid",
    "s2_paperId": "s2",
}
FIELDS = (
    "kind", "keys", "statement", "holdout_lom_ids", "about_lom_id", "title", "publication_date", "references",
    "references_checked", "claim_id", "leave_out", "id", "passport", "manuscript", "review_run",
    "hypothesis_id", "priorart",
)  # fmt: skip
_TEXTS = (
    "statement",
    "title",
    "claim_id",
    "id",
    "passport",
    "manuscript",
    "review_run",
    "hypothesis_id",
    "priorart",
)
_CHECKED_FIELDS = ("source", "checked_ts", "n_refs", "status", "reason")
_MAX_COUNT = 2**53


@dataclass(frozen=True, slots=True)
class Checked:
    """What the candidate states of its own reference list."""

    status: Literal["ok", "failed"]
    n_refs: int | None = None
    source: str | None = None
    checked_ts: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate with every id in normal form.

    Attributes
    ----------
    kind : {'paper', 'claim'}
    keys : tuple of str
        lom_ids in the order arxiv, doi, openalex, pmid, s2.
    seen : tuple of str or None
        The held-out ids (``holdout_lom_ids`` at the border: the nodes that the authors *used*); None is not
        stated, empty is a statement.
    references : tuple of str or None
        What the candidate cites; None is not stated.
    checked : Checked or None
        ``references_checked`` of the candidate itself.
    leave_out : bool
        Judge an ingested paper or claim as if it were new.
    label : str or None
        ``id`` at the border.
    passport, manuscript, review_run, hypothesis_id, priorart : str or None
        Where the candidate's audits lie, relative to its file.
    resolved : bool
        Its ids were looked up, so that no S2 or OpenAlex id of it needs that any more; never read from a record.
    graph : str or None
        A log that the candidate names, relative to its file.
    """

    kind: Literal["paper", "claim"]
    keys: tuple[str, ...] = ()
    statement: str | None = None
    about_lom_id: str | None = None
    claim_id: str | None = None
    leave_out: bool = False
    seen: tuple[str, ...] | None = None
    references: tuple[str, ...] | None = None
    checked: Checked | None = None
    title: str | None = None
    publication_date: str | None = None
    label: str | None = None
    passport: str | None = None
    manuscript: str | None = None
    review_run: str | None = None
    hypothesis_id: str | None = None
    priorart: str | None = None
    graph: str | None = None
    resolved: bool = False

    @property
    def statement_key(self) -> str | None:
        """The statement in the form in which it is compared."""
        return None if self.statement is None else statement_key(self.statement)


def read_candidate(
    given: Candidate | Mapping[str, Any], *, path: str | None = None, line: int | None = None, at: str = ""
) -> Candidate:
    """Check one candidate record.

    Parameters
    ----------
    given : mapping or Candidate
        The wrapped form (``{"candidate": …, "graph": …}``) or the bare inner object; or a Candidate made by
        hand, whose ids must be in normal form.
    path, line : optional
        Where it stands, for the error.
    at : str
        JSON pointer to the record, where it stands in an array.

    Raises
    ------
    CandidateError
        With every problem of the record in ``problems``.
    """
    reader = FieldReader(path, line, at)
    candidate = _made_by_hand(reader, given) if isinstance(given, Candidate) else _read(reader, given)
    if reader.problems or candidate is None:
        first = reader.problems[0]
        raise CandidateError(
            first.what,
            path=path,
            line=line,
            pointer=first.pointer,
            remedy=first.remedy,
            problems=reader.problems if len(reader.problems) > 1 else (),
            n_problems=len(reader.problems),
        )
    return candidate


def _made_by_hand(reader: FieldReader, given: Candidate) -> Candidate:
    """A Candidate that somebody built: an id that is not in normal form would match nothing."""
    record: dict[str, Any] = {"kind": given.kind, "leave_out": given.leave_out, "id": given.label}
    record |= {name: getattr(given, name) for name in _TEXTS if name != "id"}
    record |= {"about_lom_id": given.about_lom_id, "publication_date": given.publication_date}
    record |= {"holdout_lom_ids": given.seen, "references": given.references}
    if given.checked is not None:
        record["references_checked"] = asdict(given.checked)
    read = _read(reader, record)
    keys = reader.key_list("/keys", given.keys) or ()
    if set(keys) != set(given.keys):
        reader.wrong(
            "/keys", "must be lom_ids in normal form", "Give a mapping, whose ids may be in any form"
        )
    pairs = (("about_lom_id", "about_lom_id"), ("seen", "holdout_lom_ids"), ("references", "references"))
    for name, field in pairs if read is not None else ():
        mine, normal = getattr(given, name), getattr(read, name)
        if mine != normal and set(mine or ()) != set(normal or ()):
            reader.wrong(
                f"/{field}", "must be in normal form", "Give a mapping, whose ids may be in any form"
            )
    ordered = tuple(sorted(set(keys), key=_key_order))
    return given if read is None else replace(read, keys=ordered, graph=given.graph)


def _read(reader: FieldReader, given: Any) -> Candidate | None:
    if not isinstance(given, Mapping):
        reader.wrong("", f"a candidate must be an object, got {shown(given)}")
        return None
    pointer, graph = "", None
    if "candidate" in given:
        for name in given:
            if name not in ("candidate", "graph"):
                reader.unknown("", str(name), ("candidate", "graph"))
        graph = _read_graph(reader, given.get("graph"))
        given, pointer = given["candidate"], "/candidate"
        if not isinstance(given, Mapping):
            reader.wrong(pointer, f"a candidate must be an object, got {shown(given)}")
            return None
    for name in given:
        if name not in FIELDS:
            reader.unknown(pointer, str(name), FIELDS)
    kind: Any = given.get("kind")
    if kind not in ("paper", "claim"):
        reader.wrong(f"{pointer}/kind", f"must be paper or claim, got {shown(kind)}")
    texts = {name: reader.text(f"{pointer}/{name}", given.get(name)) for name in _TEXTS}
    about = given.get("about_lom_id")
    about_key = reader.key(f"{pointer}/about_lom_id", about) if about is not None else None
    leave_out = given.get("leave_out")
    if leave_out is not None and not isinstance(leave_out, bool):
        reader.wrong(f"{pointer}/leave_out", f"must be true or false, got {shown(leave_out)}")
    if texts["claim_id"] is not None and (kind == "paper" or leave_out is not True):
        reader.wrong(
            f"{pointer}/claim_id",
            "only a claim under leave_out names an ingested claim",
            "Set leave_out: true",
        )
    published = reader.text(f"{pointer}/publication_date", given.get("publication_date"))
    if published is not None and not is_date(published):
        reader.wrong(
            f"{pointer}/publication_date",
            f"must be a year, month or day that exists, got {shown(published)}",
        )
    keys = _read_keys(reader, pointer, given.get("keys"))
    seen = reader.key_list(f"{pointer}/holdout_lom_ids", given.get("holdout_lom_ids"))
    references = reader.key_list(f"{pointer}/references", given.get("references"))
    checked = _read_checked(reader, f"{pointer}/references_checked", given.get("references_checked"))
    if reader.problems:
        return None
    return Candidate(
        kind=kind,
        keys=keys,
        about_lom_id=about_key,
        leave_out=bool(leave_out),
        seen=seen,
        references=references,
        checked=checked,
        publication_date=published,
        statement=texts["statement"],
        claim_id=texts["claim_id"],
        title=texts["title"],
        label=texts["id"],
        passport=texts["passport"],
        manuscript=texts["manuscript"],
        review_run=texts["review_run"],
        hypothesis_id=texts["hypothesis_id"],
        priorart=texts["priorart"],
        graph=graph,
    )


def _read_graph(reader: FieldReader, value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, Mapping) and set(value) <= {"events_jsonl"}:
        return reader.text("/graph/events_jsonl", value.get("events_jsonl"))
    reader.wrong("/graph", 'must be {"events_jsonl": FILE}', None)
    return None


def _read_keys(reader: FieldReader, pointer: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        reader.wrong(f"{pointer}/keys", f"must be an object of ids, got {shown(value)}")
        return ()
    found = set()
    for name, text in value.items():
        if name not in KEY_FIELDS:
            reader.unknown(f"{pointer}/keys", str(name), tuple(KEY_FIELDS))
        elif text is not None:
            key = reader.key(f"{pointer}/keys/{name}", text, KEY_FIELDS[name])
            if key is not None:
                found.add(key)
    return tuple(sorted(found, key=_key_order))


def _key_order(lom_id: str) -> tuple[int, str]:
    """arxiv, doi, openalex, pmid, s2; within a scheme by the id."""
    return SCHEMES.index(lom_id.partition(":")[0]), lom_id


def _read_checked(reader: FieldReader, pointer: str, value: Any) -> Checked | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        reader.wrong(pointer, f"must be an object, got {shown(value)}")
        return None
    for name in value:
        if name not in _CHECKED_FIELDS:
            reader.unknown(pointer, str(name), _CHECKED_FIELDS)
    status: Any = value.get("status")
    n_refs = value.get("n_refs")
    if status not in ("ok", "failed"):
        reader.wrong(f"{pointer}/status", f"must be ok or failed, got {shown(status)}")
    whole = isinstance(n_refs, int) and not isinstance(n_refs, bool) and 0 <= n_refs <= _MAX_COUNT
    if not whole and not (n_refs is None and status == "failed"):
        reader.wrong(f"{pointer}/n_refs", f"must be a whole number that is not negative, got {shown(n_refs)}")
    checked_ts = reader.text(f"{pointer}/checked_ts", value.get("checked_ts"))
    if checked_ts is not None and not is_time(checked_ts):
        reader.wrong(
            f"{pointer}/checked_ts", f"must be a time such as 2026-09-03T00:00:00Z, got {shown(checked_ts)}"
        )
    source = reader.text(f"{pointer}/source", value.get("source"))
    reason = reader.text(f"{pointer}/reason", value.get("reason"))
    if reader.problems:
        return None
    return Checked(status, n_refs, source, checked_ts, reason)
