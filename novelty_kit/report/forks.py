"""Fresh kernels in a tenth of the time: each is forked from a process that has the imports done and nothing else.

A warm kernel whose names are cleared would be faster still, but leaks (duckdb's default connection, patched
modules, the decimal context, threads). A forked one starts from a process that never ran a cell, so nothing of one
report reaches the next. No network.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping
from typing import Any, NoReturn

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

__all__ = ["PATIENCE_S", "ForkProvisioner", "KernelServer", "end_with_parent"]

PATIENCE_S = 600
_LONGEST = 1 << 20
_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """However the process ends that forked this one, this one ends with it."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        raise OSError(ctypes.get_errno(), "a process cannot be bound to its parent")
    if os.getppid() == 1:
        os._exit(1)  # it was quicker


class KernelServer:
    """A child of this process that forks kernels on demand; it ends with this process, and its kernels with it.

    Start it while this process has one thread and has not run anything yet.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            try:
                ours.close()
                end_with_parent()
                _serve(theirs)
            finally:
                os._exit(1)  # whatever happens, the child never goes on as a second copy of its parent
        theirs.close()
        self.pid = pid
        ours.settimeout(PATIENCE_S)
        self._socket = ours

    def start(self, connection_file: str, cwd: str, env: Mapping[str, str]) -> ForkedKernel:
        """Fork a kernel that listens as `connection_file` says."""
        answer = self.ask({"do": "start", "connection_file": connection_file, "cwd": cwd, "env": dict(env)})
        return ForkedKernel(self, int(answer["pid"]))

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One request, one answer."""
        try:
            self._socket.send(json.dumps(request).encode("utf-8"))
            raw = self._socket.recv(_LONGEST)
        except TimeoutError:
            self._socket.close()  # a late answer would be taken for the next one
            raw = b""
        if not raw:
            raise ChildProcessError("the process that forks kernels has ended")
        answer: dict[str, Any] = json.loads(raw)
        return answer

    def close(self) -> None:
        """End the server and every kernel of it."""
        self._socket.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


class ForkedKernel:
    """A forked kernel as jupyter_client sees a process."""

    stdin = stdout = stderr = None

    def __init__(self, server: KernelServer, pid: int) -> None:
        self._server = server
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        if self.returncode is None:
            self.returncode = self._server.ask({"do": "poll", "pid": self.pid})["code"]
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit code."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"kernel {self.pid} still runs")
            time.sleep(0.01)
        return code

    def send_signal(self, signum: int) -> None:
        """Signal the kernel and what it started."""
        self._server.ask({"do": "signal", "pid": self.pid, "signum": int(signum)})

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


class ForkProvisioner(LocalProvisioner):
    """Gives jupyter_client kernels that are forked instead of started."""

    server: KernelServer

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork; the command's connection file is all that is needed of it."""
        connection_file = cmd[cmd.index("-f") + 1]
        cwd = os.fspath(kwargs.get("cwd") or os.getcwd())
        process = self.server.start(connection_file, cwd, kwargs.get("env") or os.environ)
        self.process = process  # type: ignore[assignment]  # what jupyter_client calls of a Popen
        self.pid = self.pgid = process.pid
        self.cwd = cwd
        return self.connection_info

    async def wait(self) -> int | None:
        """Until the kernel has ended; asked often, since it was killed."""
        while (code := await self.poll()) is None:
            await asyncio.sleep(0.005)
        self.process = None
        return code

    async def send_signal(self, signum: int) -> None:
        """Through the server, whose child the kernel is."""
        if self.process is not None:
            self.process.send_signal(signum)


def _serve(channel: socket.socket) -> NoReturn:
    """The server's whole life: answer until the owner is gone, then take every kernel along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()  # what is shared with the forks is never touched by a collection
    alive: set[int] = set()
    while True:
        try:
            raw = channel.recv(_LONGEST)
        except ConnectionResetError:
            raw = b""
        if not raw:
            for pid in alive:
                _signal(pid, signal.SIGKILL)
            os._exit(0)
        request = json.loads(raw)
        if request["do"] == "start":
            pid = os.fork()
            if pid == 0:
                channel.close()
                _become_kernel(request["connection_file"], request["cwd"], request["env"])
            alive.add(pid)
            answer: dict[str, Any] = {"pid": pid}
        elif request["do"] == "poll":
            answer = {"code": _reap(request["pid"], alive)}
        else:
            if request["pid"] in alive:
                _signal(request["pid"], request["signum"])
            answer = {}
        channel.send(json.dumps(answer).encode("utf-8"))


def _reap(pid: int, alive: set[int]) -> int | None:
    if pid not in alive:
        return -1
    found, status = os.waitpid(pid, os.WNOHANG)
    if found == 0:
        return None
    alive.discard(pid)
    return os.waitstatus_to_exitcode(status)


def _signal(pid: int, signum: int) -> None:
    """To the kernel's group; to itself where it has not made its group yet."""
    try:
        os.killpg(pid, signum)
    except ProcessLookupError:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signum)


def _become_kernel(connection_file: str, cwd: str, env: Mapping[str, str]) -> NoReturn:
    """Turn a forked process into what ``python -m ipykernel_launcher`` is."""
    code = 1
    try:
        end_with_parent()
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.environ.clear()
        os.environ.update(env)
        os.environ["JPY_PARENT_PID"] = str(os.getppid())
        os.chdir(cwd)
        sys.argv = ["ipykernel_launcher.py", "-f", connection_file]
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed()

        from ipykernel.kernelapp import IPKernelApp

        application = IPKernelApp.instance()
        application.initialize(["-f", connection_file])  # type: ignore[no-untyped-call]
        application.start()  # type: ignore[no-untyped-call]
        code = 0
    finally:
        os._exit(code)
