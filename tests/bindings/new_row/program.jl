# SPDX-License-Identifier: MIT
# program.jl ROOT: calls the op, the reduction and the distribution that new_row.sh adds to the tables.
include(joinpath(ARGS[1], "bindings/julia/src/LibArr.jl"))
using .LibArr

check(status) = status == 0 || error(unsafe_string(LibArr.arr_last_error()))
const stream = LibArr.arr_stream()

function elements(a, n)
    output = zeros(n)
    check(LibArr.arr_get(a[], LibArr.ARR_ORDER_F, output, sizeof(output), stream))
    check(LibArr.arr_release(a[]))
    output
end

input = [-2.0, 3.0, 0.5]
x, y, z, w = [Ref(LibArr.arr_array()) for _ in 1:4]
start, width = [Ref{LibArr.arr_value}() for _ in 1:2]
LibArr.arr_value_f64(start, 2.5)
LibArr.arr_value_f64(width, 0.0)
check(LibArr.arr_from_host(input, sizeof(input), LibArr.ARR_FLOAT64, 1, Int64[3], LibArr.ARR_ORDER_F, C_NULL, stream, x))
check(LibArr.arr_cube(x[], stream, y))
check(LibArr.arr_twice_sum(x[], 0, C_NULL, false, stream, z))
generator = LibArr.arr_generator()
check(LibArr.arr_random_span(generator, start, width, LibArr.ARR_FLOAT64, 1, Int64[2], C_NULL, stream, w))
cube, twice, drawn = elements(y, 3), elements(z, 1), elements(w, 2)
check(LibArr.arr_release(x[]))
println("Julia: $cube, $twice, $drawn")
cube == input .^ 3 && twice == [3.0] && drawn == [2.5, 2.5] || exit(1)
(LibArr.ARR_OP_CUBE, LibArr.ARR_REDUCTION_TWICE_SUM, LibArr.ARR_DISTRIBUTION_SPAN) == (500, 60, 500) || exit(2)
