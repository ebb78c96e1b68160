# SPDX-License-Identifier: MIT
# cube.jl ROOT: calls the op that new_row.sh adds to the table.
include(joinpath(ARGS[1], "bindings/julia/src/LibArr.jl"))
using .LibArr: arr_array, arr_stream, arr_from_host, arr_cube, arr_get, arr_release, arr_last_error
using .LibArr: ARR_FLOAT64, ARR_ORDER_F, ARR_OP_CUBE

check(status) = status == 0 || error(unsafe_string(arr_last_error()))

input, output = [-2.0, 3.0, 0.5], zeros(3)
x, y = Ref(arr_array()), Ref(arr_array())
check(arr_from_host(input, sizeof(input), ARR_FLOAT64, 1, Int64[3], ARR_ORDER_F, C_NULL, arr_stream(), x))
check(arr_cube(x[], arr_stream(), y))
check(arr_get(y[], ARR_ORDER_F, output, sizeof(output), arr_stream()))
foreach(a -> check(arr_release(a[])), (x, y))
println("Julia: $output, op $ARR_OP_CUBE")
output == input .^ 3 && ARR_OP_CUBE == 500 || exit(1)
