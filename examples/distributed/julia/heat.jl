# SPDX-License-Identifier: MIT
# Heat equation: explicit steps on a square, which is divided among the ranks; the temperature is 0 around it.
function heat(comm, n, steps)
    columns = Arr.decomposition(comm, (n, n))
    fields = [Arr.zeros(columns; halo = 1) for _ in 1:2]
    # The points of both fields, and their neighbours.
    at = [[Arr.localpart(u, shift...) for shift in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))] for u in fields]
    copyto!(fields[1], Arr.rand(Arr.Generator(1), columns))
    for _ in 1:steps
        Arr.exchange!(fields[1])
        u, up, down, left, right = at[1]
        at[2][1] .= u .+ 0.2 .* (up .+ down .+ left .+ right .- 4 .* u)
        reverse!(fields)
        reverse!(at)
    end
    maximum(fields[1])
end
