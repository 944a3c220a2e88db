"""A small hostile log: papers under several ids, stubs, shared ids, claims, edges, coverage, second thoughts.

Every row is legal, every id has a normal form, and the same random numbers give the same log.
"""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Any

Row = dict[str, Any]

COLUMNS = {"doi": "doi", "arxiv": "arxiv", "openalex": "openalex", "s2": "s2_paper_id", "pmid": "pmid"}
# Around the margin of three years, with a leap day on either side of it.
DATES = [
    "1998", "2005-06", "2016", "2016-02-29", "2017", "2019-02-28", "2019-03", "2019-03-01", "2019-03-02",
    "2019-12-31", "2020", "2020-01-01", "2020-02", "2020-02-29", "2023-02-28", "2023-03-01", "2023-03-02",
    "2024-02-29", "2026-11",
]  # fmt: skip
STATEMENTS = [
    "The café effect holds",
    "UMAP keeps global structure",
    "Ångström scale laws differ",
    "Σίσυφος wins",
]
BLANKS = [" ", "  ", "\t", "\n", "\u00a0", "\u2003", "\u3000", "\u0085", "\u2028"]
# Equal to nothing: not white space by the Unicode property, or another word.
NEAR_MISSES = ["{}.", "not {}", "{}\u200b", "\u001f{}", "{} \u0301"]


