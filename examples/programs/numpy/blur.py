# SPDX-License-Identifier: MIT
# Gaussian blur of an image of several channels, along its columns and rows.
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def blur(image, radius=2, sigma=1.5):
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weights /= weights.sum()
    padded = np.pad(image, ((radius, radius), (radius, radius), (0, 0)), mode="edge")
    rows = sliding_window_view(padded, len(weights), axis=0) @ weights
    return sliding_window_view(rows, len(weights), axis=1) @ weights
