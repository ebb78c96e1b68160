# SPDX-License-Identifier: MIT
# idioms.jl ROWS - runs both sides of each row, two lines of the file ROWS, and compares their values and the arrays afterwards.
using Arr, LinearAlgebra, Random, Statistics

host(x) = x
host(a::AbstractArray) = Array(a)
host(t::Tuple) = map(host, t)
same(p::Number, q::Number) = typeof(p) === typeof(q) && isapprox(p, q; rtol = 1e-12)
same(p::Tuple, q::Tuple) = length(p) == length(q) && all(map(same, p, q))
same(p::AbstractArray, q::AbstractArray) = size(p) == size(q) && all(same.(p, q))
same(p, q) = p == q

# The same arrays anew: of Base, and on the device.
const NAMES = ((:x, :a), (:m, :s), (:v, :w), (:k, :n), (:h, :g))
function setting()
    m = Module()
    Core.eval(m, :(using Arr, LinearAlgebra, Random, Statistics))
    Core.eval(m, :((x, m, v, k, h) = ([3.0 1.0 2.0; 0.5 2.5 4.0], [4.0 1.0 0.5; 1.0 3.0 0.2; 0.5 0.2 2.0], [3.0, 1.0, 2.0], [3, 1, 3], zeros(3))))
    foreach(((plain, ours),) -> Core.eval(m, :($ours = ArrArray($plain))), NAMES)
    m
end

function check(plain, ours)
    m = setting()
    expected, found = include_string(m, plain), include_string(m, ours)
    assigns = match(r"^for |^\w+(\[.*?\])? [.*+]*= ", plain) !== nothing
    good = (assigns || same(host(expected), host(found))) &&
        all(((p, q),) -> same(getfield(m, p), host(getfield(m, q))), NAMES)
    good || println("$plain is ", repr(expected), "\nbut $ours is ", repr(host(found)))
    good
end

lines = readlines(ARGS[1])
failed = count(i -> !check(lines[i], lines[i+1]), 1:2:length(lines))
println(length(lines) ÷ 2, " rows, $failed failed")
exit(failed == 0 ? 0 : 1)
