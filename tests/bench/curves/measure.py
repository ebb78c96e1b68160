# SPDX-License-Identifier: MIT
"""Times our side beside one peer, alternately; curves.py runs it in a process per peer, for thread pools spin.

Prints a row in JSON per pair. Exit code 77: the peer is not there, for the reason that it prints.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import native
import peers
import workloads


LONG = 5.0  # seconds after which a pair has rounds enough


def calibrated(run, seconds):
    """The number of repeats that take about `seconds`."""
    ns = max(run(1), 1.0)
    if ns < LONG * 1e8:  # the first call is slower
        ns = max(min(run(1), run(1)), 1.0)
    return max(1, min(int(seconds * 1e9 / ns), 1_000_000))


def agree(workload, ours, peer):
    """True if the results agree; our numbers of complex type are pairs."""
    peer = peer.view(peer.real.dtype) if peer.dtype.kind == "c" else peer
    if workload.tolerance is None:
        return workloads.alike(ours, peer)
    return workloads.near(ours, peer, workload.tolerance)


def pair(ours, peer, workload, options):
    """Lists of ns per call of both sides, in turns.

    Each is run once untimed after its rest: Linux takes up to 15 ms to move a thread that was woken to a core of its own.
    """
    seconds = 1e-4 if options.smoke else options.seconds
    n_ours, n_peer = calibrated(ours, seconds), calibrated(peer, seconds)
    a, b = [], []
    start = time.monotonic()
    for done in range(1 if options.smoke else options.rounds):
        if time.monotonic() - start > (LONG if done >= 3 else 3 * LONG):
            break
        for run, repeats, times in ((ours, n_ours, a), (peer, n_peer, b)):
            if not options.smoke:
                time.sleep(workload.settle)
                run(repeats)
            times.append(run(repeats))
    return a, b


def row_of(facts, ours, peer):
    """A row with the times of both sides in ns, and their ratio."""
    ratios = sorted(y / x for x, y in zip(ours, peer))
    return {
        **facts,
        "ours_ns": round(statistics.median(ours), 1),
        "ours_min_ns": round(min(ours), 1),
        "peer_ns": round(statistics.median(peer), 1),
        "peer_min_ns": round(min(peer), 1),
        "ratio": round(statistics.median(ratios), 4),
        "spread": [round(ratios[0], 4), round(ratios[-1], 4)],
    }


def row(library, peer, workload, n, options):
    inputs = workload.inputs(n)
    theirs = peer.open(workload, inputs, n)
    if theirs is None:
        return None
    ours = library.open("arr", workload.name, inputs, n)
    checked = agree(workload, ours.result(), theirs[1]())
    facts = {
        "workload": workload.key,
        "dtype": workload.dtype,
        "group": workload.group,
        "size": n,
        "elements": workload.elements(n),
        "square": workload.sizes is workloads.SQUARES,
        "peer": options.peer,
        "peer_version": peer.version,
        "checked": checked,
    }
    return row_of(facts, *pair(ours.run, theirs[0], workload, options))


def wanted(options, name, n):
    """True if the options name a workload and its size."""
    if options.pairs and f"{name}:{n}" not in options.pairs.split(";"):
        return False
    low, _, high = (options.sizes or "0-").partition("-")
    named = not options.workloads or any(text in name for text in options.workloads.split(","))
    return named and int(low) <= n <= (float(high) if high else float("inf"))


def chosen(options):
    """(workload, size) of those that the options name."""
    for workload in workloads.all_workloads():
        for n in workload.sizes[:2] if options.smoke else workload.sizes:
            if wanted(options, workload.name, n):
                yield workload, n


def add_choice(parser):
    """The options that curves.py hands on."""
    parser.add_argument("--library", required=True, help="arr_curves.so")
    parser.add_argument("--workloads", help="texts, separated by commas: workloads whose name and type have one")
    parser.add_argument("--sizes", help="LOW-HIGH: sizes in this range")
    parser.add_argument("--pairs", help="WORKLOAD TYPE:SIZE, separated by semicolons: only these")
    parser.add_argument("--rounds", type=int, default=7, help="how often each pair runs")
    parser.add_argument("--seconds", type=float, default=0.02, help="how long each side runs per round")
    parser.add_argument("--smoke", action="store_true", help="two small sizes, one round: does it run and agree?")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=peers.PEERS)
    add_choice(parser)
    options = parser.parse_args()
    library = native.Library(pathlib.Path(options.library).resolve())
    try:
        peer = peers.PEERS[options.peer](library)
    except ImportError as e:
        print(f"{options.peer}: {e}", file=sys.stderr)
        return 77
    for workload, n in chosen(options):
        found = row(library, peer, workload, n, options)
        if found:
            print(json.dumps(found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
