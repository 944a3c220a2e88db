"""What all services share: many ids in few questions, and the check that an answer is about what was asked.

An id that a batch leaves out is asked for alone, so that "not there" is the service's word and never a guess
from a short page. A batch that is refused (one strange id is enough) is asked one by one. An answer about
another work is a failure. No network of its own. No clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from novelty_kit.ingest.files import read_json
from novelty_kit.ingest.record import SameWork, Skipped, Work
from novelty_kit.ingest.reply import Failed, Failure, Reply

__all__ = ["about", "batches", "decoded", "no_such_lookup", "not_by_status", "resolve_in_batches"]

_FAILURE_OF = {"tombstone": Failure.NOT_FOUND}


def decoded(reply: Reply) -> object | Failed:
    """The JSON of an answer."""
    try:
        value: object = read_json(reply.body)
    except ValueError as error:
        return Failed(Failure.UNREADABLE, f"the answer is no JSON: {error}", reply.status, reply.answer)
    return value


def about(asked: str, work: Work | Skipped, reply: Reply) -> Work | Failed:
    """A work if it is the one that was asked for; a redirect to it makes it the same work under two ids."""
    if isinstance(work, Skipped):
        failure = _FAILURE_OF.get(work.code, Failure.UNREADABLE)
        return Failed(failure, work.why, reply.status, reply.answer)
    if asked in work.lom_ids:
        return replace(work, asked=asked)
    own = work.lom_ids[0]
    same_scheme = asked.partition(":")[0] == own.partition(":")[0]
    if reply.redirected and same_scheme and reply.path.endswith(own.partition(":")[2]):
        merged = SameWork(asked, own, "merged")
        return replace(work, asked=asked, relations=(*work.relations, merged))
    return Failed(Failure.OTHER_WORK, f"the answer is about {own}", reply.status, reply.answer)


def no_such_lookup(asked: str, source: str) -> Failed:
    """A service that knows no ids of this scheme."""
    return Failed(Failure.NO_SUCH_LOOKUP, f"{source} cannot be asked for {asked.partition(':')[0]} ids")


def not_by_status(failed: Failed) -> Failed:
    """Of a service that says "not found" in an answer: an HTTP 404 is some other server's word, and no *no*."""
    if failed.failure is not Failure.NOT_FOUND:
        return failed
    return replace(failed, failure=Failure.UNREADABLE)


def batches(ids: Iterable[str], size: int, room: int, length: Callable[[str], int]) -> Iterator[list[str]]:
    """Cut ids into groups of at most `size` that need at most `room` bytes of an address."""
    group: list[str] = []
    used = 0
    for lom_id in ids:
        need = length(lom_id)
        if group and (len(group) == size or used + need > room):
            yield group
            group, used = [], 0
        group.append(lom_id)
        used += need
    if group:
        yield group


def resolve_in_batches(
    groups: Iterable[Sequence[str]],
    ask_many: Callable[[Sequence[str]], list[Work] | Failed],
    ask_one: Callable[[str], Work | Failed],
) -> Iterator[tuple[str, Work | Failed]]:
    """Each id with its work, or with the reason why there is none.

    Parameters
    ----------
    groups : iterable of sequence of str
        Ids that fit into one question.
    ask_many : callable
        Asks for a group; works in any order, perhaps not all.
    ask_one : callable
        Asks for one id.

    Yields
    ------
    tuple of str and Work or Failed
        At least one for every id, until the service stops the run; several where several works have it.
    """
    for group in groups:
        found: list[Work] | Failed = [] if len(group) == 1 else ask_many(group)
        if isinstance(found, Failed) and found.failure is Failure.REFUSED and not found.stops_run:
            found = []
        if isinstance(found, Failed):
            for lom_id in group:
                yield lom_id, found
            if found.stops_run:
                return
            continue
        for lom_id in group:
            works = [work for work in found if lom_id in work.lom_ids]
            for work in works:
                yield lom_id, replace(work, asked=lom_id)
            if not works:
                alone = ask_one(lom_id)
                yield lom_id, alone
                if isinstance(alone, Failed) and alone.stops_run:
                    return
