"""A made-up event log of any size, the same for the same shape, written once and found again.

Half a million papers in five million lines: degrees by a power law, a tenth of the rows superseded later, papers
with two ids of which edges name now one, now the other, papers that only a citation covers, papers that say
"no references" and are shown to cite, claims about papers and about mere names. With ``hubs`` four nodes have
100,000 edges each; with ``n_uncovered`` so many papers block whoever is old enough for them to have cited.

    python synthetic_log.py --events 5000000 [--hubs] [--uncovered 50000] [--seed 1] [FOLDER]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

Numbers = np.ndarray

FORM = 1  # of the generator: another form is another log
HUB_EDGES = 100_000
_CHUNK = 200_000
_PAPER, _CLAIM, _EDGE, _CHECKED, _ERROR = range(5)
_NOUNS = (
    "graphs",
    "lists",
    "reviews",
    "hubs",
    "margins",
    "claims",
    "sources",
    "tables",
    "papers",
    "proofs",
    "ends",
    "maps",
)
_KINDS = ("sparse", "late", "hidden", "patient", "checked", "random", "open", "dense", "quiet", "partial")


@dataclass(frozen=True)
class Shape:
    """What a log is made from; equal shapes give equal bytes."""

    n_events: int = 5_000_000
    hubs: bool = False
    n_uncovered: int = 0
    seed: int = 1

    @property
    def name(self) -> str:
        """The log's file name."""
        return f"events-{self.n_events}-{'hubs' if self.hubs else 'plain'}-{self.n_uncovered}-{self.seed}-{FORM}.jsonl"


class World:
    """The nodes behind a log: papers 0 to n_papers - 1, then names without a row.

    The papers at the front are cited most. The last ``n_uncovered`` are cited by nobody and checked by nobody;
    each of the ``n_lone`` before them is unchecked too and cited by one covered paper.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.n_papers = max(int(0.117 * shape.n_events), 40)
        self.n_stubs = self.n_papers // 2
        self.n_claims = max(int(0.027 * shape.n_events), 10)
        self.n_errors = max(int(0.009 * shape.n_events), 4)
        self.n_uncovered = min(shape.n_uncovered, self.n_papers // 2)
        self.n_lone = self.n_papers // 1000 + 1
        self.n_cited = self.n_papers - self.n_uncovered - self.n_lone
        self.n_popular = self.n_papers // 30
        self.hub_edges = min(HUB_EDGES, shape.n_events // 18)

    def rng(self, purpose: int) -> np.random.Generator:
        """Random numbers of their own for each purpose."""
        return np.random.default_rng((self.shape.seed, purpose))

    @cached_property
    def ids(self) -> list[str]:
        """Every node's lom_id."""
        papers = [_lom_id(i) for i in range(self.n_papers)]
        return papers + [
            f"doi:10.9{i % 900 + 100}/ref.{i}" if i % 2 else f"openalex:W4{i:09d}"
            for i in range(self.n_stubs)
        ]

    @cached_property
    def work_ids(self) -> list[str]:
        """The second id that edges and candidates name a node by: its own where it has but one."""
        return [
            f"openalex:{_work_id(i)}" if i < self.n_papers and i % 10 != 9 else lom_id
            for i, lom_id in enumerate(self.ids)
        ]

    @cached_property
    def edges(self) -> tuple[Numbers, Numbers]:
        """Citing and cited node of each edge, no pair twice."""
        rng, n = self.rng(1), self.n_papers
        others = self.n_papers + self.n_claims + self.n_errors + len(self.checked)
        n_edges = max(int(0.9 * self.shape.n_events) - others, 60)
        fixed = [self.lone_citing * (n + self.n_stubs) + np.arange(self.n_cited, self.n_cited + self.n_lone)]
        if self.shape.hubs:
            for cited in self.hub_nodes[:3]:
                fixed.append(rng.choice(n, self.hub_edges, replace=False) * (n + self.n_stubs) + cited)
            cites = rng.choice(self.n_cited, self.hub_edges, replace=False)
            fixed.append(self.hub_nodes[3] * (n + self.n_stubs) + cites)
        pairs = np.unique(np.concatenate(fixed))
        while len(pairs) < n_edges:
            more = n_edges - len(pairs)
            citing = (n * rng.random(more) ** 1.5).astype(np.int64)
            citing = np.where(
                rng.random(more) < 0.03, n + (self.n_stubs * rng.random(more)).astype(np.int64), citing
            )
            paper = (self.n_cited * rng.random(more) ** 2.5).astype(np.int64)
            stub = n + (self.n_stubs * rng.random(more) ** 2).astype(np.int64)
            cited = np.where(rng.random(more) < 0.3, stub, paper)
            pairs = np.union1d(pairs, citing * (n + self.n_stubs) + cited)
        citing, cited = pairs // (n + self.n_stubs), pairs % (n + self.n_stubs)
        return citing[citing != cited], cited[citing != cited]

    @cached_property
    def hub_nodes(self) -> tuple[int, int, int, int]:
        """A read paper, a name without a row, a paper with claims, all three cited; and one that cites."""
        return 0, self.n_papers + self.n_stubs - 1, 2, 4

    @cached_property
    def lone_citing(self) -> Numbers:
        """For each lone paper the one that cites it; read and checked."""
        after = self.n_popular + np.arange(self.n_lone)
        return after + (after % 20 == 7)

    @cached_property
    def checked(self) -> Numbers:
        """The nodes with a coverage row."""
        papers = np.arange(self.n_papers)
        unchecked = (papers < self.n_popular) & (papers % 4 == 1)
        unchecked |= papers >= self.n_cited
        unchecked &= ~((papers >= self.n_cited + self.n_lone) & (papers % 2 == 0))  # these have a failed row
        return np.concatenate([papers[~unchecked], self.n_papers + np.arange(self.n_claimed_stubs)])

    @property
    def n_claimed_stubs(self) -> int:
        """Names without a row that claims are about."""
        return self.n_stubs // 50

    @cached_property
    def about(self) -> Numbers:
        """What each claim is about; each claimed stub has one."""
        about = (self.n_cited * self.rng(2).random(self.n_claims) ** 2).astype(np.int64)
        n = min(self.n_claimed_stubs, self.n_claims)
        about[:n] = self.n_papers + np.arange(n)
        about[n : n + 1] = 2
        return about

    @cached_property
    def dates(self) -> list[str | None]:
        """Publication dates: a day, a month, a year or none; of the uncovered papers never a late one."""
        rng, n = self.rng(3), self.n_papers
        year = np.where(
            np.arange(n) < self.n_cited,
            2026 - (40 * rng.random(n) ** 2).astype(int),
            rng.integers(1985, 2019, n),
        )
        form = rng.choice(4, n, p=[0.6, 0.2, 0.17, 0.03])
        form[self.n_cited :] %= 3
        months, days = rng.integers(1, 13, n), rng.integers(1, 29, n)
        return [
            (f"{y}-{m:02d}-{d:02d}", f"{y}-{m:02d}", str(y), None)[f]
            for y, m, d, f in zip(year.tolist(), months.tolist(), days.tolist(), form.tolist(), strict=True)
        ]


