"""The graph for other programs: networkx, Parquet, GraphML; hostile text does no harm."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pyarrow.parquet as pq
import pytest
from log_writer import checked, claim, edge, opened, paper
from random_graphs import generate

from novelty_kit import Graph, open_graph
from novelty_kit.errors import InputError, OutputError
from novelty_kit.graph.export import export_graphml, export_parquet
from novelty_kit.graph.tables import NAMES

HOSTILE = '<script>alert("1")</script> ]]> &amp; \' \x07\x1b[31m \ufffe \U0001f600 \u202e\r\n\t"'
LINES = [
    paper("W1", title="One", publication_date="2020", openalex="W9"),
    paper("W2", title="Two", read=False),
    paper("doi:10.1000/a<b>\"c'&d", title=HOSTILE),
    claim("c1", "W3"),
    checked("W1", 3),
    edge("W1", "W2"),
    edge("W2", "W3"),
    edge("W3", "W1"),  # a cycle
    edge("W3", "W4"),
    edge("W4", "W5"),
    edge("W5", "W5"),  # a self-loop
    edge("W6", "W7"),  # apart
    edge("W9", "W10"),  # of W1, by its key
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return opened(tmp_path_factory.mktemp("export") / "log.jsonl", *LINES)


def _short(names: Any) -> list[str]:
    return sorted(name.removeprefix("openalex:") for name in names)


@pytest.mark.parametrize(
    ("hops", "reached"),
    [
        (0, ["W1"]),
        (1, ["W1", "W10", "W2", "W3"]),
        (2, ["W1", "W10", "W2", "W3", "W4"]),
        (3, ["W1", "W10", "W2", "W3", "W4", "W5"]),
        (4, ["W1", "W10", "W2", "W3", "W4", "W5"]),
        (10**12, ["W1", "W10", "W2", "W3", "W4", "W5"]),
    ],
)
def test_hops_go_both_ways_and_end_on_cycles(hops: int, reached: list[str], graph: Graph) -> None:
    assert _short(graph.to_networkx("W1", hops)) == reached


def test_edges_point_from_the_citing_work_and_no_node_cites_itself(graph: Graph) -> None:
    found = graph.to_networkx("openalex:W1", 9)
    assert sorted(tuple(name[9:] for name in pair) for pair in found.edges) == [
        *(("W1", "W10"), ("W1", "W2"), ("W2", "W3"), ("W3", "W1"), ("W3", "W4"), ("W4", "W5")),
    ]


def test_nodes_carry_what_is_documented(graph: Graph) -> None:
    nodes = graph.to_networkx().nodes
    assert nodes["openalex:W1"] == {
        **{"title": "One", "publication_date": "2020", "read": True, "n_claims": 0, "covered": "out"},
    }
    assert nodes["openalex:W2"] == {
        **{"title": "Two", "publication_date": None, "read": False, "n_claims": 0, "covered": "in"},
    }
    assert nodes["openalex:W3"] == {
        **{"title": None, "publication_date": None, "read": False, "n_claims": 1, "covered": "none"},
    }


def test_the_whole_graph_is_every_node_and_sorted(graph: Graph) -> None:
    found = graph.to_networkx()
    assert list(found.nodes) == sorted(found.nodes)
    assert list(found.edges) == sorted(found.edges)
    assert len(found) == 9
    assert "openalex:W9" not in found  # an id of W1's


def test_the_centre_takes_any_form_of_any_id_of_the_node(graph: Graph) -> None:
    by_key = graph.to_networkx("https://openalex.org/W9", 1)
    assert nx.utils.graphs_equal(by_key, graph.to_networkx("openalex:W1", 1))
    assert _short(graph.to_networkx("10.1000/A<b>\"c'&d", 5)) == ["doi:10.1000/a<b>\"c'&d"]


def test_a_centre_that_several_papers_own_starts_from_each(tmp_path: Path) -> None:
    lines = [paper("W1", openalex="W9"), paper("W2", openalex="W9"), edge("W1", "W3"), edge("W4", "W2")]
    found = opened(tmp_path / "log.jsonl", *lines).to_networkx("W9", 1)
    assert _short(found) == ["W1", "W2", "W3", "W4"]


@pytest.mark.parametrize("center", ["W999", "x", "", "12", "W1\x00"])
def test_a_centre_that_is_no_node_is_refused(center: str, graph: Graph) -> None:
    with pytest.raises(InputError):
        graph.to_networkx(center, 1)


@pytest.mark.parametrize("hops", [-1, 1.5, True, "2", None])
def test_hops_are_a_number_of_steps(hops: Any, graph: Graph) -> None:
    with pytest.raises(InputError):
        graph.to_networkx("W1", hops)


def test_the_part_around_a_node_equals_networkx_own(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(e) + "\n" for seed in range(300, 340) for e in generate(seed)[0]))
    graph = open_graph(log, cached=False)
    whole = graph.to_networkx()
    for center in sorted(whole)[::25]:
        for hops in (1, 2, 3):
            part = nx.ego_graph(whole.to_undirected(), center, hops)
            assert nx.utils.graphs_equal(graph.to_networkx(center, hops), nx.DiGraph(whole.subgraph(part)))


def test_a_moment_has_its_own_picture(graph: Graph) -> None:
    assert _short(graph.as_of(6).to_networkx("W1", 9)) == ["W1", "W2"]


# ---- GraphML


def test_graphml_is_read_back_as_the_same_graph(graph: Graph, tmp_path: Path) -> None:
    assert export_graphml(graph, tmp_path / "g.graphml") == (9, 7)
    back, here = nx.read_graphml(tmp_path / "g.graphml"), graph.to_networkx()
    assert set(back.edges) == set(here.edges)
    for name, data in here.nodes(data=True):
        if data["title"] != HOSTILE:
            assert back.nodes[name] == {key: value for key, value in data.items() if value is not None}


def test_hostile_text_is_legal_xml_and_stays_what_it_was_where_it_can(graph: Graph, tmp_path: Path) -> None:
    export_graphml(graph, tmp_path / "g.graphml")
    tree = ElementTree.parse(tmp_path / "g.graphml")
    texts = [data.text for data in tree.iter("{http://graphml.graphdrawing.org/xmlns}data")]
    assert HOSTILE.replace("\x07", "\ufffd").replace("\x1b", "\ufffd").replace("\ufffe", "\ufffd") in texts
    ids = [node.get("id") for node in tree.iter("{http://graphml.graphdrawing.org/xmlns}node")]
    assert "doi:10.1000/a<b>\"c'&d" in ids
    assert "<script>" not in (tmp_path / "g.graphml").read_text("utf-8")


def test_graphml_of_a_part(graph: Graph, tmp_path: Path) -> None:
    assert export_graphml(graph, tmp_path / "g.graphml", center="W1", hops=1) == (4, 4)
    with pytest.raises(InputError):
        export_graphml(graph, tmp_path / "none.graphml", center="W999")
    assert not (tmp_path / "none.graphml").exists()


# ---- Parquet


def test_parquet_holds_every_table_as_the_frame_has_it(graph: Graph, tmp_path: Path) -> None:
    written = export_parquet(graph, tmp_path / "out")
    assert [path.name for path in written] == [f"{name}.parquet" for name in NAMES]
    for path in written:
        table = pq.read_table(path)
        assert table.equals(graph.arrow(path.stem))
        assert table.schema.metadata[b"novelty_kit.log_sha256"].decode() == graph.sha256
    assert {str(kind) for kind in pq.read_table(written[0]).schema.types[:9]} == {"string"}


def test_an_empty_log_gives_empty_tables_with_their_columns(tmp_path: Path) -> None:
    written = export_parquet(opened(tmp_path / "log.jsonl"), tmp_path / "out")
    for path in written:
        table = pq.read_table(path)
        assert table.num_rows == 0
        assert "null" not in {str(kind) for kind in table.schema.types}


def test_exports_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in LINES))
    found = []
    for n, cached in enumerate((False, True, True)):
        graph = open_graph(log, cached=cached)
        export_graphml(graph, tmp_path / f"{n}.graphml")
        files = [tmp_path / f"{n}.graphml", *export_parquet(graph, tmp_path / str(n))]
        found.append([path.read_bytes() for path in files])
    assert found[0] == found[1] == found[2]


def test_what_cannot_be_written_is_an_error_and_leaves_nothing(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "file", tmp_path / "file" / "deeper", Path("/proc/none")):
        with pytest.raises(OutputError):
            export_parquet(graph, target)
    for nowhere in (tmp_path / "file" / "g.graphml", ""):
        with pytest.raises(OutputError):
            export_graphml(graph, nowhere)
    with pytest.raises(OutputError):
        export_parquet(graph, "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mount is not permitted")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_no_half_written_file(full_disk: Path, tmp_path: Path) -> None:
    graph = opened(tmp_path / "log.jsonl", *(paper(f"W{n}", title=f"{n * 7919}" * 9) for n in range(1, 999)))
    with pytest.raises(OutputError):
        export_graphml(graph, full_disk / "g.graphml")
    with pytest.raises(OutputError):
        export_parquet(graph, full_disk / "tables")
    left = [path for path in full_disk.rglob("*") if path.is_file()]
    for path in left:
        pq.read_table(path)
    assert "paper.parquet" not in {path.name for path in left}
