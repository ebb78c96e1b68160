# SPDX-License-Identifier: MIT
# Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
import numpy as np


def monte_carlo(strikes, paths=1000, steps=16, start=100, rate=0.05, sigma=0.2):
    u, v = np.random.Generator(np.random.PCG64(1)).random((2, paths, steps))
    normal = np.sqrt(-2 * np.log1p(-u)) * np.cos(2 * np.pi * v)
    walk = np.cumsum((rate - sigma**2 / 2) / steps + sigma * np.sqrt(1 / steps) * normal, axis=1)
    mean = start * np.exp(walk).mean(axis=1)
    payoffs = np.exp(-rate) * np.maximum(mean - strikes[:, None], 0)
    return np.stack([payoffs.mean(axis=1), payoffs.std(axis=1, ddof=1) / np.sqrt(paths)])