class World:
    """What one log is made from: papers with their ids, stubs, ids that several papers own, claims."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.quiet = rng.random() < 0.55
        self.dated = rng.random() < 0.6
        self.numbers = rng.sample(range(1000, 9999), 60)
        self.shared = [self.new_id(s) for s in rng.sample(["openalex", "doi", "pmid", "s2"], 2)]
        self.stubs = [self.new_id() for _ in range(rng.randint(1, 4))]
        self.papers: dict[str, dict[str, str]] = {}
        for _ in range(rng.choice([0, 1, 2, 3, 4, 4, 5, 6, 7])):
            self.add_paper()
        self.claims: dict[str, Row] = {}
        self.events: list[Row] = []
        self.cited = False

    # ---- ids and texts

    def new_id(self, scheme: str | None = None) -> str:
        scheme = scheme or self.rng.choice(
            ["arxiv", "arxiv", "doi", "doi", "openalex", "openalex", "pmid", "s2"]
        )
        if not self.numbers:  # many candidates: an id may then be known already
            self.numbers = self.rng.sample(range(1000, 9999), 60)
        n = self.numbers.pop()
        year, month = n % 17 + 8, n % 12 + 1
        bare = {
            "arxiv": f"{year:02d}{month:02d}.{n:0{5 if year >= 15 else 4}d}",
            "doi": f"10.{n}/x.{n % 7}",
            "openalex": f"W{n}",
            "pmid": str(n),
            "s2": f"{n:040x}" if n % 3 else f"CorpusId:{n}",
        }[scheme]
        return f"{scheme}:{bare}"

    def spell(self, lom_id: str) -> str:
        """The id, mostly in its normal form, else in another form that is accepted wherever an id is."""
        scheme, _, bare = lom_id.partition(":")
        if self.rng.random() < 0.75:
            return lom_id
        forms = {
            "arxiv": [f"arXiv:{bare}v2", f"https://arxiv.org/abs/{bare}", f"doi:10.48550/arXiv.{bare}"],
            "doi": [f"https://doi.org/{bare.upper()}", f"DOI:{bare}", f"http://dx.doi.org/{bare}"],
            "openalex": [f"https://openalex.org/{bare}", f"openalex:{bare.lower()}"],
            "pmid": [f"PMID:{bare}", f"pmid:00{bare}"],
            "s2": [f"s2:{bare.upper()}" if not bare.startswith("C") else f"s2:{bare}"],
        }
        return self.rng.choice(forms[scheme])

    def spell_bare(self, lom_id: str) -> str:
        """The id as a key column or a candidate's key holds it."""
        scheme, _, bare = lom_id.partition(":")
        if self.rng.random() < 0.8:
            return bare
        forms = {
            "arxiv": [f"{bare}v1", f"arXiv:{bare}"],
            "doi": [f"https://doi.org/{bare}", bare.upper()],
            "openalex": [bare.lower(), f"https://openalex.org/{bare}"],
            "pmid": [f"0{bare}"],
            "s2": [bare.upper() if not bare.startswith("C") else bare],
        }
        return self.rng.choice(forms[scheme])

    def respell_statement(self, statement: str) -> str:
        """An equal statement in other characters, now and then one that only looks equal."""
        rng = self.rng
        text = "".join(rng.choice(BLANKS) if c == " " else c for c in statement)
        text = unicodedata.normalize(rng.choice(["NFC", "NFD"]), text)
        text = rng.choice([text, text.upper(), text.title(), text.lower()]) if "Σ" not in statement else text
        text = rng.choice(["", *BLANKS]) + text + rng.choice(["", *BLANKS])
        return rng.choice(NEAR_MISSES).format(text) if rng.random() < 0.12 else text

    def add_paper(self) -> None:
        rng = self.rng
        keys: dict[str, str] = {}
        lom_id = rng.choice(self.shared) if rng.random() < 0.08 else self.new_id()
        if lom_id in self.papers:
            return
        if rng.random() < 0.9:
            keys[lom_id.partition(":")[0]] = lom_id
        for scheme in COLUMNS:
            if scheme not in keys and rng.random() < 0.3:
                keys[scheme] = self.new_id(scheme)
        for shared in self.shared:
            if rng.random() < (0.15 if self.quiet else 0.35):
                keys[shared.partition(":")[0]] = shared
        self.papers[lom_id] = keys

    def ids_of(self, paper: str) -> list[str]:
        return sorted({paper, *self.papers[paper].values()})

    def any_paper(self) -> str:
        return self.rng.choice(sorted(self.papers)) if self.papers else self.rng.choice(self.stubs)

    def any_id(self, stubs: float = 0.25) -> str:
        """Any id of any paper, or a stub's."""
        rng = self.rng
        if not self.papers or rng.random() < stubs:
            return rng.choice([*self.stubs, *self.stubs, *self.shared])
        return rng.choice(self.ids_of(self.any_paper()))

    def date(self) -> str | None:
        return self.rng.choice(DATES) if self.rng.random() < (0.8 if self.dated else 0.15) else None

    # ---- the log

    def put(self, table: str, row: Row, op: str = "upsert") -> None:
        self.events.append({"op": op, "table": table, "row": row})

    def put_paper(self, paper: str) -> None:
        rng = self.rng
        row: Row = {"lom_id": self.spell(paper), "title": f"Title {rng.randint(1, 5)}"}
        for scheme, column in COLUMNS.items():
            if scheme in self.papers[paper]:
                row[column] = self.spell_bare(self.papers[paper][scheme])
            elif rng.random() < 0.6:
                row[column] = None
        if rng.random() < 0.85:
            row["read"] = rng.choice([True, True, True, False, None])
        date = self.date()
        if date is not None or rng.random() < 0.5:
            row["publication_date"] = date
        self.put("paper", row)

    def put_claims(self) -> None:
        rng = self.rng
        bearers = [self.any_id(0.15) for _ in range(2)]
        for n in range(rng.choice([0, 1, 1, 2, 2, 3, 5])):
            about = rng.choice(bearers) if rng.random() < 0.7 else self.any_id(0.15)
            row: Row = {"claim_id": f"claim-{n}", "about_lom_id": about, "status": "contested"}
            row["statement"] = self.respell_statement(rng.choice(STATEMENTS))
            self.claims[f"claim-{n}"] = dict(row)
            self.put("claim", {**row, "about_lom_id": self.spell(about)})

    def put_edge(self, citing: str, cited: str, op: str = "upsert") -> None:
        row = {"citing_lom_id": self.spell(citing), "cited_lom_id": self.spell(cited)}
        self.put("citation_edge", {**row, "source": "openalex"} if op == "upsert" else row, op)

    def put_edges(self, lonely: str | None) -> list[tuple[str, str]]:
        rng = self.rng
        avoided = set(self.ids_of(lonely)) if lonely is not None else set()
        edges = []
        for _ in range(rng.randint(0, 6) if self.quiet else rng.randint(0, 14)):
            pair = (self.any_id(), self.any_id())
            if avoided & set(pair):
                pair = (
                    (pair[0], rng.choice(self.stubs))
                    if rng.random() < 0.5
                    else (rng.choice(self.stubs), pair[1])
                )
                if pair[0] not in avoided and rng.random() < 0.5:
                    pair = (rng.choice(self.stubs), rng.choice(self.stubs))
            edges.append(pair)
        if rng.random() < 0.3:
            one = self.any_id()
            edges.append((one, one))
        if self.papers and rng.random() < 0.3:
            paper = self.any_paper()
            edges.append((rng.choice(self.ids_of(paper)), rng.choice(self.ids_of(paper))))
        if lonely is not None:
            edges += self.around_the_lonely(lonely)
        for pair in edges:
            self.put_edge(*pair)
        gone = [pair for pair in edges if rng.random() < 0.08]
        for pair in gone:
            self.put_edge(*pair, op="delete")
        return [pair for pair in edges if pair not in gone]

    def around_the_lonely(self, lonely: str) -> list[tuple[str, str]]:
        """Mostly nothing; else one neighbour (a second ring, or cover by an in-edge), or a two-hop path."""
        rng = self.rng
        shape = rng.choices(["alone", "neighbour", "cited", "bridge"], [45, 15, 20, 20])[0]
        self.cited = shape == "cited"
        other, third = self.any_paper(), self.any_paper()
        if shape == "bridge" and self.claims:
            third = rng.choice(sorted(c["about_lom_id"] for c in self.claims.values()))
        hops = {
            "alone": [],
            "neighbour": [(lonely, other)],
            "cited": [(other, lonely)],
            "bridge": [(lonely, other), (other, third)],
        }[shape]
        return [hop if shape == "cited" or rng.random() < 0.6 else hop[::-1] for hop in hops]

    def put_coverage(self, edges: list[tuple[str, str]], lonely: str | None) -> None:
        rng = self.rng
        nodes = sorted(self.papers) + [c["about_lom_id"] for c in self.claims.values()]
        missing = 0.02 if self.quiet else 0.35
        for node in dict.fromkeys(nodes):
            if rng.random() < missing:
                continue
            ids = self.ids_of(node) if node in self.papers else [node]
            cites = sum(citing in ids and citing != cited for citing, cited in edges)
            zero = rng.random() < (
                (0.7 if self.cited else 0.2) if node == lonely else 0.05 if self.quiet else 0.25
            )
            count = 0 if zero and (cites == 0 or not self.quiet) else cites + rng.randint(1, 4)
            where = node if rng.random() < 0.8 else rng.choice(ids)
            self.put_row(where, "failed" if not self.quiet and rng.random() < 0.12 else "ok", count)
            if not self.quiet and rng.random() < 0.3:
                self.put_row(rng.choice(ids), rng.choice(["ok", "ok", "failed"]), rng.choice([0, 0, 3]))
        for stub in self.stubs:
            if rng.random() < 0.2:
                self.put_row(stub, rng.choice(["ok", "failed"]), rng.choice([0, 2]))

    def put_row(self, lom_id: str, status: str, count: int) -> None:
        row: Row = {"lom_id": self.spell(lom_id), "source": "openalex", "checked_ts": "2026-09-03T00:00:00Z"}
        self.put("references_checked", {**row, "n_refs": count if status == "ok" else None, "status": status})

    def put_errors(self) -> None:
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            self.put_error(self.any_id())

    def put_error(self, lom_id: str) -> None:
        """A stored failure, of the id's own service or another, the lookup spelt in one way or another."""
        rng = self.rng
        scheme, _, bare = lom_id.partition(":")
        form = rng.choice(["own", "own", "bare", "upper", "other service"])
        spelt = {"own": lom_id, "bare": bare, "upper": f"{scheme.upper()}:{bare}", "other service": lom_id}[
            form
        ]
        if scheme == "openalex" and rng.random() < 0.3:
            spelt = f"https://openalex.org/{bare}"
        service = rng.choice(["s2", "openalex", "arxiv"]) if form == "other service" else scheme
        status = rng.choice([429, 404, 503, None])
        self.put(
            "ingest_error",
            {"scheme": service, "lookup": spelt, "http_status": status, "message": "no answer"},
        )
        if rng.random() < 0.15:
            self.put("ingest_error", {"scheme": service, "lookup": lom_id}, "delete")

    def put_afterthoughts(self) -> None:
        """Deletes, second upserts and patches: what the log says later counts."""
        rng = self.rng
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice(
                ["patch", "patch", "delete paper", "claim", "delete claim", "row", "delete row", "same work"]
            )
            if kind == "patch" and self.papers:
                column = rng.choice(["read", "publication_date", *COLUMNS.values()])
                value = {"read": rng.choice([True, False, None]), "publication_date": self.date()}.get(column)
                if column in COLUMNS.values() and rng.random() < 0.5:
                    scheme = next(s for s, c in COLUMNS.items() if c == column)
                    value = self.spell_bare(
                        next((i for i in self.shared if i.startswith(scheme)), self.new_id(scheme))
                    )
                self.put("paper", {"lom_id": self.spell(self.any_paper()), column: value})
            elif kind == "delete paper" and self.papers:
                paper = self.any_paper()
                self.put("paper", {"lom_id": self.spell(paper)}, "delete")
                if rng.random() < 0.6:
                    self.put("paper", {"lom_id": self.spell(paper), "title": "Back again"})
            elif kind == "claim" and self.claims:
                claim = rng.choice(sorted(self.claims))
                row = {"claim_id": claim, "about_lom_id": self.any_id(), "status": "supported"}
                self.put("claim", {**row, "statement": self.respell_statement(rng.choice(STATEMENTS))})
            elif kind == "delete claim" and self.claims:
                self.put("claim", {"claim_id": rng.choice(sorted(self.claims))}, "delete")
            elif kind == "row":
                self.put_row(self.any_id(), rng.choice(["ok", "failed"]), rng.choice([0, 1, 5]))
            elif kind == "delete row":
                self.put("references_checked", {"lom_id": self.any_id()}, "delete")
            else:
                row = {"lom_id": self.any_id(), "same_as_lom_id": self.any_id(), "relation": "version_of"}
                self.put("same_work", {**row, "source": "openalex"})
