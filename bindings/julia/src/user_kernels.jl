# SPDX-License-Identifier: MIT
# user_kernels.jl: kernels from pieces of C++: element by element, or as a reduction, on any device.

"""
    k = Arr.ElementwiseKernel("T x, T y", "T z", "z = x * x + y"; name = "kernel")
    k(a, b)

C++ that runs once per element. Types are dtypes by NumPy's names, or letters that the arguments bind; `raw T x` is a
whole array, `x[i]` its elements in row-major order. Returns a new array, or a tuple where there are several outputs;
arrays given after the inputs are written instead. Keywords: `preamble`, `loop_prep`, `after_loop`, `options` and
`keep_dims`; of a call `length`, where all arguments are raw, `block_size` and, without arrays, `device`.

Plain numbers (`Int`, `Float64`, `Bool`) take the type that the arrays bind; write `Float32(x)` for exactly that.
"""
mutable struct ElementwiseKernel
    handle::LibArr.arr_user_kernel
    name::String
    raw::Vector{Bool}
    nout::Int
    function ElementwiseKernel(in_params, out_params, operation; name = "kernel", preamble = "", loop_prep = "",
                               after_loop = "", keep_dims::Bool = false, options = String[])
        opts, out = String[o for o in options], Ref(LibArr.arr_user_kernel())
        flags = keep_dims ? LibArr.ARR_KERNEL_KEEP_DIMS : Int32(0)
        GC.@preserve opts @check LibArr.arr_elementwise_kernel(in_params, out_params, operation, name, preamble, loop_prep,
            after_loop, flags, Int32(length(opts)), pointers_of(opts), out)
        outputs = raw_params(out_params)
        registered(new(out[], name, [raw_params(in_params); outputs], length(outputs)))
    end
end

"""
    k = Arr.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = sqrt(a)", "0"; name = "kernel")
    k(a, b; dims = 1)

C++ that maps elements, combines the results `a` and `b`, and finishes: parameters, map, reduction, what sets the outputs
from `a` ("" for the first of them), and the identity. Over all elements it returns a number; over `dims` these stay with extent
1. Keywords: `reduce_type`, the C++ type that is joined, `preamble` and `options`.
"""
mutable struct ReductionKernel
    handle::LibArr.arr_user_kernel
    name::String
    raw::Vector{Bool}
    nout::Int
    function ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity; name = "kernel",
                             reduce_type = "", preamble = "", options = String[])
        opts, out = String[o for o in options], Ref(LibArr.arr_user_kernel())
        GC.@preserve opts @check LibArr.arr_reduction_kernel(in_params, out_params, map_expr, reduce_expr,
            isempty(post_map_expr) ? C_NULL : post_map_expr, identity, name, isempty(reduce_type) ? C_NULL : reduce_type,
            preamble, Int32(length(opts)), pointers_of(opts), out)
        outputs = raw_params(out_params)
        registered(new(out[], name, [raw_params(in_params); outputs], length(outputs)))
    end
end
const UserKernel = Union{ElementwiseKernel,ReductionKernel}

pointers_of(texts) = isempty(texts) ? C_NULL : Ptr{UInt8}[pointer(t) for t in texts]
# Marks the raw parameters; there may be none.
raw_params(list) = Bool[startswith(strip(p), "raw ") for p in split(list, ','; keepempty = false) if !isempty(strip(p))]

release(k::UserKernel) = (LibArr.arr_user_kernel_release(k.handle); nothing)
unsafe_free!(k::UserKernel) = finish(k)
Base.cconvert(::Type{LibArr.arr_user_kernel}, k::UserKernel) = k
Base.unsafe_convert(::Type{LibArr.arr_user_kernel}, k::UserKernel) = k.handle
Base.show(io::IO, k::UserKernel) = print(io, nameof(typeof(k)), "(\"", k.name, "\")")

"""Returns the CUDA C++ text that was compiled last for a kernel."""
source(k::UserKernel) = fetch_text((c, text, n) -> LibArr.arr_user_kernel_source(k, c, text, n))

# Plain numbers take the type that others bind.
kernel_value(a::AnyArr) = loose(a)
kernel_value(x::Union{Bool,Int64,Float64,ComplexF64}) = weak(value(x))
kernel_value(x::Number) = value(x)

# The arguments with what broadcasts brought to one rank, as Julia broadcasts.
function kernel_arguments(k::UserKernel, args)
    shaped = [i <= length(k.raw) && !k.raw[i] && x isa AnyArr for (i, x) in enumerate(args)]
    N = maximum([0; [ndims(x) for (x, s) in zip(args, shaped) if s]])
    Any[s ? ranked(x, Val(N)) : x for (x, s) in zip(args, shaped)]
end

# The number of outputs that the library makes: none where the arguments have them.
made_outputs(k::UserKernel, args) = length(args) == length(k.raw) ? 0 : k.nout
results(k, args, out) = isempty(out) ? (k.nout == 1 ? last(args) : args[end-k.nout+1:end]) :
    k.nout == 1 ? packed(adopt(out[1])) : Tuple(packed(adopt(h)) for h in out)

function (k::ElementwiseKernel)(args...; length = -1, block_size::Integer = 0, device = nothing)
    list = kernel_arguments(k, args)
    values, out = Value[kernel_value(x) for x in list], Base.fill(NO_ARRAY, made_outputs(k, args))
    device_ref = device === nothing ? C_NULL : Ref(device::Device)
    GC.@preserve list @check LibArr.arr_elementwise_kernel_run(k, Int32(Base.length(values)), values, Int64(length),
        Int32(block_size), device_ref, stream(), Int32(Base.length(out)), out)
    relieve_pressure()
    results(k, args, out)
end

function (k::ReductionKernel)(args...; dims = :)
    list = kernel_arguments(k, args)
    values, out = Value[kernel_value(x) for x in list], Base.fill(NO_ARRAY, made_outputs(k, args))
    axes = dims === (:) ? C_NULL : axes_of(dims)
    GC.@preserve list @check LibArr.arr_reduction_kernel_run(k, Int32(length(values)), values,
        Int32(dims === (:) ? 0 : length(axes)), axes, dims !== (:), stream(), Int32(length(out)), out)
    relieve_pressure()
    found = results(k, args, out)
    dims === (:) && !isempty(out) ? (found isa Tuple ? map(item, found) : item(found)) : found
end
