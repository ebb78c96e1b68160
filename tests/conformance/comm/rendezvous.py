#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes that get an id of NCCL by a file or by TCP: with ranks that do not come, end or differ, and with hostile peers.

The fake NCCL connects ranks of one process only: processes compare the id that they get.
"""

import contextlib
import ctypes
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from ranks import Comm, run_ranks

from oracle import arrpy, raises

C = arrpy.c
TOKEN = "0123456789abcdef of this run"
# A rank: size, rank, seconds, and the path, or the address and the token. Its id is not the first one of its process.
RANK = """
import ctypes, os, sys
lib = ctypes.CDLL(os.environ["ARR_LIBRARY"])
lib.arr_last_error.restype = ctypes.c_char_p
size, rank, seconds, *where = sys.argv[1:]
id_ = ctypes.create_string_buffer(128)
for _ in range(40):
    lib.arr_comm_nccl_id(id_)
at = (ctypes.c_int32(int(size)), ctypes.c_int32(int(rank)))
where = [w.encode() for w in where]
if len(where) == 1:
    status = lib.arr_comm_nccl_id_file(*at, where[0], ctypes.c_int64(-1), ctypes.c_double(float(seconds)), id_)
else:
    status = lib.arr_comm_nccl_id_tcp(*at, *where, ctypes.c_double(float(seconds)), id_)
