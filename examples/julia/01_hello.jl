# SPDX-License-Identifier: MIT
# 01_hello.jl - create arrays, compute, reduce, print. ARR_DEVICE=cuda runs it on the GPU.
using Arr
using LinearAlgebra

println("on ", Arr.device_name())

a = ArrArray(Float32[1 2 3; 4 5 6])          # a copy of a Julia array on the device
b = sin.(a) .+ 2 .* max.(a, 2.5f0)           # one pass over memory for the whole line
b .-= sum(b) / length(b)                     # in place
display(b)
println()

println("sum of a        ", sum(a))
println("maximum by row  ", Array(maximum(a; dims = 2)))
println("last column     ", Array(a[:, end]))
println("shape of a'     ", size(a'))

view(a, 1, :) .= 0                           # views share memory
println("first row gone  ", Array(a))

try
    a .+ ArrArray(rand(Float32, 5))          # a mistake is an exception; everything stays usable
catch e
    println("a mistake       ", sprint(showerror, e))
end
