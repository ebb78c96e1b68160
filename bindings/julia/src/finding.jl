# SPDX-License-Identifier: MIT
# finding.jl: searches from an index on, elements that satisfy a condition, and rearrangements in place, under Base's names.

# Elements are counted in column-major order; Base names them so in vectors, else by CartesianIndex.
counted(a, i::Integer) = Int(i)
counted(a, i::CartesianIndex) = LinearIndices(a)[i]
key(a, k) = ndims(a) == 1 ? k : CartesianIndices(a)[k]

Base.findnext(a::AnyArr{Bool}, i::Union{Integer,CartesianIndex}) = findnext(identity, a, i)
Base.findprev(a::AnyArr{Bool}, i::Union{Integer,CartesianIndex}) = findprev(identity, a, i)
function Base.findnext(f::Function, a::AnyArr, i::Union{Integer,CartesianIndex})
    k, n = counted(a, i), length(a)
    k > n && return nothing
    k >= 1 || throw(BoundsError(a, i))
    found = first_true(truths(map(f, view(vec(column_major(a)), k:n))))
    found === nothing ? nothing : key(a, k + found - 1)
end
function Base.findprev(f::Function, a::AnyArr, i::Union{Integer,CartesianIndex})
    k, n = counted(a, i), length(a)
    k < 1 && return nothing
    k <= n || throw(BoundsError(a, i))
    found = first_true(truths(map(f, view(vec(column_major(a)), k:-1:1))))
    found === nothing ? nothing : key(a, k + 1 - found)
end

"""`filter(f, a)` returns the elements for which `f` holds, as a vector."""
Base.filter(f, a::AnyArr) = Base.inferencebarrier(where_true)(a, map(f, a))   # of a type that inference does not know
where_true(a, mask) = a[truths(mask)]

# ------------------------------------------------------------------------------------------ one size

fixed_size(name) = ArgumentError("$name: arrays of Arr cannot be resized; a[...] and vcat make new ones")
Base.filter!(f, a::Vect) = throw(fixed_size(:filter!))
for f in (:push!, :pushfirst!, :append!, :prepend!, :pop!, :popfirst!, :insert!, :deleteat!, :splice!, :resize!, :empty!),
    arguments in ((), (:x,), (:x, :y))
    @eval Base.$f(a::Vect, $(arguments...)) = throw(fixed_size($(QuoteNode(f))))
end
for f in (:append!, :prepend!)
    @eval Base.$f(a::Vect, items::AbstractVector) = throw(fixed_size($(QuoteNode(f))))
end

# ------------------------------------------------------------------------------------------ in place

function same_size(name, dest, dims)
    size(dest) == dims || throw(DimensionMismatch("$name: the result's size is $(size(dest)), expected $dims"))
end

Base.reverse!(a::AnyArr; dims = :) = copyto!(a, reverse(a; dims = dims))
Base.reverse!(a::Vect; dims = :) = copyto!(a, reverse(a; dims = dims))
function Base.reverse!(v::Vect, start::Integer, stop::Integer = length(v))
    part = view(v, start:stop)
    copyto!(part, reverse(part))
    v
end
Base.reverse(v::Vect, start::Integer, stop::Integer = length(v)) = reverse!(copy(v), start, stop)

for S in (:(Tuple{}), :(Base.DimsInteger), :Any)
    @eval function Base.circshift!(dest::AnyArr, src::AnyArr, shifts::$S)
        dest === src && throw(ArgumentError("circshift!: the result is the array itself"))
        same_size("circshift!", dest, size(src))
        copyto!(dest, circshift(src, shifts))
    end
end

function Base.permutedims!(dest::AnyArr, src::AnyArr, perm)
    same_size("permutedims!", dest, Tuple(size(src, p) for p in perm))
    copyto!(dest, transposed(src, perm))
end
