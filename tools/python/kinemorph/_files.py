"""Files as the command takes them: regular ones. A device may never end, a pipe may never begin."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Mapping


def _refused(path: Path, mode: int) -> OSError:
    kind = ("a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode)
            else "a socket" if stat.S_ISSOCK(mode) else "a device")
    return OSError(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, f"it is {kind}, not a file", str(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """All that stands in a regular file. Raises OSError."""
    # Without O_NONBLOCK, opening a pipe waits for a writer that may never come.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise _refused(Path(path), mode)
    with os.fdopen(handle, "rb") as stream:
        return stream.read()


def read_text(path: str | os.PathLike[str]) -> str:
    """The same as UTF-8."""
    return read_bytes(path).decode("utf-8")


def write_files(files: Mapping[Path, bytes]) -> None:
    """Writes each file whole or not at all, with the folders that it needs; what goes to the null device
    is forgotten. Raises OSError, before anything is written where a file is none."""
    wanted = dict(files)
    for path in files:
        if not path.exists():
            continue
        if path.resolve() == Path(os.devnull).resolve():
            del wanted[path]
        elif not path.is_file():
            raise _refused(path, path.stat().st_mode)
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            os.chmod(unfinished, 0o666 & ~_umask())
            os.replace(unfinished, path)
        except BaseException:
            os.unlink(unfinished)
            raise


def _umask() -> int:
    """What new files may not be, as the system has it for this process."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1], 8) for line in lines if line.startswith("Umask:")), 0o022)
