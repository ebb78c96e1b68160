# SPDX-License-Identifier: MIT
# windows.jl: windows for spectra, by NumPy's formulas: symmetric, of n points.

for (f, entry, text) in ((:bartlett, :arr_bartlett, "The triangular window, 0 at both ends"),
                         (:blackman, :arr_blackman, "Blackman's window: `0.42 + 0.5cos(π * t) + 0.08cos(2π * t)`, `t` from -1 to 1"),
                         (:hamming, :arr_hamming, "Hamming's window: `0.54 + 0.46cos(π * t)`, `t` from -1 to 1"),
                         (:hanning, :arr_hanning, "Von Hann's window: `0.5 + 0.5cos(π * t)`, `t` from -1 to 1"))
    @eval begin
        """
            Arr.$($(string(f)))([T = Float64], n; device)

        $($text).
        """
        $f(::Type{T}, n::Integer; device::Place = device()) where {T} =
            made(out -> @check LibArr.$entry(Int64(n), dtype(T), Ref(Device(device)), stream(), out))
        $f(n::Integer; kw...) = $f(Float64, n; kw...)
    end
end

"""
    Arr.kaiser([T = Float64], n, beta; device)

Kaiser's window: `i0(beta * sqrt(1 - t^2)) / i0(beta)`, `t` from -1 to 1. `beta` is its shape: 0 a rectangle, 5 like
Hamming's, 8.6 like Blackman's.
"""
kaiser(::Type{T}, n::Integer, beta::Real; device::Place = device()) where {T} =
    made(out -> @check LibArr.arr_kaiser(Int64(n), Float64(beta), dtype(T), Ref(Device(device)), stream(), out))
kaiser(n::Integer, beta::Real; kw...) = kaiser(Float64, n, beta; kw...)
