# SPDX-License-Identifier: MIT
"""A definition in a source of a binding: what the readers of the languages find."""

import dataclasses
import re


@dataclasses.dataclass
class Definition:
    """A function, a method or a constructor. `calls` are the C functions that its body names, `mentions` all its words."""

    name: str
    signature: str
    call: str
    public: bool
    body: str
    foreign: bool = False  # the name is the language's own, not libarr's
    rank: int = 0  # of several alike, the smallest is shown
    callable: bool = False  # not public, but a program can call it
    calls: set = dataclasses.field(init=False)
    mentions: set = dataclasses.field(init=False)

    def __post_init__(self):
        self.mentions = set(re.findall(r"[A-Za-z_]\w*!?", self.body))
        self.calls = {m for m in self.mentions if m.startswith("arr_")}

    @property
    def helper(self):
        """The name by which other definitions of the source call this one."""
        return re.split(r"[.%]|::", self.name)[-1]


def closed(text, start):
    """The index behind the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
    return len(text)


def split(text, mark=","):
    """The parts between marks that no bracket holds; <> are brackets where they follow a name."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{" or c == "<" and i and (text[i - 1].isalnum() or text[i - 1] == ":"):
            depth += 1
        elif c in ")]}" or c == ">" and text[i - 1] not in "-=":
            depth -= 1
        elif c == mark and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    return [p for p in [*parts, text[last:].strip()] if p]


def one_line(text):
    return re.sub(r"([(\[{]) | (?=[)\]}])", r"\1", " ".join(text.split()).replace(" ,", ",")).replace(",)", ")")
