"""The kernel that a notebook runs in: this very Python, over sockets in a private folder.

A kernel specification of the user's named ``python3`` may belong to another environment, and a network port can
be taken between its choice and its use; neither can happen here. Every wait for a kernel has an end: a cell's is
the caller's, all others `PATIENCE_S`, long enough that a slow machine is no fault. No network.
"""

from __future__ import annotations

import os
import queue
import sys
import time
import uuid
from collections.abc import Mapping
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.paths import jupyter_runtime_dir
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines

from novelty_kit.report.forks import PATIENCE_S, ForkProvisioner, KernelServer

__all__ = ["ENGINE", "OwnKernelManager", "fork_kernels_from"]

ENGINE = "novelty-kit"

_LONGEST_SOCKET = 100  # the system takes 107 bytes
_servers: list[KernelServer] = []


def fork_kernels_from(server: KernelServer) -> None:
    """From now on this process forks its kernels from that server."""
    _servers[:] = [server]


class OwnKernelClient(AsyncKernelClient):
    """Knows that a kernel is ready when it has answered on both channels, not after a silence of its own length."""

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Ask until one question is answered on the shell channel and echoed to its end on the other.

        Raises
        ------
        RuntimeError
            The kernel died, or did not answer in time.
        """
        longest = PATIENCE_S if timeout is None else timeout
        end, pause = time.monotonic() + longest, 0.2
        while True:
            asked = self.kernel_info()
            try:
                reply = await self.shell_channel.get_msg(timeout=5 * pause)
                while reply["parent_header"].get("msg_id") != asked:  # the answer to an earlier question
                    reply = await self.shell_channel.get_msg(timeout=5 * pause)
                while not _ends(await self.iopub_channel.get_msg(timeout=pause), asked):
                    pass
                self._handle_kernel_info_reply(reply)
                return
            except queue.Empty:
                pause = min(2 * pause, 10.0)  # a slow machine is given more and more time
            if not await self.is_alive():
                raise RuntimeError("the kernel died before it answered")
            if time.monotonic() > end:
                raise RuntimeError(f"the kernel did not answer within {longest} s")


def _ends(message: Mapping[str, Any], asked: str) -> bool:
    """Whether it is the last that is heard of a question."""
    of, state = message["parent_header"].get("msg_id"), message["content"].get("execution_state")
    return bool(of == asked and state == "idle")


class OwnKernelManager(AsyncKernelManager):
    """Starts the running Python as a kernel: forked where this process has a server for that, cold elsewhere."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.client_factory = OwnKernelClient
        folder = jupyter_runtime_dir()
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.connection_file = os.path.join(folder, f"{uuid.uuid4().hex[:12]}.json")
        if len(self.connection_file) + len("-ipc-1") <= _LONGEST_SOCKET and sys.platform != "win32":
            self.transport = "ipc"

    @property
    def kernel_spec(self) -> KernelSpec:
        """This Python's own kernel, whatever is installed under that name."""
        return KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            display_name="Python 3", language="python", interrupt_mode="signal",
        )  # fmt: skip

    async def _async_pre_start_kernel(self, **kwargs: Any) -> tuple[list[str], dict[str, Any]]:
        if _servers and self.provisioner is None:
            self.kernel_id = self.kernel_id or str(uuid.uuid4())
            provisioner = ForkProvisioner(kernel_id=self.kernel_id, kernel_spec=self.kernel_spec, parent=self)
            provisioner.server = _servers[0]
            self.provisioner = provisioner
        found: tuple[list[str], dict[str, Any]] = await super()._async_pre_start_kernel(**kwargs)
        return found


class _OwnClient(PapermillNotebookClient):  # type: ignore[misc]  # papermill has no types
    """Runs the cells, and asks the kernel nothing afterwards.

    Papermill asks for the language once more, and where the last cell broke the kernel's ears, that question waits
    as long as a cell may take and then ends in an AssertionError.
    """

    def execute(self, **kwargs: Any) -> Any:
        self.reset_execution_trackers()
        with self.setup_kernel(**kwargs):
            self.papermill_execute_cells()
        return self.nb


class _OwnEngine(NBClientEngine):  # type: ignore[misc]
    """Papermill's own engine with that client, and with patience."""

    @classmethod
    def execute_managed_notebook(
        cls, nb_man: Any, kernel_name: str, execution_timeout: int | None = None, **kwargs: Any
    ) -> Any:
        own = {name: kwargs[name] for name in ("kernel_manager_class", "shutdown_kernel") if name in kwargs}
        return _OwnClient(
            nb_man, kernel_name=kernel_name, timeout=execution_timeout, startup_timeout=PATIENCE_S,
            iopub_timeout=PATIENCE_S, **own,
        ).execute()  # fmt: skip


papermill_engines.register(ENGINE, _OwnEngine)
