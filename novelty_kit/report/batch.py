"""Reports for many candidates: which are to be made, by how many workers, and the index of all.

Reads candidates, a log and the notebook template; writes into the output folder. A broken candidate gets an
error page and a row; it never stops the others. No network. No clock.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novelty_kit.demo import notebook_folder
from novelty_kit.errors import CandidateError, InputError, LogError
from novelty_kit.graph import Graph, open_graph
from novelty_kit.output import write_whole
from novelty_kit.report.candidate_form import candidate_form, candidate_sha256
from novelty_kit.report.folder import own_folder
from novelty_kit.report.index import render_index
from novelty_kit.report.made_from import made_from, template_sha256
from novelty_kit.report.outcome import Outcome, read_outcome
from novelty_kit.report.pdf import find_browser, print_pages
from novelty_kit.report.render import Task
from novelty_kit.report.slug import slug
from novelty_kit.report.sources import Given, refuse_twins
from novelty_kit.report.workers import rendered
from novelty_kit.verdict.judge import judge_frame

if TYPE_CHECKING:
    from novelty_kit.verdict.policy import Policy

__all__ = ["TEMPLATE", "Batch", "render_batch"]

TEMPLATE = "20-candidate-audit.ipynb"


@dataclass(frozen=True, slots=True)
class Batch:
    """What a run of many reports left behind."""

    folder: Path
    outcomes: tuple[Outcome, ...]

    def to_dict(self) -> dict[str, Any]:
        """As ``novelty report --json`` prints it."""
        return {
            "index": (self.folder / "index.html").as_posix(),
            "reports": [self._report(outcome) for outcome in self.outcomes],
        }

    def _report(self, outcome: Outcome) -> dict[str, Any]:
        def named(end: str, there: bool = True) -> str | None:
            return (self.folder / f"{outcome.slug}.{end}").as_posix() if there else None

        return {
            "candidate_id": outcome.candidate_id, "html": named("html"),
            "notebook": named("ipynb", outcome.has_notebook), "record": named("json"),
            "pdf": named("pdf", (self.folder / f"{outcome.slug}.pdf").is_file()),
            "verdict": outcome.verdict, "status": outcome.status,
            "error": outcome.error or "; ".join(outcome.broken_parts) or None,
        }  # fmt: skip


def render_batch(
    given: Sequence[Given],
    log: Callable[[], tuple[str, ...]],
    folder: Path,
    policy: Policy,
    *,
    named_log: bool = False,
    as_of: str | None = None,
    jobs: int = 1,
    resume: bool = False,
    only: Sequence[str] = (),
    timeout_s: int = 300,
    pdf: bool = False,
    on_done: Callable[[int, int], None] = lambda done, of: None,
) -> Batch:
    """Make a report for every candidate, and the index.

    Parameters
    ----------
    given : sequence of Given
    log : callable
        The log's files for candidates that name none.
    folder : Path
        Where the files go.
    policy : Policy
    named_log : bool
        Whether `log` beats what the candidates name.
    as_of : str, optional
        A seq or a time.
    jobs : int
        Worker processes.
    resume : bool
        Leave reports alone that were made from the same log, candidate, policy, template and version.
    only : sequence of str
        Make these alone (by candidate id); the index keeps the others that are there.
    timeout_s : int
        Seconds that one cell may take.
    pdf : bool
        Also print each page as it is seen in print, with a browser of this system.
    on_done : callable
        Told how many of how many are done.

    Raises
    ------
    InputError
        The log or the options are wrong, or there is no browser to print with; nothing was written.
    OutputError
        The folder cannot be written to, or another run is writing into it.
    """
    if not given:
        raise CandidateError(
            "there is no candidate", remedy="Give a file of candidates, or an id such as arxiv:2408.06292"
        )
    refuse_twins(given)
    browser = find_browser() if pdf else None
    tasks = list(_tasks(given, log, policy, named_log=named_log, as_of=as_of, timeout_s=timeout_s))
    wanted = _wanted(tasks, only)
    with own_folder(folder):
        done = _earlier(tasks, wanted, folder, resume=resume)
        to_do = [task for task in tasks if task.slug in wanted and task.slug not in done]
        on_done(0, len(to_do))
        for number, outcome in enumerate(rendered(to_do, folder, jobs), 1):
            done[outcome.slug] = outcome
            on_done(number, len(to_do))
        outcomes = [done[task.slug] for task in tasks if task.slug in done]
        write_whole(folder / "index.html", render_index(outcomes))
        chosen = tuple(outcome for outcome in outcomes if outcome.slug in wanted)
        if browser is not None:
            whole = [outcome.slug for outcome in chosen if outcome.error is None]
            print_pages(browser, [folder / f"{slug}.html" for slug in whole], jobs)
    return Batch(folder, chosen)


def _tasks(
    given: Sequence[Given], log: Callable[[], tuple[str, ...]], policy: Policy, *, named_log: bool, as_of: str | None,
    timeout_s: int,
) -> Iterator[Task]:  # fmt: skip
    path = str(notebook_folder() / TEMPLATE)
    template = template_sha256(path)
    graphs: dict[tuple[str, ...], Graph] = {}
    hashes: dict[Path, str] = {}
    default: tuple[str, ...] | None = None
    placed: list[tuple[Given, tuple[str, ...]]] = []
    for one in given:
        files: tuple[str, ...] = ()
        if one.candidate is not None:
            if one.log is not None and not named_log:
                files = (one.log,)
            else:
                default = files = log() if default is None else default
            if "-" in files:
                raise LogError("reports cannot read the log from standard input", remedy="Give it as a file")
            if files not in graphs:
                opened = open_graph(*files)
                graphs[files] = opened if as_of is None else opened.as_of(as_of)
        placed.append((one, files))
    names = _names(placed, graphs, policy)
    for (one, files), (name, shown) in zip(placed, names, strict=True):
        parameters, depends = None, {"template_sha256": template}
        if one.candidate is not None:
            graph = graphs[files]
            depends = {
                **made_from(graph, one.candidate, policy, one.folder, hashes),
                "template_sha256": template,
            }
            parameters = {
                "candidate": candidate_form(one.candidate), "graph_files": list(files), "as_of": graph.as_of_seq,
                "policy": policy.to_dict(), "folder": one.folder,
            }  # fmt: skip
        yield Task(slug(name), shown, parameters, one.problems, depends, path, timeout_s)


def _names(
    placed: Sequence[tuple[Given, tuple[str, ...]]], graphs: dict[tuple[str, ...], Graph], policy: Policy
) -> list[tuple[str, str | None]]:
    """For each candidate the name that its files are called after, and its id in results.

    The id is its own, else that of the node it is about; where that does not tell candidates apart, the name
    has the candidate's hash in it.
    """
    found: dict[int, str | None] = {}
    for files, graph in graphs.items():
        unlabelled = [
            no for no, (one, of) in enumerate(placed) if of == files and one.candidate and one.label is None
        ]
        if unlabelled:
            candidates = [
                one.candidate for no, (one, _) in enumerate(placed) if no in set(unlabelled) and one.candidate
            ]
            found |= zip(
                unlabelled, judge_frame(graph, candidates, policy).column("lom_id").to_pylist(), strict=True
            )
    ids = [one.label if one.label is not None else found.get(no) for no, (one, _) in enumerate(placed)]
    often = Counter(ids)
    names: list[tuple[str, str | None]] = []
    for (one, _), shown in zip(placed, ids, strict=True):
        alone = shown is not None and often[shown] == 1
        if one.candidate is None or alone or one.label is not None:
            names.append((str(shown), shown))
        else:
            names.append((f"{shown or 'candidate'} {candidate_sha256(one.candidate)[:16]}", shown))
    twins = [name for name, n in Counter(name for name, _ in names).items() if n > 1]
    if twins:
        raise CandidateError(f"one candidate is given twice: {twins[0]}", remedy="Give each an id of its own")
    return names


def _wanted(tasks: Sequence[Task], only: Sequence[str]) -> set[str]:
    if not only:
        return {task.slug for task in tasks}
    by_id = {task.candidate_id: task.slug for task in tasks}
    for name in only:
        if name not in by_id:
            raise InputError(f"--only names no candidate: '{name}'", remedy="Give the id of a candidate")
    return {by_id[name] for name in only}


def _earlier(tasks: Sequence[Task], wanted: set[str], folder: Path, *, resume: bool) -> dict[str, Outcome]:
    """What an earlier run left and need not be made anew, by slug; what cannot be read is not there."""
    found: dict[str, Outcome] = {}
    for task in tasks:
        if task.slug in wanted and not resume:
            continue
        with contextlib.suppress(CandidateError):
            earlier = read_outcome(folder, task.slug)
            if task.slug not in wanted or (earlier.is_whole and earlier.made_from == task.made_from):
                found[task.slug] = earlier
    return found
