"""A forked kernel is as fresh as a started one, and never outlives its owner."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
import pytest
from small_logs import paper, write_log
from test_batch import ROOT

from novelty_kit.demo import notebook_folder
from novelty_kit.report.forks import PATIENCE_S
from novelty_kit.report.run import notebook_json, run_notebook
from novelty_kit.report.workers import begin_worker, can_fork

LONGEST_S = 2 * PATIENCE_S  # a wait in a test ends after the product's own
pytestmark = pytest.mark.skipif(not can_fork(), reason="this system cannot fork kernels")

PROBE = """\
import builtins, decimal, json, locale, logging, os, random, signal, socket, sys, threading, warnings
import duckdb
import matplotlib
import numpy as np
print(duckdb.sql("SELECT count(*) FROM duckdb_tables()").fetchall(), decimal.getcontext().prec)
print(hasattr(json, "dirty"), hasattr(builtins, "dirty"), "dirty" in sys.modules, os.environ.get("DIRTY"))
print(signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print([t.name for t in threading.enumerate() if "dirty" in t.name], logging.getLogger().handlers)
print(len(warnings.filters) < 30)
print(matplotlib.rcParams["font.size"], os.getcwd() == start, sorted(k for k in globals() if k.startswith("dirty")))
print(socket.getdefaulttimeout(), sys.getrecursionlimit(), __name__, sys.argv[0].endswith("ipykernel_launcher.py"))
"""
RANDOM = "import random, uuid\nprint(random.random(), np.random.random(), uuid.uuid4())"
DIRT = """\
duckdb.sql("CREATE TABLE t AS SELECT 1"); decimal.getcontext().prec = 3
json.dirty = builtins.dirty = dirty = 1; sys.modules["dirty"] = json; os.environ["DIRTY"] = "1"
signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)
threading.Thread(target=lambda: __import__("time").sleep(600), name="dirty", daemon=True).start()
logging.getLogger().addHandler(logging.StreamHandler()); socket.setdefaulttimeout(1); sys.setrecursionlimit(5000)
matplotlib.rcParams["font.size"] = 33; os.chdir("/"); json.loads = None
"""


@pytest.fixture(scope="module")
def worker() -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["novelty_kit.report.preload"])
    with ProcessPoolExecutor(1, context, begin_worker, (os.getcwd(), dict(os.environ))) as pool:
        yield pool


def small(path: Path, *sources: str) -> Path:
    cells = [nbformat.v4.new_code_cell('start = ""  # type: str a folder', metadata={"tags": ["parameters"]})]
    cells += [nbformat.v4.new_code_cell(source) for source in sources]
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)), "utf-8")
    return path


def test_nothing_of_one_run_reaches_the_next_and_a_cold_kernel_shows_the_same(
    worker: ProcessPoolExecutor, tmp_path: Path
) -> None:
    path = small(tmp_path / "probe.ipynb", PROBE, RANDOM, DIRT)
    given = {"start": os.getcwd()}
    runs = [worker.submit(run_notebook, path, given).result(LONGEST_S) for _ in range(2)]
    runs.append(run_notebook(path, given))
    probed, drawn = ([run["cells"][n]["outputs"][0]["text"] for run in runs] for n in (2, 3))
    assert probed[0] == probed[1] == probed[2]
    assert all(len(set(numbers)) == 3 for numbers in zip(*(text.split() for text in drawn), strict=True))


def test_an_audit_has_the_same_bytes_from_a_forked_and_a_cold_kernel(
    worker: ProcessPoolExecutor, tmp_path: Path
) -> None:
    log = write_log(tmp_path / "events.jsonl")
    given = {"candidate": paper(), "graph_files": [str(log)], "as_of": 6, "policy": {}, "folder": None}
    template = notebook_folder() / "20-candidate-audit.ipynb"
    forked = worker.submit(run_notebook, template, given).result(LONGEST_S)
    assert notebook_json(forked) == notebook_json(run_notebook(template, given))


def test_a_dead_kernel_and_a_slow_cell_are_noticed(worker: ProcessPoolExecutor, tmp_path: Path) -> None:
    dead = worker.submit(
        run_notebook, small(tmp_path / "dead.ipynb", "import os\nos._exit(3)"), {"start": ""}
    )
    assert "the kernel died" in str(dead.exception(LONGEST_S))
    slow = small(tmp_path / "slow.ipynb", "import time\ntime.sleep(60)")
    assert "took longer" in str(
        worker.submit(run_notebook, slow, {"start": ""}, timeout_s=1).exception(LONGEST_S)
    )


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(path: Path) -> int:
    for _ in range(LONGEST_S * 10):
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.1)
    raise AssertionError(f"{path} was not written")


def ends(pid: int) -> bool:
    for _ in range(PATIENCE_S * 10):
        if not alive(pid):
            return True
        time.sleep(0.1)
    return False


OWNER = """\
import multiprocessing, os, sys, time
from concurrent.futures import ProcessPoolExecutor
from novelty_kit.report.run import run_notebook
from novelty_kit.report.workers import begin_worker
if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(2, context, begin_worker, (os.getcwd(), dict(os.environ))) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(run_notebook, sys.argv[1], {"start": ""})
        time.sleep(600)
"""


@pytest.mark.parametrize("killed", ["owner", "worker", "server of kernels"])
def test_a_killed_process_takes_along_all_that_it_started(tmp_path: Path, killed: str) -> None:
    mark = tmp_path / "pid"
    source = f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    path = small(tmp_path / "sleep.ipynb", source)
    (tmp_path / "owner.py").write_text(OWNER)
    owner = subprocess.Popen(
        [sys.executable, str(tmp_path / "owner.py"), str(path)], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        assert owner.stdout is not None
        owner.stdout.readline()
        kernel = wait_for(mark)
        server = parent(kernel)
        worker = parent(server)
        os.kill({"owner": owner.pid, "worker": worker, "server of kernels": server}[killed], signal.SIGKILL)
        assert ends(kernel)
        assert killed == "server of kernels" or (ends(server) and ends(worker))
    finally:
        owner.kill()
        owner.communicate()
    assert ends(worker)


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def test_an_interrupt_ends_all_processes_and_leaves_no_half_written_file(tmp_path: Path) -> None:
    write_log(tmp_path / "events.jsonl")
    (tmp_path / "batch.jsonl").write_text("\n".join(json.dumps(paper(f"p{n}")) for n in range(12)))
    run = subprocess.Popen(
        [sys.executable, "-m", "novelty_kit", "report", "batch.jsonl", "--graph", "events.jsonl", "--jobs", "2"],
        cwd=tmp_path, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NOVELTY_CACHE": str(tmp_path / "cache")},
    )  # fmt: skip
    for _ in range(LONGEST_S * 10):
        if list((tmp_path / "reports").glob("*.json")) or run.poll() is not None:
            break
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=LONGEST_S)
    assert run.returncode == 130
    assert said.strip() == "novelty: interrupted"
    left = [path.name for path in (tmp_path / "reports").iterdir()]
    assert not [name for name in left if name.endswith(".part")]
    assert not (tmp_path / "reports" / "index.html").exists()
    for path in (tmp_path / "reports").glob("*.json"):
        json.loads(path.read_text("utf-8"))
    sessions = [
        int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and str(tmp_path) in environ(p)
    ]
    assert all(ends(pid) for pid in sessions)


def environ(process: Path) -> str:
    try:
        return (process / "environ").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