print(id_.raw.hex() if status == 0 else lib.arr_last_error().decode())
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Ranks:
    """Processes of a rendezvous, which are ended at the end."""

    def __init__(self):
        self.processes = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for p in self.processes.values():
            p.kill()
            p.communicate()

    def start(self, rank, size, *where, seconds=60, name=None):
        command = [sys.executable, "-c", RANK, str(size), str(rank), str(seconds), *map(str, where)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.processes[rank if name is None else name] = subprocess.Popen(command, **pipes)

    def said(self, rank):
        out, _ = self.processes[rank].communicate(timeout=200)
        return out.strip()

    def all_said(self):
        return {rank: self.said(rank) for rank in list(self.processes)}


@contextlib.contextmanager
def places(report):
    """(name, place) of each kind, in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        yield [("file", (pathlib.Path(folder) / "meeting",)), ("tcp", (f"127.0.0.1:{free_port()}", TOKEN))]
        report.check("nothing is left in the folder", os.listdir(folder) == [], str(os.listdir(folder)))


def says(report, label, text, *parts):
    report.check(label, all(p in text for p in parts) and "\n" not in text, f"got {text!r}, expected {parts}")


def met(report):
    with places(report) as kinds:
        for kind, where in kinds:
            with Ranks() as ranks:
                for r in (2, 0, 1):
                    ranks.start(r, 3, *where)
                    time.sleep(0.2)  # rank 2 comes before rank 0
                said = ranks.all_said()
            fourty_first = (41).to_bytes(8, "little").hex() + "00" * 120
            report.check(f"{kind}: the id of rank 0", set(said.values()) == {fourty_first}, str(said))


def missing(report):
    with places(report) as kinds:
        for kind, where in kinds:
            with Ranks() as ranks:
                for r in (0, 1):
                    ranks.start(r, 4, *where, seconds=5)
                said = ranks.all_said()
            for r in (0, 1):
                says(
                    report,
                    f"{kind}: missing ranks, on rank {r}",
                    said[r],
                    f"arr_comm_nccl_id_{kind}: ",
                    "for rank",
                    "2, 3",
                )
            with Ranks() as ranks:
                ranks.start(1, 2, *where, seconds=0.5)
                says(report, f"{kind}: no rank 0", ranks.said(1), "rank 1 of 2 waited 0.5 s for rank 0")


def sizes(report):
    with tempfile.TemporaryDirectory() as folder:
        for where in ((pathlib.Path(folder) / "meeting",), (f"127.0.0.1:{free_port()}", TOKEN)):
            with Ranks() as ranks:
                for r in range(3):
                    ranks.start(r, 3 + r // 2, *where)
                says(report, "sizes differ", ranks.said(2), "argument size: ", "4", "on rank 2", "3", "on rank 0")
                if len(where) == 2:
                    says(report, "sizes differ, on rank 0", ranks.said(0), "argument size: 3 on rank 0, 4 on rank 2")


def ended(report):
    """A rank that is killed while it waits is missing."""
    where = (f"127.0.0.1:{free_port()}", TOKEN)
    with Ranks() as ranks:
        ranks.start(1, 3, *where)
        ranks.start(0, 3, *where, seconds=6)
        time.sleep(1.5)
        ranks.processes[1].kill()
        says(report, "tcp: a rank ends", ranks.said(0), "rank 0 of 3 waited", "for ranks 1, 2")
    with Ranks() as ranks:  # another one comes instead
        ranks.start(0, 3, *where)
        ranks.start(1, 3, *where, name="first")
        time.sleep(1.5)
        ranks.processes["first"].kill()
        ranks.said("first")
        ranks.start(1, 3, *where)
        ranks.start(2, 3, *where)
        report.check("tcp: another one instead", len({ranks.said(r) for r in range(3)}) == 1)
    with Ranks() as ranks:
        ranks.start(0, 3, *where)
        ranks.start(1, 3, *where)
        ranks.start(1, 3, *where, name="again")
        says(report, "tcp: two ranks of a number", ranks.said(0), "argument rank: 1 on two ranks")


def hostile(report):
    port = free_port()
    where = (f"127.0.0.1:{port}", TOKEN)
    with Ranks() as ranks, contextlib.ExitStack() as open_:
        ranks.start(0, 3, *where)
        ranks.start(1, 3, *where)

        def connect(some):
            for _ in range(200):
                with contextlib.suppress(ConnectionRefusedError):
                    s = socket.create_connection(("127.0.0.1", port), 5)
                    s.sendall(some)
                    return s
                time.sleep(0.05)
            raise RuntimeError("rank 0 does not listen")

        connect(b"").close()  # ends early
        open_.enter_context(connect(b""))  # is silent
        open_.enter_context(connect(b"arrnccl1"))  # sends a part
        open_.enter_context(connect(os.urandom(4096)))  # sends something else
        for _ in range(300):  # many of them
            open_.enter_context(connect(os.urandom(7)))
        forged = connect(
            b"arrnccl1" + os.urandom(32) + (3).to_bytes(4, "little") + (2).to_bytes(4, "little") + bytes(8)
        )
        answer = b"".join(iter(lambda: forged.recv(4096), b""))
        report.check("tcp: forged token", b"argument token" in answer and len(answer) == 264, str(answer))
        forged.close()
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.2", port), 5):
            report.check("tcp: listens elsewhere", False)
        ranks.start(2, 3, where[0], TOKEN + "!", name="wrong")
        says(
            report, "tcp: wrong token", ranks.said("wrong"), "arr_comm_nccl_id_tcp: argument token: not that of rank 0"
        )
        ranks.start(2, 3, *where)
        report.check("tcp: in spite of them", len({ranks.said(r) for r in range(3)}) == 1)
    with Ranks() as ranks, socket.create_server(("127.0.0.1", port)):
        ranks.start(0, 2, *where)
        says(
            report, "tcp: address in use", ranks.said(0), "rank 0 cannot listen at 127.0.0.1", "Address already in use"
        )
        ranks.start(1, 2, *where, seconds=0.5)
        says(report, "tcp: no answer", ranks.said(1), "waited 0.5 s for rank 0 at 127.0.0.1", "not answered")


def files(report):
    with tempfile.TemporaryDirectory() as folder, Ranks() as ranks:
        path = pathlib.Path(folder) / "meeting"

        def refused(label, rank, *parts):
            ranks.start(rank, 2, path, seconds=5)
            says(report, f"file: {label}", ranks.said(rank), "argument path: ", *parts)

        path.write_bytes(b"")
        refused("exists", 0, "exists, of another run")
        path.chmod(0o644)
        refused("others can read it", 1, "not a file that this user alone can open")
        path.chmod(0o600)
        path.write_bytes(b"something else, longer than what a file begins with")
        refused("other contents", 1, "has other contents")
        path.unlink()
        path.symlink_to(pathlib.Path(folder) / "elsewhere")
        refused("link, rank 0", 0, "exists, of another run")
        refused("link", 1, "cannot be opened")
        path.unlink()
        path.mkdir()
        refused("folder", 1, "not a file")
        path.rmdir()
        path.write_bytes(b"arrnccl1" + (2).to_bytes(4, "little") + bytes(4) + b"\1" + bytes(255 + 64))
        path.chmod(0o600)
        refused("of another run", 1, "is of another run")
        path = path / "deeper"
        refused("no folder", 1, "cannot be created", "Not a directory")


def threads(report):
    """Ranks of one process: the whole way to a communicator."""
    with places(report) as kinds:
        for kind, where in kinds:
            where = [str(w).encode() for w in where] + ([-1] if kind == "file" else [])

            def rank(_, r, kind=kind, where=where):
                id_ = ctypes.create_string_buffer(128)
                arrpy.call(f"arr_comm_nccl_id_{kind}", 3, r, *where, 60.0, id_)
                comm = Comm.nccl_rank(3, r, id_, f"cuda:{r}")
                a = arrpy.array(np.arange(3.0), device=f"cuda:{r}")
                comm.all_reduce(a, a)
                return a.numpy()

            sums = run_ranks([0, 1, 2], rank)
            report.check(f"{kind}: sum", all(np.array_equal(s, [0, 3, 6]) for s in sums), str(sums))


def arguments(report):
    id_ = ctypes.create_string_buffer(128)
    file, tcp = "arr_comm_nccl_id_file", "arr_comm_nccl_id_tcp"
    here, token = b"127.0.0.1:1", TOKEN.encode()
    for label, name, arguments in (
        ("rank", file, (2, 2, b"x", 1, 1.0, id_)),
        ("size", file, (0, 0, b"x", 1, 1.0, id_)),
        ("seconds", file, (2, 0, b"x", 1, float("nan"), id_)),
        ("no path", file, (2, 0, None, 1, 1.0, id_)),
        ("empty path", file, (2, 0, b"", -1, 1.0, id_)),
        ("NUL in a path", file, (2, 0, b"a\0b", 3, 1.0, id_)),
        ("no place", file, (2, 0, b"x", 1, 1.0, None)),
        ("negative rank", tcp, (2, -1, here, token, 1.0, id_)),
        ("no address", tcp, (2, 0, None, token, 1.0, id_)),
        ("no port", tcp, (2, 0, b"127.0.0.1", token, 1.0, id_)),
        ("no host", tcp, (2, 0, b":4000", token, 1.0, id_)),
        ("host that is none", tcp, (2, 1, b"[::zz]:4000", token, 1.0, id_)),
        ("no token", tcp, (2, 0, here, None, 1.0, id_)),
        ("short token", tcp, (2, 0, here, b"0123456789abcde", 1.0, id_)),
    ):
        report.check(f"refused: {label}", raises(C.ARR_E_ARGUMENT, lambda n=name, a=arguments: arrpy.call(n, *a)))
    arrpy.call(file, 1, 0, b"/nonexistent/x", -1, 1.0, id_)  # alone
    report.check("alone", any(id_.raw))


def main():
    report = oracle.Report(__doc__)
    for part in (met, missing, sizes, ended, hostile, files, threads, arguments):
        if report.wants(part.__name__):
            part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
