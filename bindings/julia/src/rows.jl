# SPDX-License-Identifier: MIT
# rows.jl: products of transposes and adjoints of vectors, which are rows as LinearAlgebra's.

const Row{T} = ArrRow{T,2}

function Base.:*(r::Row, v::Vect)
    length(r) == length(v) || throw(DimensionMismatch("a row of $(length(r)) elements times a vector of $(length(v))"))
    mapreduce(*, +, vec(r), v)
end
Base.:*(r::Row, a::Mat) = as_row(product(r, a))
Base.:/(r::Row, a::Mat) = transpose(transpose(a) \ transpose(r))

# Operations whose result is a row.
Base.:*(s::Number, r::Row) = as_row(s .* r)
Base.:*(r::Row, s::Number) = as_row(r .* s)
Base.:/(r::Row, s::Number) = as_row(r ./ s)
Base.:\(s::Number, r::Row) = as_row(s .\ r)
Base.:-(r::Row) = as_row(.-r)
Base.:+(r::Row, q::Row) = as_row(r .+ q)
Base.:-(r::Row, q::Row) = as_row(r .- q)
Base.conj(r::Row{<:Complex}) = as_row(conj.(r))
Base.map(f, r::Row, rest::Row...) = as_row(invoke(map, Tuple{Any,AnyArr,Vararg{AnyArr}}, f, r, rest...))
Base.getindex(r::Row, ::Colon, columns::AbstractRange{<:Integer}) = as_row(column_major(view(r, :, columns)))

LinearAlgebra.dot(x::Vect, a::Mat, y::Vect) = dot(x, a * y)
