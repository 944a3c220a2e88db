"""A small world of real works for the fail-open harness: what four services say, a log to begin with, candidates.

The works are those of a graph whose lists are known, so that without a fault `novel` is a verdict that can be
had, and each candidate's only link can be lost with one answer. A world follows from its seed alone.
"""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass, field
from typing import Any

N_WORKS = 30
N_CANDIDATES = 50


def made_up_records(seed: int, n: int = 400) -> list[dict[str, Any]]:
    """Works as a graph that is not at hand would hold them: for a clone without the real data."""
    chance = random.Random(f"records {seed}")
    return [
        {
            "id": f"https://openalex.org/W{1000 + number}",
            "doi": f"https://doi.org/10.1234/w{number}",
            "title": f"On the nature of thing number {number}",
            "publication_year": chance.randrange(1990, 2024),
            "referenced_works": [
                f"https://openalex.org/W{1000 + other}"
                for other in sorted({chance.randrange(n * 3) for _ in range(chance.randrange(3, 30))})
            ],
        }
        for number in range(n)
    ]


def sha(work: str) -> str:
    """The Semantic Scholar id of a work of this world."""
    return hashlib.sha1(work.encode()).hexdigest()


@dataclass
class World:
    """What is true before anything goes wrong.

    Attributes
    ----------
    source : str
        The service that is asked for the works' lists.
    works : dict of str to dict
        OpenAlex's records by their id (``W…``), in the order in which they are asked for.
    arxiv : dict of str to str
        An arXiv id for some of them, asked for first.
    prefix : list of dict
        Events in the log before anything is ingested.
    candidates : list of dict
        Fifty of them.
    """

    source: str
    works: dict[str, dict[str, Any]]
    arxiv: dict[str, str] = field(default_factory=dict)
    prefix: list[dict[str, Any]] = field(default_factory=list)
    candidates: list[dict[str, Any]] = field(default_factory=list)

    def doi(self, work: str) -> str:
        """The DOI of any work; one for those that have none, or one of arXiv, which Crossref does not hold."""
        doi = str((self.works[work].get("doi") or "") if work in self.works else "").lower()
        doi = doi.removeprefix("https://doi.org/")
        return doi if doi and not doi.startswith("10.48550/") else f"10.5555/{work.lower()}"

    def cites(self, work: str) -> list[str]:
        """The works that it cites, itself and repetitions left out."""
        listed = (name.rpartition("/")[2] for name in self.works[work]["referenced_works"])
        return [name for name in dict.fromkeys(listed) if name not in (work, "W4285719527")]

    def asked_ids(self) -> list[tuple[str, list[str]]]:
        """Which service is asked for which ids, in order."""
        name = {"openalex": lambda w: f"openalex:{w}", "s2": lambda w: f"s2:{sha(w)}"}.get(
            self.source, lambda w: f"doi:{self.doi(w)}"
        )
        preprints = [f"arxiv:{number}" for number in self.arxiv.values()]
        return [("arxiv", preprints), (self.source, [name(work) for work in self.works])]


def make_world(records: list[dict[str, Any]], seed: int) -> World:
    """One world: some works that cite each other, others that stand alone, and candidates around them."""
    chance = random.Random(seed)
    known = {r["id"].rpartition("/")[2]: r for r in records if r.get("referenced_works")}
    chosen = _chosen(known, chance)
    source = ("openalex", "openalex", "s2", "crossref")[seed % 4]
    world = World(source, {work: known[work] for work in chosen})
    if source == "openalex":
        world.arxiv = {work: f"2001.{number:05d}" for number, work in enumerate(chosen[:3], start=1)}
        zero = next(
            (r for r in records if not r.get("referenced_works") and r.get("doi")),
            None,
        )
        if zero is not None:
            world.works[zero["id"].rpartition("/")[2]] = {**zero, "referenced_works": []}
    _add_candidates(world, chance)
    return world


def _chosen(known: dict[str, dict[str, Any]], chance: random.Random) -> list[str]:
    """Works in chance order, every second one a work that the one before cites, where there is one."""
    names = sorted(known)
    chosen: dict[str, None] = {}
    while len(chosen) < N_WORKS:
        work = chance.choice(names)
        chosen[work] = None
        inner = [r.rpartition("/")[2] for r in known[work]["referenced_works"]]
        inner = [name for name in inner if name in known and name not in chosen]
        if inner and len(chosen) < N_WORKS:
            chosen[chance.choice(inner)] = None
    return list(chosen)


