# SPDX-License-Identifier: MIT
# linear_operators.jl: linear operators: matrices, functions and other objects that have products with vectors.

"""
    Arr.LinearOperator(A; device)
    Arr.LinearOperator{T}(f, m, n = m; adjoint = nothing, device)

Anything that has products with vectors: a matrix of Arr, sparse or dense, a `Diagonal` of it, another object with `size(A)`,
`eltype(A)` and `A * x` or `mul!(y, A, x)`; or the function `f` that returns the product with `x`, which has `n` elements, or
`n` rows where several vectors are multiplied at a time. `adjoint` is the function of the adjoint.

Operators are added, multiplied with each other and with numbers, taken to powers; `A'` and `transpose(A)` need the adjoint.
`A * x` and `mul!(y, A, x, α, β)` compute products. Solvers such as [`Arr.cg`](@ref) take operators, and all of which they are
made.
"""
mutable struct LinearOperator{T}
    handle::LibArr.arr_linop
    dims::Dims{2}
    roots::Any                  # the functions that the library may call, as long as this lives
    LinearOperator{T}(h::LibArr.arr_linop, dims::Dims{2}, roots::Tuple) where {T} = registered(new{T}(h, dims, roots))
end
release(A::LinearOperator) = (LibArr.arr_linop_release(A.handle); nothing)
unsafe_free!(A::LinearOperator) = finish(A)
Base.cconvert(::Type{LibArr.arr_linop}, A::LinearOperator) = A
Base.unsafe_convert(::Type{LibArr.arr_linop}, A::LinearOperator) = A.handle
Base.size(A::LinearOperator) = A.dims
Base.size(A::LinearOperator, d::Integer) = d <= 2 ? A.dims[d] : 1
Base.eltype(::Type{LinearOperator{T}}) where {T} = T

