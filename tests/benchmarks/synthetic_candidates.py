"""Candidates for a made-up log: papers with some thirty references, of every kind that the rules tell apart.

New papers whose references are read, are names only, or were all used by their authors; papers that are in the
log already, under one of their ids or two, as duplicates or left out; names that the log's edges know; papers
known by an OpenAlex id alone. With hubs most of them cite one, and a few are one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from synthetic_log import World

from novelty_kit.verdict.candidate import Candidate, read_candidate

_KINDS = ("new", "alone", "used", "known", "left_out", "name", "unresolved", "two")
_SHARES = (0.34, 0.28, 0.12, 0.06, 0.10, 0.05, 0.03, 0.02)


def make_candidates(world: World, n: int, n_references: int) -> list[Candidate]:
    """As many candidates, read as a file of them would be."""
    return [read_candidate(record) for record in candidate_records(world, n, n_references)]


def candidate_records(world: World, n: int, n_references: int) -> list[dict[str, Any]]:
    """The candidates as they would stand in a file."""
    rng = world.rng(10)
    kinds = rng.choice(len(_KINDS), n, p=_SHARES).tolist()
    counts = np.clip(rng.poisson(n_references, n), 1, None).tolist()
    return [
        _record(world, rng, no, _KINDS[kind], count)
        for no, (kind, count) in enumerate(zip(kinds, counts, strict=True))
    ]


def _record(world: World, rng: np.random.Generator, no: int, kind: str, count: int) -> dict[str, Any]:
    ids, n = world.ids, world.n_papers
    papers = (world.n_cited * rng.random(count) ** 2).astype(int)
    stubs = (
        n + world.n_claimed_stubs + ((world.n_stubs - world.n_claimed_stubs) * rng.random(count)).astype(int)
    )
    held: list[str] | None = None
    if kind == "used":  # all that is read among them was used
        nodes = np.where(np.arange(count) < 3, papers, stubs).tolist()
        held = [world.work_ids[i] for i in nodes[: 3 + world.shape.hubs]]
    elif kind == "alone":
        nodes = stubs.tolist()
    else:
        nodes = np.where(rng.random(count) < 0.3, stubs, papers).tolist()
    chance = rng.random(8).tolist()
    hubs = world.hub_nodes
    if world.shape.hubs and kind in ("new", "used") and chance[0] < 0.8:
        nodes[-1] = hubs[int(chance[0] * 5) % 3]
    if kind == "alone" and world.shape.hubs:
        nodes[-1] = hubs[1]
    names = world.work_ids if chance[7] * 7 % 1 < 0.25 else ids  # a list comes from one source
    references = [names[i] for i in nodes]
    if chance[5] < 0.03:  # and now and then holds two ids of one paper
        references += [ids[nodes[0]], world.work_ids[nodes[0]]]
    if chance[1] < 0.05:  # names that no edge of the log holds
        references[0] = f"doi:10.5555/unknown.{no}"
    if held is None and chance[2] < 0.4:
        held = [*references[: int(chance[2] * 20)], ids[int(chance[3] * n)]]
    record: dict[str, Any] = {
        "id": f"c{no}",
        "kind": "paper",
        "keys": _keys(world, no, kind, chance),
        "references": references,
        "leave_out": kind == "left_out" or (kind == "two" and chance[4] < 0.5),
        "publication_date": _date(chance),
        "references_checked": _stated(chance, len(references)),
    }
    if held is not None:
        record["holdout_lom_ids"] = held
    return record


def _keys(world: World, no: int, kind: str, chance: list[float]) -> dict[str, str]:
    n = world.n_papers
    if kind in ("new", "alone", "used"):
        return {"doi": f"10.5555/new.{no}"}
    if kind == "unresolved":
        return {"openalex": f"W7{no:09d}"}
    if kind == "name":
        return _key(world.ids[n + int(chance[5] * world.n_stubs)])
    node = int(chance[5] * n)
    if kind == "left_out":
        if world.shape.hubs and no % 1000 == 7:
            node = world.hub_nodes[no // 1000 % 4]
        elif chance[6] < 0.2:  # the only one to cover another
            node = int(world.lone_citing[int(chance[5] * world.n_lone)])
    keys = _key(world.ids[node])
    if kind == "known" and chance[6] < 0.4:
        return _key(world.work_ids[node])
    if kind == "two":
        keys = _key(world.work_ids[int(chance[7] * n)]) | keys
    elif chance[6] < 0.7:
        keys |= {"doi": f"10.5555/preprint.{no}"} if "doi" not in keys else {}
    return keys


def _key(lom_id: str) -> dict[str, str]:
    scheme, _, bare = lom_id.partition(":")
    return {scheme: bare}


def _date(chance: list[float]) -> str | None:
    year = 2004 + int(chance[7] * 24)
    if chance[6] < 0.03:
        return None
    return (
        f"{year}-{int(chance[5] * 12) + 1:02d}-{int(chance[3] * 28) + 1:02d}"
        if chance[6] < 0.6
        else str(year)
    )


def _stated(chance: list[float], count: int) -> dict[str, Any] | None:
    if chance[4] < 0.1:
        return None
    if chance[4] < 0.17:
        return {"status": "failed", "reason": "rate"}
    return {"status": "ok", "n_refs": 0 if chance[4] < 0.2 else count}