def _lom_id(i: int) -> str:
    if i % 10 < 6:
        return f"doi:10.{1000 + i % 5000}/j.{i % 97}.{i}"
    if i % 10 < 9:
        return f"arxiv:{15 + i % 11}{i // 11 % 12 + 1:02d}.{i // 132 % 99_999 + 1:05d}"
    return f"openalex:{_work_id(i)}"


def _work_id(i: int) -> str:
    """The OpenAlex id of a paper; now and then two records share one."""
    return f"W{2_000_000_000 + i - (i % 1000 == 998)}"


def write_log(shape: Shape, folder: Path) -> Path:
    """The log of that shape in the folder; one that is there already is taken."""
    path = folder / shape.name
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    writer = _Writer(World(shape))
    with half.open("w", encoding="utf-8") as out:
        for lines in writer.chunks():
            out.write("\n".join(lines))
            out.write("\n")
    half.replace(path)
    return path


class _Writer:
    """Turns a world into lines."""

    def __init__(self, world: World) -> None:
        self.world = world
        n = world.shape.n_events
        self.citing, self.cited = world.edges
        sizes = [world.n_papers, world.n_claims, len(self.citing), len(world.checked), world.n_errors]
        table = np.repeat(np.arange(5), sizes)
        row = np.concatenate([np.arange(size) for size in sizes])
        rng = world.rng(4)
        again = rng.integers(0, len(table), max(n - len(table), 0))
        first = rng.random(len(table))
        later = first[again] + (1 - first[again]) * rng.random(len(again))
        order = np.argsort(np.concatenate([first, later]), kind="stable")
        self.table = np.concatenate([table, table[again]])[order]
        self.row = np.concatenate([row, row[again]])[order]
        self.again = np.concatenate([np.zeros(len(table), bool), np.ones(len(again), bool)])[order]
        fixed = np.isin(self.cited, np.arange(world.n_cited, world.n_papers))
        self.gone = self.again & (rng.random(len(order)) < 0.02) & (self.table == _EDGE)
        self.gone[self.table == _EDGE] &= ~fixed[self.row[self.table == _EDGE]]
        self.n_out = np.bincount(self.citing, minlength=len(world.ids))
        self.by_work_id = rng.random((2, len(self.citing))) < [[0.1], [0.2]]
        n_times = min(1000, len(order))
        self.times = [
            f"2026-{1 + t * 9 // n_times:02d}-{1 + t * 252 // n_times % 28:02d}T00:00:00Z"
            for t in range(n_times)
        ]

    def chunks(self) -> list[list[str]]:
        """Lines in runs, in order."""
        makers = (self._papers, self._claims, self._edges, self._checks, self._errors)
        n = len(self.table)
        for start in range(0, n, _CHUNK):
            here = slice(start, min(start + _CHUNK, n))
            lines = [""] * (here.stop - start)
            for number, maker in enumerate(makers):
                places = np.flatnonzero(self.table[here] == number)
                made = maker(self.row[here][places], self.again[here][places], self.gone[here][places])
                times = ((start + places) * len(self.times) // n).tolist()
                for place, when, line in zip(places.tolist(), times, made, strict=True):
                    lines[place] = f'{line},"ts":"{self.times[when]}"}}' if place % 2 else line + "}"
            yield lines

    def _papers(self, rows: Numbers, again: Numbers, _: Numbers) -> list[str]:
        world, made = self.world, []
        for i, is_again in zip(rows.tolist(), again.tolist(), strict=True):
            title = f"{_KINDS[i % 10].title()} {_NOUNS[i % 12]} and {_NOUNS[i // 12 % 12]}, part {i}"
            if i % 50 == 0:
                title += " \u2013 na\u00efve"
            head = f'{{"op":"upsert","table":"paper","row":{{"lom_id":"{world.ids[i]}","title":"{title}'
            if is_again and i % 2:  # a patch
                made.append(f'{head} (corrected)"}}')
                continue
            keys = "" if i % 10 == 9 else f',"openalex":"{_work_id(i)}"'
            date = "" if world.dates[i] is None else f',"publication_date":"{world.dates[i]}"'
            read = "false" if i % 20 == 7 and i < world.n_cited else "true"
            made.append(f'{head}"{keys}{date},"read":{read},"source":"openalex"}}')
        return made

    def _claims(self, rows: Numbers, again: Numbers, _: Numbers) -> list[str]:
        about = self.world.about[rows].tolist()
        return [
            f'{{"op":"upsert","table":"claim","row":{{"claim_id":"C{i}","about_lom_id":"{self.world.ids[node]}",'
            f'"statement":"Claim {i} holds for {_NOUNS[i % 12]}","status":"{"contested" if is_again else "held"}"}}'
            for i, node, is_again in zip(rows.tolist(), about, again.tolist(), strict=True)
        ]

    def _edges(self, rows: Numbers, _: Numbers, gone: Numbers) -> list[str]:
        names = (self.world.ids, self.world.work_ids)
        made = []
        for citing, cited, by, of, is_gone in zip(
            self.citing[rows].tolist(), self.cited[rows].tolist(), self.by_work_id[0][rows].tolist(),
            self.by_work_id[1][rows].tolist(), gone.tolist(), strict=True,
        ):  # fmt: skip
            ends = f'"citing_lom_id":"{names[by][citing]}","cited_lom_id":"{names[of][cited]}"'
            made.append(
                f'{{"op":"delete","table":"citation_edge","row":{{{ends}}}'
                if is_gone
                else f'{{"op":"upsert","table":"citation_edge","row":{{{ends},"source":"openalex"}}'
            )
        return made

    def _checks(self, rows: Numbers, again: Numbers, _: Numbers) -> list[str]:
        world, made = self.world, []
        nodes = world.checked[rows]
        for i, n_out in zip(nodes.tolist(), self.n_out[nodes].tolist(), strict=True):
            head = (
                f'{{"op":"upsert","table":"references_checked","row":{{"lom_id":"{world.ids[i]}",'
                f'"source":"openalex","checked_ts":"2026-0{1 + i % 9}-03T00:00:00Z"'
            )
            if world.n_cited <= i < world.n_papers:
                made.append(f'{head},"status":"failed","reason":"rate"}}')
            else:
                zero = i < world.n_popular and i % 4 == 3
                made.append(f'{head},"n_refs":{0 if zero else n_out + 1 + i % 3},"status":"ok"}}')
        return made

    def _errors(self, rows: Numbers, again: Numbers, _: Numbers) -> list[str]:
        return [
            f'{{"op":"upsert","table":"ingest_error","row":{{"scheme":"s2","lookup":"CorpusId:{i + 1}",'
            f'"http_status":{503 if is_again else 429},"message":"Too many requests"}}'
            for i, is_again in zip(rows.tolist(), again.tolist(), strict=True)
        ]


def add_shape(parser: argparse.ArgumentParser) -> None:
    """The options that say which log."""
    parser.add_argument("--events", type=int, default=5_000_000, help="lines of the log")
    parser.add_argument("--hubs", action="store_true", help=f"four nodes with {HUB_EDGES:,} edges")
    parser.add_argument("--uncovered", type=int, default=0, metavar="N", help="papers that nothing covers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(tempfile.gettempdir()) / "novelty-benchmarks",
        help="where the log is kept",
    )  # fmt: skip


def shape_of(options: argparse.Namespace) -> Shape:
    """The shape that the options name."""
    return Shape(options.events, options.hubs, options.uncovered, options.seed)


def main() -> None:
    """Write the log, and say what it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_shape(parser)
    options = parser.parse_args()
    began = time.perf_counter()
    path = write_log(shape_of(options), options.folder)
    size = path.stat().st_size
    print(f"{path}: {options.events:,} lines, {size / 1e6:.0f} MB, {size / options.events:.0f} B a line, "
          f"{time.perf_counter() - began:.1f} s")  # fmt: skip


if __name__ == "__main__":
    main()