function linop_properties(h)
    p = Ref(LibArr.arr_linop_properties(sizeof(LibArr.arr_linop_properties), 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_linop_info(h, p)
    p[]
end
device(A::LinearOperator) = (p = linop_properties(A); Device(p.device_type, p.device_index))

# The operator that f(out) makes.
function linop_made(@nospecialize(f), roots::Tuple = ())
    out = Ref(LibArr.arr_linop())
    f(out)
    p = linop_properties(out[])
    LinearOperator{eltype_of(p.dtype)}(out[], (Int(p.rows), Int(p.columns)), roots)
end

LinearOperator(A::LinearOperator) = A
LinearOperator(A::SparseMatrix) = linop_made(out -> @check LibArr.arr_linop_from_sparse(A, out))
LinearOperator(a::Mat) = linop_made(out -> @check LibArr.arr_linop_from_dense(a, out))
LinearOperator(D::Diagonal{<:Any,<:Vect}) = (d = D.diag; linop_made(out -> @check LibArr.arr_linop_diagonal(d, out)))
LinearOperator{T}(J::UniformScaling, n::Integer; device::DeviceLike = device()) where {T} =
    T(J.λ) * linop_made(out -> @check LibArr.arr_linop_identity(Int64(n), dtype(T), Ref(Device(device)), out))
LinearOperator(::Union{SparseMatrixCSC,Array}; kw...) =
    throw(ArgumentError("Arr.LinearOperator: a matrix of Julia; move it first, by Arr.sparse(A) or ArrArray(A)"))
LinearOperator(::Function; kw...) =
    throw(ArgumentError("Arr.LinearOperator: a function has no size, expected Arr.LinearOperator{T}(f, m, n; adjoint)"))
LinearOperator(A; kw...) = LinearOperator{eltype(A)}(x -> times(A, x), size(A)...;
                                                          adjoint = applicable(adjoint, A) ? x -> times(A', x) : nothing, kw...)
times(A, x) = applicable(*, A, x) ? A * x : mul!(similar(x, product_type(eltype(A), eltype(x)), (size(A, 1), size(x)[2:end]...)), A, x)

# ----------------------------------------------------------------------- functions that the library calls

mutable struct Products
    f::Any
    adjoint::Any
end
products_at(ctx::Ptr{Cvoid}) = unsafe_pointer_to_objref(ctx)::Products
run_product(ctx::Ptr{Cvoid}, x::LibArr.arr_array, s::LibArr.arr_stream, out::Ptr{LibArr.arr_array})::Int32 =
    catching(() -> give_product(products_at(ctx).f, x, s, out)) ? LibArr.ARR_OK : LibArr.ARR_E_ARGUMENT
run_adjoint(ctx::Ptr{Cvoid}, x::LibArr.arr_array, s::LibArr.arr_stream, out::Ptr{LibArr.arr_array})::Int32 =
    catching(() -> give_product(products_at(ctx).adjoint, x, s, out)) ? LibArr.ARR_OK : LibArr.ARR_E_ARGUMENT

function give_product(@nospecialize(f), x::LibArr.arr_array, s::LibArr.arr_stream, out::Ptr{LibArr.arr_array})
    lent = Ref(LibArr.arr_array())
    @check LibArr.arr_retain(x, lent)
    operand, state = adopt(lent[]), task_state()
    before = state.stream
    state.stream = s
    try
        y = f(operand)
        y isa AnyArr || throw(ArgumentError("Arr.LinearOperator: the function returned $(typeof(y)), expected an array of Arr"))
        @check LibArr.arr_retain(y, out)
    finally
        state.stream = before
        unsafe_free!(operand)               # its memory is used again
    end
end

# No exception may pass through the library: it is kept in the task, and thrown where the library has returned.
function catching(@nospecialize(f))
    try
        f()
        true
    catch e
        task_local_storage(:Arr_caught, e)
        false
    end
end
function throw_caught()
    e = pop!(task_local_storage(), :Arr_caught, nothing)
    e === nothing || throw(e)
    nothing
end
# The status of a call in which the library calls functions of Julia.
function calling(@nospecialize(f))
    s = f()::Int32
    s == LibArr.ARR_OK || throw_caught()
    s
end

function LinearOperator{T}(f, m::Integer, n::Integer = m; adjoint = nothing, device::DeviceLike = device()) where {T}
    products = Products(f, adjoint)
    plain = @cfunction(run_product, Int32, (Ptr{Cvoid}, LibArr.arr_array, LibArr.arr_stream, Ptr{LibArr.arr_array}))
    turned = adjoint === nothing ? C_NULL :
        @cfunction(run_adjoint, Int32, (Ptr{Cvoid}, LibArr.arr_array, LibArr.arr_stream, Ptr{LibArr.arr_array}))
    linop_made((products,)) do out
        @check LibArr.arr_linop_from_function(Int64(m), Int64(n), dtype(T), Ref(Device(device)), plain, turned, C_NULL,
                                              pointer_from_objref(products), out)
    end
end

# ------------------------------------------------------------------------------------ products, algebra

function applied(A::LinearOperator{S}, x::AnyArr{T}) where {S,T}
    y, out = same_type(product_type(S, T), x), Ref(LibArr.arr_array())
    @check calling(() -> LibArr.arr_linop_apply(A, y, LibArr.ARR_MATRIX_PLAIN, stream(), out))
    relieve_pressure()
    packed(adopt(out[]))
end
Base.:*(A::LinearOperator, x::Union{Vect,Mat}) = applied(A, x)
LinearAlgebra.mul!(y::AnyArr, A::LinearOperator, x::AnyArr) = written!(y, applied(A, x), true, false)
LinearAlgebra.mul!(y::AnyArr, A::LinearOperator, x::AnyArr, α::Number, β::Number) = written!(y, applied(A, x), α, β)

Base.transpose(A::LinearOperator) = linop_made(out -> @check(LibArr.arr_linop_transpose(A, out)), A.roots)
Base.adjoint(A::LinearOperator) = linop_made(out -> @check(LibArr.arr_linop_adjoint(A, out)), A.roots)
Base.:+(A::LinearOperator, B::LinearOperator) = linop_made(out -> @check(LibArr.arr_linop_sum(A, B, out)), (A.roots..., B.roots...))
Base.:*(A::LinearOperator, B::LinearOperator) = linop_made(out -> @check(LibArr.arr_linop_product(A, B, out)), (A.roots..., B.roots...))
Base.:^(A::LinearOperator, p::Integer) = linop_made(out -> @check(LibArr.arr_linop_power(A, Int64(p), out)), A.roots)
function Base.:*(α::Number, A::LinearOperator{T}) where {T}
    v = Ref(value(convert(promote_type(T, typeof(α)), α)))
    linop_made(out -> @check(LibArr.arr_linop_scaled(A, v, out)), A.roots)
end
Base.:*(A::LinearOperator, α::Number) = α * A
Base.:/(A::LinearOperator, α::Number) = inv(α) * A
Base.:-(A::LinearOperator) = -1 * A
Base.:-(A::LinearOperator, B::LinearOperator) = A + -B
Base.:+(A::LinearOperator{T}, J::UniformScaling) where {T} =
    A + LinearOperator{promote_type(T, eltype(J))}(J, size(A, 1); device = device(A))
Base.:+(J::UniformScaling, A::LinearOperator) = A + J
Base.:-(A::LinearOperator, J::UniformScaling) = A + -J
Base.:-(J::UniformScaling, A::LinearOperator) = -A + J

Base.show(@nospecialize(io::IO), A::LinearOperator{T}) where {T} =
    print(io, Base.dims2string(A.dims), " Arr.LinearOperator{", T, "}", A.handle.ptr == NO_HANDLE ? " (freed)" : "")
