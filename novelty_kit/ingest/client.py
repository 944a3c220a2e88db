"""The one way out: questions to a service over HTTP, answered, or failed closed with the reason.

Keeps to the service's pace, retries what may pass (too fast, overloaded, timed out, cut off) within a budget
of waiting, and stops at once where it would have to wait longer. Follows redirects on the same host only. An
answer comes with its status, time, address without keys, and hash. Keys are read from the environment and
appear in no record, log line or message. Writes nothing.
"""

from __future__ import annotations

import hashlib
import logging
import os
import random
import re
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Self
from urllib.parse import quote, urlencode, urljoin, urlsplit

from novelty_kit import __version__
from novelty_kit.errors import InputError
from novelty_kit.ingest.limits import Limits
from novelty_kit.ingest.pace import Pace, pace_file
from novelty_kit.ingest.record import Answer
from novelty_kit.ingest.reply import (
    MAY_PASS,
    Failed,
    Failure,
    Reply,
    by_status,
    failed_by,
    retry_after_s,
    without_keys,
)
from novelty_kit.ingest.wire import Deadline, PackedBadlyError, TooLargeError, unpacked

__all__ = ["Client"]

_MAX_REDIRECTS: Final = 5
_FIRST_PAUSE_S: Final = 1.0
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_COUNT: Final = re.compile(r"([0-9]{1,9})s?", re.ASCII)
_KEY_IN_TEXT: Final = re.compile(r"(api_key=)[^&\s'\"]+")


