"""What comes back from a question: an answer, or the reason why there is none. Pure. No network. No clock."""

from __future__ import annotations

import email.utils
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from novelty_kit.ingest.record import Answer

__all__ = [
    "MAY_PASS",
    "Failed",
    "Failure",
    "Reply",
    "by_status",
    "failed_by",
    "retry_after_s",
    "without_keys",
]

_SECRET_PARAMETERS: Final = frozenset({"api_key", "mailto"})


class Failure(StrEnum):
    """Why a lookup gave no answer."""

    RATE_LIMITED = "rate_limited"
    BUDGET_SPENT = "budget_spent"
    NOT_FOUND = "not_found"
    REFUSED = "refused"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    CUT_OFF = "cut_off"
    TOO_LARGE = "too_large"
    REDIRECTED_AWAY = "redirected_away"
    UNREADABLE = "unreadable"
    OTHER_WORK = "other_work"
    NOT_IN_ANSWER = "not_in_answer"
    NO_SUCH_LOOKUP = "no_such_lookup"


MAY_PASS: Final = frozenset(
    {Failure.RATE_LIMITED, Failure.SERVER_ERROR, Failure.TIMEOUT, Failure.UNREACHABLE, Failure.CUT_OFF}
)
"""Failures after which the same question may be answered."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, whatever it says.

    Attributes
    ----------
    status : int
        HTTP status of the last hop.
    body : bytes
        Unpacked.
    headers : dict of str to str
        Names in lower case.
    answer : Answer
        Status, time, source, address without keys, and hash.
    path : str
        The path that was answered in the end; another than asked where it was redirected.
    redirected : bool
        Whether it was.
    """

    status: int
    body: bytes
    headers: Mapping[str, str]
    answer: Answer
    path: str
    redirected: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer, and why.

    Attributes
    ----------
    failure : Failure
        What happened.
    message : str
        One sentence for a person, without keys.
    http_status : int or None
        None where there was no answer at all.
    answer : Answer or None
        The answer, where there was one.
    stops_run : bool
        The service will not answer the next question either: ask no more.
    asked_ts : str or None
        When it was asked, RFC 3339, UTC.
    """

    failure: Failure
    message: str
    http_status: int | None = None
    answer: Answer | None = None
    stops_run: bool = False
    asked_ts: str | None = None

    @property
    def ts(self) -> str | None:
        """When it happened."""
        return self.answer.ts if self.answer is not None else self.asked_ts


def by_status(reply: Reply) -> Failure | None:
    """Sort an answer by its status alone; None where it is a success. Words in a body prove nothing."""
    if reply.status == 429:
        return Failure.RATE_LIMITED
    if reply.status in (404, 410):
        return Failure.NOT_FOUND
    if reply.status >= 500:
        return Failure.SERVER_ERROR
    return None if reply.status == 200 else Failure.REFUSED


def failed_by(
    failure: Failure, reply: Reply, wait_s: float | None = None, key_variable: str | None = None
) -> Failed:
    """An answer that is a failure, in words; a missing or wrong key fails every other question too."""
    if reply.status == 401:
        text = f"HTTP 401: the key is missing or wrong (set {key_variable})" if key_variable else "HTTP 401"
        return Failed(failure, text, reply.status, reply.answer, stops_run=True)
    if failure is Failure.BUDGET_SPENT:
        text = "the budget of this service is spent"
        until = f"; it asks to wait {wait_s:.0f} s" if wait_s is not None else ""
        return Failed(failure, text + until, reply.status, reply.answer, stops_run=True)
    return Failed(failure, f"HTTP {reply.status}", reply.status, reply.answer)


def retry_after_s(reply: Reply, now: datetime) -> float | None:
    """How long the service asks to wait, in seconds; None where it does not say."""
    value = reply.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdecimal():
        return float(value)
    if value:
        try:
            when = email.utils.parsedate_to_datetime(value)
            # A date that names no zone is in UTC (RFC 9110), not in ours.
            when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
        except (ValueError, OverflowError):
            return None
        return max(0.0, (when - now).total_seconds())
    return None


def without_keys(url: str) -> str:
    """An address without the parameters that tell who asks."""
    parts = urlsplit(url)
    kept = [
        pair
        for pair in parts.query.split("&")
        if pair and pair.partition("=")[0].lower() not in _SECRET_PARAMETERS
    ]
    return parts._replace(query="&".join(kept)).geturl()
