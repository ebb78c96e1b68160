# SPDX-License-Identifier: MIT
"""Times of Python callables."""

import time


def python_loop(call):
    """Nanoseconds per call of a Python callable, the loop's own cost included as a Python user pays it."""

    def timed(repeats):
        start = time.perf_counter_ns()
        for _ in range(repeats):
            call()
        return (time.perf_counter_ns() - start) / repeats

    return timed
