"""The processes that make reports: workers, each with a child that forks its kernels.

A worker stands in the caller's folder with the caller's environment; it ends with the caller, and its kernels
with it. No network. No clock.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from novelty_kit.errors import OutputError
from novelty_kit.report.outcome import Outcome
from novelty_kit.report.render import Task, render_report

__all__ = ["begin_worker", "can_fork", "default_jobs", "rendered"]


def can_fork() -> bool:
    """Whether this system can fork a process that has only imported things."""
    return sys.platform == "linux"


def default_jobs() -> int:
    """As many workers as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def rendered(tasks: Sequence[Task], folder: Path, jobs: int) -> Iterator[Outcome]:
    """The outcomes as they come, in any order."""
    broken = [task for task in tasks if task.parameters is None]
    yield from (render_report(task, folder) for task in broken)
    whole = [task for task in tasks if task.parameters is not None]
    if not whole:
        return
    context = _context()
    here = (os.getcwd(), dict(os.environ))
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(min(jobs, len(whole)), context, begin_worker, here) as pool:
        try:
            with _interrupts_later():
                waiting = [pool.submit(render_report, task, folder) for task in whole]
            for future in as_completed(waiting):
                yield future.result()
        except BrokenProcessPool:
            remedy = "Run again with --resume, or fewer --jobs"
            raise OutputError("a worker process was ended from outside", remedy=remedy) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()  # and with it the kernels that it started
            raise


def _context() -> multiprocessing.context.BaseContext:
    """How workers are started: forked from a process that has the imports done, where there can be one."""
    if not can_fork():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["novelty_kit.report.preload"])
    # An interrupt at the terminal reaches every process of ours; only this one is to answer it, even while that
    # one still imports. What it ignores when it starts, it and all that it forks ignore.
    if threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            forkserver.ensure_running()
        finally:
            signal.signal(signal.SIGINT, before)
    return context


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Workers are all known before an interrupt is answered, so that each of them is ended."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker(folder: str, variables: dict[str, str]) -> None:
    """A worker stands where the parent stands, leaves interrupts to it, and forks its kernels."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    if can_fork():
        from novelty_kit.report.forks import KernelServer, end_with_parent
        from novelty_kit.report.kernel import fork_kernels_from

        end_with_parent()
        fork_kernels_from(KernelServer())
    owner = multiprocessing.parent_process()
    if owner is not None:
        threading.Thread(target=_end_with, args=(owner.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """A worker holds both ends of the pipe that it waits at, so that an owner who was killed leaves it waiting."""
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
