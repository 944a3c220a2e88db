"""A child that is killed before its n-th change of the file system, for every n in turn."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.truncate"}


def changes_files(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether an audit event is about to change something on the disk."""
    if event == "open":
        flags = arguments[2]
        return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in CHANGES


def killed_at(operation: int, act: Callable[[], Any]) -> bool:
    """Do something in a child that is killed before its n-th file operation; False if it got through."""
    child = os.fork()
    if child == 0:
        left = operation

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            if changes_files(event, arguments):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        try:
            act()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
        raise AssertionError(f"it died of signal {os.WTERMSIG(status)} by itself")
    return os.WIFSIGNALED(status)


def every_kill(act: Callable[[], Any], prepare: Callable[[], Any], after: Callable[[int], Any]) -> int:
    """Kill at each operation in turn, looking at what is left each time; gives the number of kills."""
    for operation in range(1, 500):
        prepare()
        if not killed_at(operation, act):
            return operation - 1
        after(operation)
    raise AssertionError("it never got through")
