# SPDX-License-Identifier: MIT
# Gaussian blur of an image of several channels, along its columns and rows.
using Arr

@views function blur(image; radius = 2, sigma = 1.5)
    h, w, _ = size(image)
    weights = exp.(-0.5 .* ((-radius:radius) ./ sigma) .^ 2)
    weights ./= sum(weights)
    padded = Arr.pad(image, (radius, radius, 0); mode = :edge)
    rows = sum(weights[i] .* padded[i:i+h-1, :, :] for i in eachindex(weights))
    sum(weights[i] .* rows[:, i:i+w-1, :] for i in eachindex(weights))
end
