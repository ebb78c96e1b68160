# SPDX-License-Identifier: MIT
# An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
import numpy as np


def lorenz(state):
    x, y, z = state
    return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])


def rk4(state, h=0.01, steps=100):
    for _ in range(steps):
        k1 = lorenz(state)
        k2 = lorenz(state + h / 2 * k1)
        k3 = lorenz(state + h / 2 * k2)
        k4 = lorenz(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state.mean(axis=1)
