# SPDX-License-Identifier: MIT
# k-means: ten rounds of Lloyd's algorithm, from the first three points.
using Arr

function kmeans(points; k = 3, rounds = 10)
    centres = points[1:k, :]
    for _ in 1:rounds
        distances = sum(abs2, reshape(points, :, 1, 2) .- reshape(centres, 1, k, 2); dims = 3)
        nearest = distances .== minimum(distances; dims = 2)
        members = Float64.(dropdims(nearest; dims = 3))
        centres = members' * points ./ sum(members; dims = 1)'
    end
    centres
end
