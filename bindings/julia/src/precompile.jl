# SPDX-License-Identifier: MIT
# precompile.jl: what the first calls of a program need, inferred when the package is compiled. Only methods of this package
# are kept so, so Base's functions are entered by methods that are small and call these.

const ROW, REDUCTION_ROW = typeof(first(LibArr.OPS)), typeof(first(LibArr.REDUCTIONS))

# Tracing, and the broadcasts that it serves: compiled once for all functions and types.
for signature in ((computed, Broadcasted), (evaluate, Broadcasted, Dims{1}, Leaves), (evaluate, Broadcasted, Dims{2}, Leaves),
                  (evaluate, Broadcasted, Dims{1}, Nothing), (combined_axes, Broadcasted), (axes_of_dims, Dims{1}), (axes_of_dims, Dims{2}),
                  (plan_of, Any, Leaves), (is_full, Any), (gather!, Leaves, Broadcasted), (first_array, Broadcasted), (on_host, Broadcasted),
                  (walk, Trace, Broadcasted), (input, Trace, AnyArr), (call, Any, Vector{Any}), (traced, Any, Vector{Any}),
                  (run_call, Any, Vector{Any}, Level), (run_builtin, Any, Vector{Any}, Level), (walk_code, Code, Any, Vector{Any}, Level),
                  (follow, Walk, Int), (both_ways, Walk, Sym{Bool}, Int, Int), (note_call, Any, Vector{Any}), (has_own_method, Any),
                  (code_of, Any), (apply, ROW, Any, Vector{Any}), (compute, ROW, Any, Vector{Any}), (as, Type, Trace, Int), (as, Type, Trace, Float64),
                  (as, Type, Trace, Sym), (new_results, Trace, Any, Number, Dims{1}), (new_results, Trace, Any, Number, Dims{2}),
                  (keep_plan!, Trace, Broadcasted, Leaves, Int, Int32, DataType, DataType), (run_new, Plan, Leaves, Broadcasted),
                  (with_mapped, Any, Any, Any), (with_lists, Any, Vector{Any}, Any), (LibArr.load,), (release, Trace), (release, Plan),
                  (symbolic, Any, Int), (describe, Any), (merged, Sym{Bool}, Any, Any, Walk), (value_of, Walk, Any))
    precompile(signature[1], signature[2:end])
end

# Arrays of the usual types.
for T in (Float64, Float32, Int, Bool), N in 0:2
    A = ArrArray{T,N}
    precompile(A, (LibArr.arr_array, Dims{N}))
    precompile(device, (A,))
    precompile(finish, (A,))
    precompile(run, (Trace, Int32, Type{A}, Dims{N}))
    precompile(run!, (A, Trace, Sym{T}))
    precompile(assign!, (A, Broadcasted))
    precompile(ranked, (A, Val{N}))
    precompile(node, (Sym{T},))
    precompile(Base.size, (A,))
    precompile(item, (A,))
    N == 0 && continue
    precompile(ArrArray, (Array{T,N},))
    precompile(Base.Array, (A,))
    T === Bool && continue
    precompile(Base.show, (IO, MIME"text/plain", A))
    precompile(Base.show, (IO, A))
    precompile(Base.getindex, (A, ArrArray{Bool,N}))
    precompile(Base.getindex, (A, UnitRange{Int}))
    for f in (sum, prod, maximum, minimum)
        precompile(f, (A,))
        precompile(f, (Function, A))
    end
    for M in (A, Mapped{T,N})
        precompile(reduction, (Symbol, M, Any))
        precompile(reduce_alone, (Function, M, Function))
        precompile(signed_zero, (Symbol, M, Function, T))
        precompile(reduce_all, (REDUCTION_ROW, Any, M))
        precompile(into_of, (REDUCTION_ROW, M))
    end
    precompile(Reducing(+, :, NoInit()), (Mapped{T,N},))
end

