# SPDX-License-Identifier: MIT
"""Which definitions of a language reach a C function, and which of them stands for it."""

import re

HELPERS = 3  # calls between a definition and the C function


def reached(definitions):
    """{C function: [(calls between, definition)]} of the definitions that a program can call."""
    found, helpers = {}, {}
    for d in definitions:
        if d.public:
            for c in d.calls:
                found.setdefault(c, []).append((0, d))
        else:
            helpers.setdefault(d.helper, set()).update(d.calls)
    known = {c: {id(d) for _, d in listed} for c, listed in found.items()}
    for depth in range(1, HELPERS + 1):
        for d in definitions:
            if d.public:
                for c in set().union(*(helpers.get(h, ()) for h in d.mentions)):
                    if id(d) not in known.setdefault(c, set()):
                        known[c].add(id(d))
                        found.setdefault(c, []).append((depth, d))
        grown = {name: set(calls) for name, calls in helpers.items()}
        for d in definitions:
            if not d.public:
                grown[d.helper].update(*(helpers.get(h, ()) for h in d.mentions))
        helpers = grown
    for d in definitions:
        if d.callable:
            for c in d.calls:
                found.setdefault(c, []).append((HELPERS + 1, d))
    return found


def chosen(candidates, name):
    """The one that is nearest to a C function: by its name, else by calls between, else the one that calls the fewest."""

    wanted = re.sub(r"_v(?=$|_into$)", "", name.removeprefix("arr_").lower())

    def distance(candidate):
        depth, d = candidate
        own = d.helper.rstrip("!_").lower().removeprefix("arr_")
        return (own != wanted, depth, len(d.calls), d.rank, len(d.signature))

    return min(candidates, key=distance)[1]
