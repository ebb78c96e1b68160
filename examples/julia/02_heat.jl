# SPDX-License-Identifier: MIT
# 02_heat.jl KERNEL.cu IN.npy OUT.npy - 1,000 steps of the heat equation by a raw CUDA kernel.
using Arr
using Printf

const STEPS = 1000

function progress(step)
    stderr isa Base.TTY || return
    full = 40 * step ÷ STEPS
    print(stderr, "\r[", "="^full, " "^(40 - full), "] ", step, "/", STEPS, step == STEPS ? "\n" : "")
end

function heat(kernel, field, c)
    # The kernel has row-major fields of ny x nx; the same memory is column-major with nx x ny.
    u = ArrArray{Float64}(transpose(field))
    v = similar(u)
    nx, ny = size(u)
    threads = (32, 8)
    blocks = cld.((nx, ny), threads)
    for step in 1:STEPS
        kernel(u, v, Int64(ny), Int64(nx), c; threads = threads, blocks = blocks)
        u, v = v, u
        step % 50 == 0 && progress(step)
    end
    transpose(u), maximum(abs.(u .- v))
end

function main(source, input, output)
    kernel = Arr.RawKernel(read(source, String), "heat")
    field, residual = heat(kernel, Arr.load(input), 0.2)
    Arr.save(output, field)
    @printf("residual %.12e\n", residual)
end

length(ARGS) == 3 || error("usage: 02_heat.jl KERNEL.cu IN.npy OUT.npy")
main(ARGS...)
