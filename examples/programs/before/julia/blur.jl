# SPDX-License-Identifier: MIT
# Gaussian blur of an image of several channels, along its columns and rows.
using Arr

@views function blur(image; radius = 2, sigma = 1.5)
    h, w, channels = size(image)
    weights = exp.(-0.5 .* ((-radius:radius) ./ sigma) .^ 2)
    weights ./= sum(weights)
    top, left = radius + 1, radius + 1
    bottom, right = radius + h, radius + w
    padded = Arr.zeros(h + 2radius, w + 2radius, channels)
    padded[top:bottom, left:right, :] .= image
    padded[1:radius, :, :] .= padded[top:top, :, :]
    padded[bottom+1:end, :, :] .= padded[bottom:bottom, :, :]
    padded[:, 1:radius, :] .= padded[:, left:left, :]
    padded[:, right+1:end, :] .= padded[:, right:right, :]
    rows = sum(weights[i] .* padded[i:i+h-1, :, :] for i in eachindex(weights))
    sum(weights[i] .* rows[:, i:i+w-1, :] for i in eachindex(weights))
end