# Reductions along a dimension, of arrays and of views.
const BY_DIMENSION = NamedTuple{(:dims,),Tuple{Int}}
for T in (Float64, Float32, Int, Bool), N in 1:3
    A, V = ArrArray{T,N}, ArrStrided{T,N}
    precompile(Core.kwftype(typeof(mapreduce)), (BY_DIMENSION, typeof(mapreduce), Function, Function, A))
    precompile(signed_zero, (Symbol, A, Int, A))
    for f in (findmax, findmin, argmax, argmin)
        precompile(Core.kwftype(typeof(f)), (BY_DIMENSION, typeof(f), A))
    end
    precompile(extreme, (Symbol, A, Int))
    precompile(reduced, (Function, Mapped{T,N}, Int, NoInit))
    for M in (A, V)
        precompile(reduce_alone, (Function, M, Int))
        precompile(reduction, (REDUCTION_ROW, M, Any))
        precompile(reduced_size, (M, Int))
        precompile(inner, (M, Int))
        precompile(reduce_dims, (REDUCTION_ROW, Any, M, Any))
        precompile(reduce_into!, (Any, A, M, Any))
        precompile(reduce_into!, (Any, ArrArray{Int,N}, M, Any))
        precompile(into_of, (REDUCTION_ROW, M))
        precompile(positions, (Symbol, M, Int))
        precompile(lines, (M, Vector{Int}))
        precompile(device, (M,))
        precompile(finish, (M,))
        precompile(Base.copy, (M,))
    end
end
for T in (Float64, Float32)
    A, V = ArrArray{T,2}, ArrArray{T,1}
    precompile(Base.:*, (A, A))
    precompile(Base.:*, (A, V))
    precompile(Base.:\, (A, V))
    precompile(Base.sort, (V,))
    precompile(Base.:^, (A, Float64))
    precompile(Base.sqrt, (A,))
    precompile(of_eigenvalues, (Function, A))
    precompile(LinearAlgebra.eigen, (Hermitian{T,A},))
    precompile(Base.adjoint, (V,))
    precompile(Base.adjoint, (A,))
    precompile(Base.:*, (ArrRow{T,2}, V))
end

# Sparse matrices of the usual types.
for T in (Float64, Float32)
    A, S = SparseMatrix{T}, SparseMatrixCSC{T,Int}
    for signature in ((sparse, S), (sparse, Vector{Int}, Vector{Int}, Vector{T}), (sparse, A), (transpose, A), (*, A, A), (*, A, ArrArray{T,1}),
                      (*, A, ArrArray{T,2}), (mul!, ArrArray{T,1}, A, ArrArray{T,1}), (combined, Any, A, A), (map, Any, A), (scaled, Any, A, T),
                      (scaled, Any, A, Int), (sparse_reduction, Symbol, A, Int), (sparse_reduction, Symbol, A, Colon), (S, A),
                      (findnz, A), (show, IO, A), (Array, A), (\, A, ArrArray{T,1}), (lu, A), (getindex, A, Vector{Int}, Colon),
                      (getindex, A, UnitRange{Int}, Colon), (kron, A, A))
        precompile(signature[1], signature[2:end])
    end
end

# Iterative solvers.
for T in (Float64, Float32)
    V = ArrArray{T,1}
    for f in (cg, gmres, minres, bicgstab), A in (SparseMatrix{T}, ArrArray{T,2}, Function, LinearOperator{T})
        precompile(f, (A, V))
        for K in (NamedTuple{(:reltol,),Tuple{Float64}}, NamedTuple{(:log,),Tuple{Bool}}, NamedTuple{(:reltol, :log),Tuple{Float64,Bool}})
            precompile(Core.kwftype(typeof(f)), (K, typeof(f), A, V))
        end
        f === cg && precompile(as_operator, (A, V))
    end
    for signature in ((LinearOperator, SparseMatrix{T}), (*, LinearOperator{T}, V), (finish, LinearOperator{T}), (finish, SparseMatrix{T}),
                      (packed, V), (jacobi, SparseMatrix{T}))
        precompile(signature[1], signature[2:end])
    end
end
for signature in ((linop_made, Any, Tuple{}), (linop_made, Any, Tuple{Products}), (calling, Any), (catching, Any), (throw_caught,),
                  (give_product, Any, LibArr.arr_array, LibArr.arr_stream, Ptr{LibArr.arr_array}), (run_watcher, Ptr{Cvoid}, Int64, Float64),
                  (run_product, Ptr{Cvoid}, LibArr.arr_array, LibArr.arr_stream, Ptr{LibArr.arr_array}))
    precompile(signature[1], signature[2:end])
end
