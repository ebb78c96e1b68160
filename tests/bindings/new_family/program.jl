# SPDX-License-Identifier: MIT
# program.jl ROOT: calls the function of the family that new_family.sh makes.
include(joinpath(ARGS[1], "bindings/julia/src/LibArr.jl"))
using .LibArr

check(status) = status == 0 || error(unsafe_string(LibArr.arr_last_error()))
const stream = LibArr.arr_stream()

input, output = [-2.0, 3.0, 0.5], zeros(3)
x, y = [Ref(LibArr.arr_array()) for _ in 1:2]
check(LibArr.arr_from_host(input, sizeof(input), LibArr.ARR_FLOAT64, 1, Int64[3], LibArr.ARR_ORDER_F, C_NULL, stream, x))
check(LibArr.arr_twice(x[], stream, y))
check(LibArr.arr_get(y[], LibArr.ARR_ORDER_F, output, sizeof(output), stream))
foreach(a -> check(LibArr.arr_release(a[])), (x, y))
println("Julia: $output")
output == 2 .* input || exit(1)