class Client:
    """Asks one service.

    Parameters
    ----------
    limits : Limits
        Its address and what it allows.
    sort : callable, optional
        Tells of an answer what failure it is, or None; by status unless the service needs more.
    environ : mapping, optional
        Where the key and the contact address (``NOVELTY_CONTACT``) are read from.
    sleep, clock, now : callable, optional
        Waiting, a monotonic clock in seconds, and the time of day.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        sort: Callable[[Reply], Failure | None] = by_status,
        environ: Mapping[str, str] = os.environ,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        import httpx

        self.limits = limits
        self._sort = sort
        self._key = _from_environment(environ, limits.key_variable)
        self._contact = _from_environment(environ, "NOVELTY_CONTACT")
        self._sleep, self._clock, self._now = sleep, clock, now
        self._pace = Pace(
            1.0 / limits.requests_per_s,
            shared=pace_file(limits.source, environ) if limits.shared_pace else None,
            sleep=sleep,
            clock=clock,
        )
        self._deadline = Deadline(limits.total_s)
        self._waited_s = 0.0
        self._jitter = random.Random()
        self.n_asked = 0
        _keep_keys_out_of_logs()
        contact = f" (mailto:{self._contact})" if self._contact else ""
        headers = {"User-Agent": f"novelty_kit/{__version__}{contact}", "Accept-Encoding": "gzip, deflate"}
        if self._key and limits.source == "s2":
            headers["x-api-key"] = self._key
        address = urlsplit(limits.base_url)
        # Without TLS there is nothing to trust: a context that trusts nobody is quick to make.
        plain = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if address.scheme == "http" else None
        self._http = httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(limits.timeout_s),
            follow_redirects=False,
            trust_env=address.hostname not in ("127.0.0.1", "::1", "localhost"),
            verify=plain or True,
            limits=httpx.Limits(max_connections=1),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def ask(
        self, path: str, parameters: Mapping[str, str] | None = None, *, body: object = None
    ) -> Reply | Failed:
        """Ask one question, again where that may help, and give the answer or the reason why there is none.

        Parameters
        ----------
        path : str
            Below the base address, already percent-encoded.
        parameters : mapping of str to str, optional
            The query, without keys.
        body : object, optional
            Posted as JSON; without it the question is a GET.

        Returns
        -------
        Reply or Failed
        """
        if self._pace.interval_s > max(self.limits.wait_s, 1.0 / self.limits.requests_per_s):
            text = f"the service takes one question in {self._pace.interval_s:.0f} s, beyond the budget of waiting"
            return Failed(Failure.RATE_LIMITED, text, stops_run=True, asked_ts=self._time())
        pause_s = _FIRST_PAUSE_S
        failed = Failed(Failure.UNREACHABLE, "the service was not asked")
        for attempt in range(1, self.limits.tries + 1):
            outcome = self._once(path, dict(parameters or {}), body)
            if isinstance(outcome, Reply):
                failure = self._sort(outcome)
                if failure is None:
                    return outcome
                wait_s = retry_after_s(outcome, self._now())
                failed = failed_by(failure, outcome, wait_s, self.limits.key_variable)
            else:
                failed, wait_s = replace(outcome, asked_ts=self._time()), None
            if failed.stops_run or failed.failure not in MAY_PASS or attempt == self.limits.tries:
                return failed
            told = wait_s is not None
            wait_s = pause_s * self._jitter.uniform(0.5, 1.5) if wait_s is None else wait_s
            if self._waited_s + wait_s > self.limits.wait_s:
                text = f"{failed.message}; a wait of {wait_s:.0f} s is beyond the budget of waiting"
                return replace(failed, message=text, stops_run=told)
            self._waited_s += wait_s
            self._sleep(wait_s)
            pause_s *= 2
        return failed

    def _once(self, path: str, parameters: dict[str, str], body: object) -> Reply | Failed:
        """One question with its redirects."""
        if self._key and self.limits.source == "openalex":
            parameters["api_key"] = self._key
        if self._contact and self.limits.source == "crossref":
            parameters["mailto"] = self._contact
        url = _with(self.limits.base_url + path, parameters)
        for hop in range(_MAX_REDIRECTS + 1):
            outcome = self._send(url, body, redirected=hop > 0)
            if isinstance(outcome, Failed) or outcome.status not in _REDIRECTS:
                return outcome
            try:
                target = urljoin(url, outcome.headers.get("location", ""))
                same_host = urlsplit(target)[:2] == urlsplit(url)[:2]
            except ValueError:
                same_host = False
            if not same_host:
                text = "redirected to another host"
                return Failed(Failure.REDIRECTED_AWAY, text, outcome.status, outcome.answer)
            url = _with(target, parameters)
        return Failed(Failure.REDIRECTED_AWAY, f"redirected more than {_MAX_REDIRECTS} times")

    def _send(self, url: str, body: object, *, redirected: bool) -> Reply | Failed:
        import httpx

        self.n_asked += 1
        verb = "GET" if body is None else "POST"
        too_late = Failed(Failure.TIMEOUT, f"the answer took more than {self.limits.total_s:g} s")
        status = None
        try:
            with self._pace.turn(), self._deadline as deadline:
                watched = {"trace": deadline.trace}
                with self._http.stream(verb, url, json=body, extensions=watched) as response:
                    status = response.status_code
                    packed = response.headers.get("content-encoding", "")
                    raw = unpacked(response.iter_raw(), packed, self.limits.max_bytes)
        except TooLargeError:
            text = f"the answer is larger than {self.limits.max_bytes} bytes"
            return Failed(Failure.TOO_LARGE, text, status)
        except PackedBadlyError as error:
            return too_late if self._deadline.passed else Failed(Failure.CUT_OFF, str(error), status)
        except httpx.TimeoutException:
            return Failed(Failure.TIMEOUT, f"no answer within {self.limits.timeout_s:g} s")
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.DecodingError):
            return too_late if self._deadline.passed else Failed(Failure.CUT_OFF, "the answer broke off")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            if self._deadline.passed:
                return too_late
            return Failed(Failure.UNREACHABLE, f"the service cannot be reached ({type(error).__name__})")
        headers = {name.lower(): value for name, value in response.headers.items()}
        self._heed(headers)
        answer = Answer(
            source=self.limits.source,
            sha256=hashlib.sha256(raw).hexdigest(),
            url=without_keys(url),
            http_status=response.status_code,
            ts=self._time(),
        )
        return Reply(
            response.status_code, self._without_key(raw), headers, answer, urlsplit(url).path, redirected
        )

    def _without_key(self, raw: bytes) -> bytes:
        """A service that repeats our key in its answer must not bring it into the log."""
        return raw.replace(self._key.encode(), b"(key)") if self._key else raw

    def _time(self) -> str:
        return self._now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _heed(self, headers: Mapping[str, str]) -> None:
        """A service that allows less than the table says is asked less often."""
        limit = _COUNT.fullmatch(headers.get("x-rate-limit-limit", ""))
        interval = _COUNT.fullmatch(headers.get("x-rate-limit-interval", ""))
        if limit and interval and int(limit[1]) > 0:
            asked_s = int(interval[1]) / int(limit[1])
            self._pace.interval_s = max(1.0 / self.limits.requests_per_s, asked_s)


def _from_environment(environ: Mapping[str, str], variable: str | None) -> str | None:
    value = environ.get(variable, "").strip() if variable else ""
    if not (value.isascii() and value.isprintable()):
        raise InputError(f"the environment variable {variable} holds characters that no key has")
    return value or None


def _with(url: str, parameters: Mapping[str, str]) -> str:
    """An address with these parameters, but for those that it has already."""
    parts = urlsplit(url)
    present = {pair.partition("=")[0] for pair in parts.query.split("&")}
    added = urlencode({k: v for k, v in parameters.items() if k not in present}, quote_via=quote)
    return parts._replace(query="&".join(part for part in (parts.query, added) if part)).geturl()


class _WithoutKeys(logging.Filter):
    """Takes the keys out of what the HTTP libraries log."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if "api_key=" in text:
            record.msg, record.args = _KEY_IN_TEXT.sub(r"\1…", text), ()
        return True


def _keep_keys_out_of_logs() -> None:
    for name in ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy"):
        logger = logging.getLogger(name)
        if not any(isinstance(present, _WithoutKeys) for present in logger.filters):
            logger.addFilter(_WithoutKeys())
