"""Valid lines of every table, and lines that differ from them by a few bytes; the same for the same seed."""

from __future__ import annotations

import json
from random import Random

VALID = [
    {
        "op": "upsert",
        "table": "paper",
        "row": {
            "lom_id": "doi:10.1000/a",
            "doi": "10.1000/A",
            "arxiv": "2408.06292v2",
            "openalex": "https://openalex.org/W12",
            "s2_paper_id": None,
            "pmid": "0012",
            "title": 'Röntgen "rays" \\ \u2028 <b>',
            "publication_date": "2020-02-29",
            "read": True,
            "source": "x",
        },
        "ts": "2026-09-03T00:00:00Z",
    },
    {"op": "upsert", "table": "paper", "row": {"lom_id": "arxiv:hep-th/9901001", "read": False}},
    {"op": "delete", "table": "paper", "row": {"lom_id": "10.1000/xyz"}, "actor": "a", "note": "n"},
    {
        "op": "upsert",
        "table": "claim",
        "row": {"claim_id": "c1", "about_lom_id": "pmid:77", "statement": "It holds", "status": "contested"},
        "task": "t",
    },
    {"op": "delete", "table": "claims", "row": {"claim_id": "c1"}},
    {
        "op": "upsert",
        "table": "citation_edge",
        "row": {"citing_lom_id": "doi:10.1000/a", "cited_lom_id": "s2:CorpusId:9", "source": "o", "context": "as [1]"},
        "ts": "2026-09-03T10:00:00.25+02:00",
    },
    {"op": "upsert", "table": "citation_edge", "row": {"src": "doi:10.1000/a", "dst": "arxiv:1207.0580"}},
    {"op": "upsert", "table": "citation_edge", "row": {"citing_lom_id": "W1", "cited_lom_id": "W2"}},
    {"op": "delete", "table": "citation_edge", "row": {"src": "W1", "dst": "W2"}},
    {
        "op": "upsert",
        "table": "references_checked",
        "row": {
            "lom_id": "openalex:W12",
            "source": "o",
            "checked_ts": "2026-09-03T00:00:00Z",
            "n_refs": 12,
            "status": "ok",
        },
    },
    {"op": "upsert", "table": "references_checked", "row": {"lom_id": "W13", "n_refs": None, "status": "failed"}},
    {
        "op": "upsert",
        "table": "ingest_error",
        "row": {"scheme": "s2", "lookup": "ARXIV:2608.13940", "http_status": 429, "message": "no", "ts": None},
    },
    {
        "op": "upsert",
        "table": "same_work",
        "row": {"lom_id": "W1", "same_as_lom_id": "W2", "relation": "merged", "source": "o"},
    },
    {"op": "upsert", "table": "venue", "row": {"name": "x", "n": 3, "deep": [{"a": 1.5}]}},
    {"op": "upsert", "table": "paper", "row": {"lom_id": "W14", "venue": {"name": "x"}}, "extra": [1, 2]},
]  # fmt: skip

_BITS = [
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"0", b"-", b".", b"e", b" ", b"\t", b"\r", b"\x00"),
    *(b"\x1f", b"\xff", b"\xc3", b"null", b"true", b"NaN", b"1e9", b"\\u0000", b"\\ud800", b"\\u001f"),
    *(b"\\u0061", b'"doi":null,', b'"op":"upsert",', b'"note":"x",', b'"source":"y",'),
    *("é".encode(), "\u2028".encode()),
]


def lines() -> list[bytes]:
    """The valid lines, in several spellings of the same JSON."""
    found = []
    for event in VALID:
        found.append(json.dumps(event).encode())
        found.append(json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode())
    return found


def mutate(line: bytes, rng: Random) -> bytes:
    """One to three small changes anywhere in a line, none of which makes two lines of it."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(line) + 1)
        kind = rng.choice(["flip", "insert", "bit", "delete", "swap", "copy", "digit"])
        if kind == "flip" and at < len(line):
            line = line[:at] + bytes([line[at] ^ (1 << rng.randrange(8))]) + line[at + 1 :]
        elif kind == "insert":
            line = line[:at] + bytes([rng.randrange(256)]) + line[at:]
        elif kind == "bit":
            line = line[:at] + rng.choice(_BITS) + line[at:]
        elif kind == "delete":
            line = line[:at] + line[at + rng.choice([1, 1, 2, 5]) :]
        elif kind == "swap" and at + 1 < len(line):
            line = line[:at] + line[at + 1 : at + 2] + line[at : at + 1] + line[at + 2 :]
        elif kind == "copy":
            piece = line[at : at + rng.randint(1, 30)]
            line = line[:at] + piece + line[at:]
        elif kind == "digit":
            digits = [i for i, c in enumerate(line) if c in b"0123456789"]
            if digits:
                at = rng.choice(digits)
                line = (
                    line[:at]
                    + rng.choice([b"0", b"9", b"-1", b"1.0", b"99999999999999999999"])
                    + line[at + 1 :]
                )
    return line.replace(b"\n", b" ")


def pieces(line: bytes) -> list[bytes]:
    """Every pair of a row doubled, moved or renamed: what single bytes seldom hit."""
    event = json.loads(line)
    found = []
    for holder in (event, event["row"]):
        for name, value in list(holder.items()):
            text = json.dumps({name: value})[1:-1].encode()
            escaped = b'"\\u%04x' % ord(name[0]) + text[2:]
            for twin in (text, escaped):
                at = line.find(b"{", 1 if holder is event["row"] else 0)
                spot = line.find(b'"row"') if holder is event["row"] else 0
                at = line.find(b"{", spot)
                found.append(line[: at + 1] + twin + b"," + line[at + 1 :])
            for other in (1, 1.0, True, "", "x", [], {}, None, "2020", -1, 2**60, 10**30):
                holder[name] = other
                found.append(json.dumps(event).encode())
            holder.pop(name)
            found.append(json.dumps(event).encode())
            for spelt in (name.upper(), name[:-1], name + "s", name[1:] + name[0], "zz" + name):
                if spelt:
                    holder[spelt] = value
                    found.append(json.dumps(event).encode())
                    holder.pop(spelt)
            holder[name] = value
    return found
