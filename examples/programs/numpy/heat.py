# SPDX-License-Identifier: MIT
# Heat equation: explicit steps on the inner points of a field.


def heat(field, c=0.2, steps=100):
    u = field.copy()
    for _ in range(steps):
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        u[1:-1, 1:-1] += c * (around - 4 * u[1:-1, 1:-1])
    return u