def _add_candidates(world: World, chance: random.Random) -> None:
    works = [work for work in world.works if world.cites(work)]
    own = {"openalex": "openalex", "s2": "doi", "crossref": "doi"}[world.source]

    def name(work: str) -> str:
        return f"openalex:{work}" if own == "openalex" else f"doi:{world.doi(work)}"

    def outsider(number: int, references: list[str], **more: Any) -> dict[str, Any]:
        checked = {"source": "own", "status": "ok", "n_refs": len(references)}
        return {
            "id": f"c{number}",
            "kind": "paper",
            "keys": {"doi": f"10.5555/candidate.{number}"},
            "references": references,
            "references_checked": checked,
            "holdout_lom_ids": [],
            **more,
        }

    bearing = works[:6]
    world.prefix = [
        {
            "op": "upsert",
            "table": "claim",
            "row": {"claim_id": f"k{i}", "about_lom_id": name(w), "statement": f"It holds, {i}."},
        }
        for i, w in enumerate(bearing)
    ]
    elsewhere = [f"doi:10.5555/elsewhere.{i}" for i in range(200)]
    cited_once = _cited_once(world, works)
    found: list[dict[str, Any]] = []
    while len(found) < N_CANDIDATES:
        number = len(found)
        kind = number % 6
        work = chance.choice(works)
        others = chance.sample(elsewhere, chance.randrange(1, 8))
        dated = {"publication_date": str(chance.randrange(2000, 2026))} if chance.random() < 0.3 else {}
        if kind == 0:
            found.append(outsider(number, [*others, name(work)], **dated))
        elif kind == 1 and cited_once:
            target = cited_once.pop(chance.randrange(len(cited_once)))
            keys = {"doi": world.doi(target)} | ({"openalex": target} if own == "openalex" else {})
            # Without a date: one after the citing work's would make its citation impossible.
            found.append(outsider(number, others, keys=keys))
        elif kind == 2:
            key = {"openalex": work} if own == "openalex" else {"doi": world.doi(work)}
            candidate = {"id": f"c{number}", "kind": "paper", "keys": key, "holdout_lom_ids": []}
            found.append({**candidate, "leave_out": number % 12 == 2})
        elif kind == 3:
            found.append(outsider(number, others, **dated))
        else:
            through = chance.choice(bearing)
            if kind == 5:
                citing = [w for w in works if through in world.cites(w)]
                through = chance.choice(citing) if citing else through
            claim = {"kind": "claim", "statement": f"Something else, {number}.", **dated}
            found.append(outsider(number, [*others, name(through)], **claim))
    world.candidates = found


def _cited_once(world: World, works: list[str]) -> list[str]:
    """Works outside that exactly one work inside cites: their only link is its list."""
    n_citing: dict[str, int] = {}
    for work in works:
        for target in world.cites(work):
            n_citing[target] = n_citing.get(target, 0) + 1
    return sorted(target for target, n in n_citing.items() if n == 1 and target not in world.works)


def openalex_record(world: World, work: str) -> dict[str, Any]:
    """What OpenAlex says."""
    record = dict(world.works[work])
    record["referenced_works_count"] = len(record["referenced_works"])
    if work in world.arxiv:
        record["locations"] = [{"landing_page_url": f"https://arxiv.org/abs/{world.arxiv[work]}"}]
    return record


def s2_record(world: World, work: str) -> dict[str, Any]:
    """What Semantic Scholar says."""
    references = [
        {"paperId": sha(w), "externalIds": {"DOI": world.doi(w)}, "title": None} for w in world.cites(work)
    ]
    return {
        "paperId": sha(work),
        "externalIds": {"DOI": world.doi(work)},
        "title": world.works[work].get("title"),
        "year": world.works[work].get("publication_year"),
        "referenceCount": len(references),
        "references": references,
    }


def crossref_record(world: World, work: str) -> dict[str, Any]:
    """What Crossref says."""
    return {
        "DOI": world.doi(work),
        "title": [world.works[work].get("title") or ""],
        "issued": {"date-parts": [[world.works[work].get("publication_year")]]},
        "reference": [{"DOI": world.doi(w)} for w in world.cites(work)],
        "reference-count": len(world.cites(work)),
    }


def arxiv_entry(world: World, work: str, number: str) -> str:
    """An entry of arXiv's feed."""
    title = json.dumps(world.works[work].get("title") or "")[1:-1].replace("&", "&amp;").replace("<", "&lt;")
    return (
        f"<entry><id>http://arxiv.org/abs/{number}v1</id><title>{title}</title>"
        "<summary>It is so.</summary><published>2020-01-02T00:00:00Z</published></entry>"
    )
