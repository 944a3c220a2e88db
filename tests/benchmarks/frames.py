"""The rules over polars frames: everything for all candidates at once, ids as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from loops import COLUMNS
from plain_graph import FIRST_DAY, PlainGraph, first_day

from novelty_kit.verdict.candidate import Candidate

_NO, _NODE = pl.col("no"), pl.col("node")


@dataclass(frozen=True)
class Batch:
    """Candidates as frames, their ids still text.

    ``candidate``: no, label, leave_out, given, date, stated_ok, stated_n_refs; ``key``: no, rank, lom_id, unresolved;
    ``reference`` and ``seen``: no, lom_id.
    """

    candidate: pl.DataFrame
    key: pl.DataFrame
    reference: pl.DataFrame
    seen: pl.DataFrame


def batch_of(candidates: Sequence[Candidate]) -> Batch:
    """Frames from records."""
    numbered = list(enumerate(candidates))
    keys = [(no, rank, key) for no, c in numbered for rank, key in enumerate(c.keys)]
    listed = [(no, c.references or ()) for no, c in numbered]
    seen = [(no, c.seen or ()) for no, c in numbered]
    return Batch(
        pl.DataFrame(
            {
                "no": range(len(candidates)),
                "label": [c.label for c in candidates],
                "leave_out": [c.leave_out for c in candidates],
                "given": [c.seen is not None for c in candidates],
                "day": [FIRST_DAY if (d := c.publication_date) is None else first_day(d) for c in candidates],
                "stated_ok": [c.checked is not None and c.checked.status == "ok" for c in candidates],
                "stated_n_refs": [None if c.checked is None else c.checked.n_refs for c in candidates],
            },
            schema_overrides={
                "no": pl.UInt32, "label": pl.String, "day": pl.Int32, "stated_n_refs": pl.Int64,
            },
        ),
        pl.DataFrame(
            {
                "no": [no for no, _, _ in keys],
                "rank": [rank for _, rank, _ in keys],
                "lom_id": [key for _, _, key in keys],
                "unresolved": [key.startswith(("openalex:", "s2:")) for _, _, key in keys],
            },
            schema_overrides={"no": pl.UInt32, "rank": pl.UInt32, "lom_id": pl.String, "unresolved": pl.Boolean},
        ),
        _pairs(listed),
        _pairs(seen),
    )  # fmt: skip


def _pairs(listed: list[tuple[int, tuple[str, ...]]]) -> pl.DataFrame:
    numbers = pl.Series("no", [no for no, _ in listed], pl.UInt32)
    sizes = pl.Series("size", [len(ids) for _, ids in listed], pl.UInt32)
    repeated = pl.DataFrame({"no": numbers, "size": sizes}).select(
        _NO.repeat_by("size").explode().drop_nulls()
    )
    return repeated.with_columns(
        pl.Series("lom_id", [lom_id for _, ids in listed for lom_id in ids], pl.String)
    )


class Frames:
    """The graph as frames, and the rules over them."""

    def __init__(self, graph: PlainGraph) -> None:
        compared = graph.compared
        nodes = compared | set(graph.cites) | set(graph.cited_by) | set(graph.known)
        names = sorted(nodes | set(graph.owners))
        number = {lom_id: i for i, lom_id in enumerate(names)}
        self.n_ids = len(names)
        self.id = pl.DataFrame(
            {
                "lom_id": names,
                "id": pl.Series(range(len(names)), dtype=pl.UInt32),
                "means": pl.Series(
                    [number[graph.means(i)] if i in graph.owners else None for i in names], dtype=pl.UInt32
                ),
                "speaks": pl.Series(
                    [None if (n := graph.speaks_for(i)) is None else number[n] for i in names],
                    dtype=pl.UInt32,
                ),
            }
        )
        self.owner = pl.DataFrame(
            [(number[i], number[paper]) for i, papers in graph.owners.items() for paper in papers],
            schema={"id": pl.UInt32, "node": pl.UInt32}, orient="row",
        )  # fmt: skip
        self.node = pl.DataFrame(
            [
                (
                    number[i], i in compared, i in graph.read and i in graph.covered_out, i in graph.owners,
                    graph.first_day.get(i), graph.reaches.get(i),
                    i in compared and i not in graph.covered_out and i not in graph.covered_in,
                )
                for i in names
                if i in nodes
            ],
            schema={
                "node": pl.UInt32, "counts": pl.Boolean, "covers": pl.Boolean, "has_row": pl.Boolean,
                "first_day": pl.Int32, "reaches": pl.Int32, "open": pl.Boolean,
            },
            orient="row",
        )  # fmt: skip
        self.known = pl.DataFrame(
            [(number[i], known.n_ok, known.most_refs) for i, known in graph.known.items()],
            schema={"node": pl.UInt32, "n_ok": pl.UInt32, "most_refs": pl.Int64}, orient="row",
        )  # fmt: skip
        self.lone = pl.DataFrame(
            [(number[i], number[node], graph.reaches[node]) for i, many in graph.lone.items() for node in many],
            schema={"node": pl.UInt32, "lost": pl.UInt32, "reaches": pl.Int32}, orient="row",
        )  # fmt: skip
        self.edge = pl.DataFrame(
            [(number[a], number[b]) for a, many in graph.cites.items() for b in many],
            schema={"citing": pl.UInt32, "cited": pl.UInt32}, orient="row",
        )  # fmt: skip
        self.n_compared = self.node["counts"].sum()
        self.open_days = self.node.filter("open")["reaches"].sort()

    def judge(self, batch: Batch) -> pl.DataFrame:
        """A row a candidate, with the columns of the product's frame."""
        keys, references, seen = self._numbered(batch)
        matches = keys.join(self.owner, on="id")
        matched = matches.group_by("no").agg(n_matched=_NODE.n_unique())
        keys = keys.sort("no", "rank")
        subject = (
            keys.group_by("no", maintain_order=True)
            .agg(
                pl.col("id").first().alias("first"),
                pl.col("means").drop_nulls().first(),
                pl.col("lom_id").first(),
                pl.col("unresolved").all(),
            )
            .with_columns(node=pl.coalesce("means", "first"))
        )
        candidate = (
            batch.candidate.join(subject, on="no", how="left")
            .join(matched, on="no", how="left")
            .with_columns(pl.col("n_matched").fill_null(0))
            .with_columns(
                incomparable=_NODE.is_null() | (pl.col("leave_out") & (pl.col("n_matched") > 1)),
                unresolved=pl.col("unresolved") & (pl.col("n_matched") == 0),
            )
        )
        own = pl.concat(
            [
                subject.select("no", "node"),
                keys.filter(pl.col("means").is_null()).select("no", node="id"),
            ]
        ).unique()
        touched, covering = self._touched(own, references)
        held = seen.select("no", node="speaks").drop_nulls().unique().with_columns(held=True)
        counted = (
            touched.join(self.node.select("node", "counts"), on="node", how="left")
            .join(held, on=["no", "node"], how="left")
            .group_by("no")
            .agg(
                n_all=pl.col("counts").fill_null(False).sum(),
                n_held=(pl.col("counts").fill_null(False) & pl.col("held").fill_null(False)).sum(),
                n_stub=(~pl.col("counts").fill_null(False)).sum(),
            )
        )
        gap = self._gap(candidate, own, covering)
        return self._decided(candidate.join(counted, on="no", how="left").join(gap, on="no", how="left"))

    def _numbered(self, batch: Batch) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
        """The keys, references and held-out ids with their numbers; unknown ids get numbers of their own."""
        frames = [
            part.join(self.id, on="lom_id", how="left") for part in (batch.key, batch.reference, batch.seen)
        ]
        unknown = pl.concat(
            [part.filter(pl.col("id").is_null()).select("lom_id") for part in frames]
        ).unique()
        fresh = unknown.with_row_index("fresh", self.n_ids)
        return tuple(
            part.join(fresh, on="lom_id", how="left")
            .with_columns(
                id=pl.coalesce("id", "fresh"),
                speaks=pl.when(pl.col("id").is_null()).then("fresh").otherwise("speaks"),
            )
            .drop("fresh")
            for part in frames
        )  # type: ignore[return-value]

    def _touched(self, own: pl.DataFrame, references: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """What each candidate touches, and which are covered by a citation."""
        listed = references.join(self.owner, on="id", how="left").select(
            "no", pl.coalesce("node", "id").alias("node")
        )
        cites = own.join(self.edge, left_on="node", right_on="citing").select("no", node="cited")
        cited_by = own.join(self.edge, left_on="node", right_on="cited").select("no", node="citing")
        cited_by = cited_by.join(own, on=["no", "node"], how="anti")
        touched = pl.concat([listed, cites, cited_by]).unique().join(own, on=["no", "node"], how="anti")
        covering = cited_by.join(self.node.filter("covers"), on="node", how="semi").select("no").unique()
        return touched, covering.with_columns(covered_in=True)

    def _gap(self, candidate: pl.DataFrame, own: pl.DataFrame, covering: pl.DataFrame) -> pl.DataFrame:
        """How many uncovered nodes could hide a path from each candidate, and whether nothing is compared."""
        known = (
            own.join(self.known, on="node")
            .group_by("no")
            .agg(logged_ok=pl.col("n_ok").sum() > 0, logged_refs=pl.col("most_refs").max())
        )
        found = (
            candidate.select("no", "node", "day", "stated_ok", "stated_n_refs")
            .join(self.node.select("node", "has_row", "first_day"), on="node", how="left")
            .join(known, on="no", how="left")
            .join(covering, on="no", how="left")
            .with_columns(day=pl.coalesce("first_day", "day"))
            .with_columns(
                is_known=pl.when(pl.col("logged_ok").is_not_null())
                .then("logged_ok")
                .otherwise(~pl.col("has_row").fill_null(False) & pl.col("stated_ok")),
                n_refs=pl.when(pl.col("logged_ok").is_not_null())
                .then("logged_refs")
                .otherwise("stated_n_refs"),
            )
        )
        days = found.select("no", "day")
        mine = own.join(days, on="no")
        spared = (
            mine.join(self.node, on="node")
            .group_by("no")
            .agg(
                n_spared=(pl.col("open") & (pl.col("reaches") >= pl.col("day"))).sum(),
                n_mine=pl.col("counts").sum(),
            )
        )
        lost = (
            mine.join(self.lone, on="node")
            .join(own, left_on=["no", "lost"], right_on=["no", "node"], how="anti")
            .filter(pl.col("reaches") >= pl.col("day"))
            .group_by("no")
            .agg(n_lost=pl.len())
        )
        n_open = len(self.open_days) - self.open_days.search_sorted(found["day"], side="left").cast(pl.Int64)
        return (
            found.with_columns(n_open=n_open)
            .join(spared, on="no", how="left")
            .join(lost, on="no", how="left")
            .select(
                "no",
                gap=pl.col("n_open")
                - pl.col("n_spared").fill_null(0).cast(pl.Int64)
                + pl.col("n_lost").fill_null(0).cast(pl.Int64)
                + (
                    ~(
                        (pl.col("is_known") & (pl.col("n_refs") != 0).fill_null(False))
                        | pl.col("covered_in").fill_null(False)
                    )
                ).cast(pl.Int64),
                nothing=pl.col("n_mine").fill_null(0) == self.n_compared,
            )
        )

    def _decided(self, told: pl.DataFrame) -> pl.DataFrame:
        given, first = pl.col("given"), pl.col("first_word")
        names = self.id.select("id", name="lom_id")
        told = (
            told.join(names, left_on="node", right_on="id", how="left")
            .with_columns(pl.col("n_all", "n_held", "n_stub").fill_null(0).cast(pl.Int64))
            .with_columns(
                pl.when("incomparable").then(0).otherwise(pl.col(name)).alias(name)
                for name in ("n_all", "n_held", "n_stub")
            )
            .with_columns(
                n_in_sample=pl.when(given).then("n_held").otherwise("n_all"),
                n_holdout=pl.when(given).then(pl.col("n_all") - pl.col("n_held")).otherwise(0),
                gated=(pl.col("gap") > 0) | pl.col("nothing"),
                first_word=pl.when(pl.col("incomparable") | pl.col("unresolved"))
                .then(pl.lit("unknown"))
                .when((pl.col("n_matched") > 0) & ~pl.col("leave_out"))
                .then(pl.lit("duplicate")),
            )
            .with_columns(
                rule=pl.when(first == "unknown")
                .then(0)
                .when(first == "duplicate")
                .then(1)
                .when((pl.col("n_in_sample") > 0) | (pl.col("n_holdout") > 0))
                .then(2)
                .when("gated")
                .then(3)
                .otherwise(4),
                empty=pl.when("gated").then(pl.lit("unknown")).otherwise(pl.lit("novel")),
            )
        )
        rule = pl.col("rule")
        return (
            told.sort("no")
            .select(
                candidate_id=pl.coalesce("label", "name", "lom_id"),
                lom_id=pl.coalesce("name", "lom_id"),
                status=pl.when("incomparable")
                .then(pl.lit("incomparable"))
                .when(rule == 0)
                .then(pl.lit("lookup_failed"))
                .when(rule == 3)
                .then(pl.lit("insufficient_edges"))
                .otherwise(pl.lit("ok")),
                verdict=pl.when(rule.is_in([0, 3]))
                .then(pl.lit("unknown"))
                .when(rule == 1)
                .then(pl.lit("duplicate"))
                .when(rule == 2)
                .then(pl.lit("neighborhood"))
                .otherwise(pl.lit("novel")),
                rule=rule,
                n_in_sample="n_in_sample",
                n_holdout="n_holdout",
                n_stub="n_stub",
                in_sample=pl.coalesce(
                    first, pl.when(pl.col("n_in_sample") > 0).then(pl.lit("neighborhood")).otherwise("empty")
                ),
                holdout=pl.when(given).then(
                    pl.coalesce(
                        first,
                        pl.when(pl.col("n_holdout") > 0).then(pl.lit("neighborhood")).otherwise("empty"),
                    )
                ),
                coverage_gap_total=pl.when(rule == 3).then("gap").otherwise(0),
                nothing_compared=(rule == 3) & pl.col("nothing"),
            )
            .select(COLUMNS)
        )
