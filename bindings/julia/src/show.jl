# SPDX-License-Identifier: MIT
# show.jl: arrays as text. The REPL shows them as Julia's own arrays; Arr.format as every language does.

# A large array is fetched element by element as it is shown, not as a whole.
struct Preview{T,N} <: AbstractArray{T,N}
    array::AnyArr{T,N}
    seen::Dict{NTuple{N,Int},T}
end
Preview(a::AnyArr{T,N}) where {T,N} = Preview{T,N}(a, Dict{NTuple{N,Int},T}())
Base.size(p::Preview) = size(p.array)
Base.getindex(p::Preview{T,N}, at::Vararg{Int,N}) where {T,N} = get!(() -> item(p.array, at), p.seen, at)

const WHOLE = 4096
shown(@nospecialize(io::IO), a) = length(a) <= WHOLE || !get(io, :limit, false) ? Array(a) : Preview(a)

where_text(a) =
    try
        " on " * label(device(a))
    catch e
        e isa ArrError || rethrow()
        " (freed)"
    end
Base.summary(@nospecialize(io::IO), a::AnyArr{T,N}) where {T,N} =
    print(io, Base.dims2string(size(a)), " ", nameof(typeof(a)), "{", T, ",", N, "}", where_text(a))

# Compiled for any io.
function Base.show(@nospecialize(io::IO), mime::MIME"text/plain", a::AnyArr)
    summary(io, a)
    text = where_text(a)
    (isempty(a) || text == " (freed)") && return
    println(io, ":")
    Base.print_array(IOContext(io, :typeinfo => eltype(a), :compact => get(io, :compact, true)), shown(io, a))
end
function Base.show(@nospecialize(io::IO), a::AnyArr)
    where_text(a) == " (freed)" ? summary(io, a) : show(io, shown(io, a))
end
Base.print_array(io::IO, a::AnyArr) = Base.print_array(io, shown(io, a))

"""
    Arr.format(a; edge = 3)

Returns the elements as text, the same in every language of the library: rows in brackets, at most `2edge` along
an axis.
"""
format(a::AnyArr; edge::Integer = 3) = fetch_text((c, text, n) -> LibArr.arr_format(a, Int32(edge), c, text, n))
