"""A folder of a run, held open, in which no name is ever followed out of it.

Every name is opened relative to the folder and without following links, so a link, a pipe or a folder in
a file's place is an error and not a way out. A file appears whole or not at all: temporary file, fsync,
then an exclusive link (never over an existing name) or a rename, then fsync of the folder. Nothing else
of this room touches the disk. No network. No clock.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from novelty_kit.errors import DocumentError, InputError, OutputError
from novelty_kit.review.record import MAX_BYTES

__all__ = ["STAGED_PREFIX", "STAGED_SUFFIX", "EntryKind", "Folder"]

EntryKind = Literal["file", "folder", "link", "other"]

STAGED_PREFIX: Final = ".hypex-tmp-"
"""Temporary files carry the other tools' prefix, which all of them pass over."""
STAGED_SUFFIX: Final = ".part"

# The descriptor of a folder that does not exist: it holds nothing.
_ABSENT: Final = -1

_WHY: Final = {
    errno.EROFS: "the file system is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the quota is used up",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "it is a symbolic link",
}


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder held open by a file descriptor; use it in a ``with`` block.

    Attributes
    ----------
    path : Path
        The folder, as the user named it; for messages only.
    fd : int
        -1 for a folder that does not exist: it is empty, and cannot be written.
    """

    path: Path
    fd: int

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder that the user named; the path itself may lead through links."""
        try:
            return cls(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        except OSError as error:
            raise InputError(
                f"cannot open the folder: {_why(error)}", path=str(path), remedy="Name an existing folder"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.fd != _ABSENT:
            os.close(self.fd)

    def shown(self, name: str) -> str:
        """A name in this folder, as messages print it."""
        return str(self.path / name)

    def kind(self, name: str) -> EntryKind | None:
        """What bears this name; None where nothing does."""
        if self.fd == _ABSENT:
            return None
        try:
            mode = os.lstat(name, dir_fd=self.fd).st_mode
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DocumentError(f"cannot be read: {_why(error)}", path=self.shown(name)) from error
        if stat.S_ISREG(mode):
            return "file"
        if stat.S_ISDIR(mode):
            return "folder"
        return "link" if stat.S_ISLNK(mode) else "other"

    def names(self) -> tuple[str, ...]:
        """All names in the folder, sorted."""
        if self.fd == _ABSENT:
            return ()
        try:
            with os.scandir(self.fd) as entries:
                return tuple(sorted(entry.name for entry in entries))
        except OSError as error:
            raise InputError(f"cannot be listed: {_why(error)}", path=str(self.path)) from error

    @contextlib.contextmanager
    def sub(self, name: str, *, create: bool = False) -> Iterator[Self]:
        """Open a folder inside; one that does not exist is made with `create`, else it is empty.

        Raises
        ------
        InputError
            The name is a link or a file.
        """
        fd = self._open_sub(name)
        if fd == _ABSENT and create:
            with self._writing(name):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, 0o777, dir_fd=self.fd)
                os.fsync(self.fd)
            fd = self._open_sub(name)
        with type(self)(self.path / name, fd) as inner:
            yield inner

    def _open_sub(self, name: str) -> int:
        if self.fd == _ABSENT:
            return _ABSENT
        try:
            return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.fd)
        except FileNotFoundError:
            return _ABSENT
        except OSError as error:
            is_link = self.kind(name) == "link"
            raise InputError(
                "is a symbolic link" if is_link else f"is no folder: {_why(error)}",
                path=self.shown(name),
                remedy="A run holds its folders themselves; links out of it are not followed",
            ) from error

    def read(self, name: str, *, limit: int = MAX_BYTES) -> bytes:
        """Read a regular file whole.

        Raises
        ------
        DocumentError
            There is no such file, it is a link or no regular file, or it is larger than `limit`.
        """
        if self.fd == _ABSENT:
            raise DocumentError("no such file", path=self.shown(name))
        try:
            # Without O_NONBLOCK a pipe in a record's place would wait for a writer for ever.
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self.fd)
        except FileNotFoundError as error:
            raise DocumentError("no such file", path=self.shown(name)) from error
        except OSError as error:
            raise DocumentError(
                f"cannot be read: {_why(error)}",
                path=self.shown(name),
                remedy="A run holds its records themselves, as regular files",
            ) from error
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise DocumentError(
                    "is no regular file", path=self.shown(name), remedy="Put the record itself there"
                )
            with os.fdopen(fd, "rb", closefd=False) as stream:
                raw = stream.read(limit + 1)
        except OSError as error:
            raise DocumentError(f"cannot be read: {_why(error)}", path=self.shown(name)) from error
        finally:
            os.close(fd)
        if len(raw) > limit:
            raise DocumentError(
                f"is larger than {limit // 1024 // 1024} MB", path=self.shown(name), remedy="Split it"
            )
        return raw

    def stage(self, name: str, data: bytes) -> str:
        """Write a temporary file for `name` and bring it to the disk; give its own name.

        The temporary name follows from `name`: only a holder of the run's lock may stage. What an
        interrupted one left behind is written over, never taken away first: that it is there says that
        its number is free.
        """
        staged = _staged(name)
        with self._writing(name):
            fd, is_new = self._open_staged(staged)
            try:
                with os.fdopen(fd, "wb") as stream:
                    stream.truncate()
                    stream.write(data)
                    stream.flush()
                    os.fsync(fd)
            except BaseException:
                with contextlib.suppress(OSError):
                    if is_new:
                        os.unlink(staged, dir_fd=self.fd)
                raise
        return staged

    def _open_staged(self, staged: str) -> tuple[int, bool]:
        """Open the temporary file for writing, and say whether it is new."""
        flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with contextlib.suppress(OSError):
            fd = os.open(staged, flags, dir_fd=self.fd)
            state = os.fstat(fd)
            if stat.S_ISREG(state.st_mode) and state.st_nlink == 1:
                return fd, False
            # It has a second name already, a published one: its content is not ours to change.
            os.close(fd)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(staged, dir_fd=self.fd)
        return os.open(staged, flags | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=self.fd), True

    def publish_new(self, staged: str, name: str) -> None:
        """Give a staged file its name, unless the name is taken.

        Raises
        ------
        OutputError
            The name exists (whatever it is), or the folder cannot be written; then the temporary file
            stays, and says that the number is free.
        """
        with self._writing(name):
            try:
                os.link(staged, name, src_dir_fd=self.fd, dst_dir_fd=self.fd, follow_symlinks=False)
            except FileExistsError:
                os.unlink(staged, dir_fd=self.fd)
                raise
            os.fsync(self.fd)
            os.unlink(staged, dir_fd=self.fd)

    def replace(self, name: str, data: bytes) -> None:
        """Write a file whole over the one that bears the name; a link there is replaced, not followed."""
        staged = self.stage(name, data)
        with self._writing(name):
            try:
                os.rename(staged, name, src_dir_fd=self.fd, dst_dir_fd=self.fd)
                os.fsync(self.fd)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(staged, dir_fd=self.fd)
                raise

    def remove(self, name: str) -> None:
        """Take a file away and bring that to the disk; nothing happens where there is none."""
        with self._writing(name), contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.fd)
            os.fsync(self.fd)

    def clear_staged(self, name: str) -> None:
        """Take away what an interrupted writing of `name` left behind."""
        if self.kind(_staged(name)) is not None:
            self.remove(_staged(name))

    @contextlib.contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            taken = isinstance(error, FileExistsError)
            raise OutputError(
                "exists already and is never overwritten" if taken else f"cannot write: {_why(error)}",
                path=self.shown(name),
                remedy="Nothing was changed; look at the file"
                if taken
                else "Nothing was half-written; make room or choose a run that can be written, then repeat",
            ) from error


def _staged(name: str) -> str:
    return f"{STAGED_PREFIX}{name.removesuffix('.json')}{STAGED_SUFFIX}"


def _why(error: OSError) -> str:
    return _WHY.get(error.errno or 0, error.strerror or str(error))
