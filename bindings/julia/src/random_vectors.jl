# SPDX-License-Identifier: MIT
# random_vectors.jl: states of generators, bits, and random vectors whose elements depend on each other, in rows.

"""
    Arr.state(g)
    Arr.set_state!(g, s)

Returns the state of a generator, and restores it: in another process, say, for it is a plain struct. What is spawned later still
follows from the seed.
"""
function state(g::Generator)
    s = Ref(LibArr.arr_generator_state(sizeof(LibArr.arr_generator_state), 0, 0, 0, 0, 0, 0))
    GC.@preserve s @check LibArr.arr_generator_get_state(g, s)
    s[]
end
set_state!(g::Generator, s::LibArr.arr_generator_state) = (@check(LibArr.arr_generator_set_state(g, Ref(s))); g)

"""
    Arr.bits([g], T, n; device)

Draws `n` words of the stream, unchanged, of an unsigned type.
"""
bits(g::Generator, ::Type{T}, n::Integer; device::DeviceLike = device()) where {T<:Unsigned} =
    made(out -> @check LibArr.arr_random_bits(g, dtype(T), Int32(1), Int64[n], Ref(Device(device)), stream(), out))
bits(::Type{T}, n::Integer; kw...) where {T<:Unsigned} = bits(generator(), T, n; kw...)

const NORMAL_METHODS = (cholesky = LibArr.ARR_NORMAL_CHOLESKY, eigen = LibArr.ARR_NORMAL_EIGH, svd = LibArr.ARR_NORMAL_SVD)

"""
    Arr.multivariate_normal([g], mean, covariance, n; method = :svd)

Draws `n` normal vectors in rows, by factors of the covariance: `:cholesky` (of a positive definite one), `:eigen` or `:svd`.
"""
function multivariate_normal(g::Generator, mean::Vect, covariance::Mat, n::Integer; method::Symbol = :svd)
    haskey(NORMAL_METHODS, method) ||
        throw(ArgumentError("method is :$method, expected one of $(join(map(repr, keys(NORMAL_METHODS)), ", "))"))
    made(out -> @check LibArr.arr_random_multivariate_normal(g, mean, covariance, Int32(NORMAL_METHODS[method]), Int32(1),
                                                             Int64[n], stream(), out))
end
multivariate_normal(mean::Vect, covariance::Mat, n::Integer; kw...) =
    multivariate_normal(generator(), mean, covariance, n; kw...)

"""
    Arr.multinomial([g], draws, p, n)

Draws how often each of the outcomes came in `draws`, whose probabilities are `p`: `n` such counts in rows.
"""
multinomial(g::Generator, draws::Integer, p::Vect, n::Integer) =
    made(out -> @check LibArr.arr_random_multinomial(g, Ref(value(Int64(draws))), p, Int32(1), Int64[n], stream(), out))
multinomial(draws::Integer, p::Vect, n::Integer) = multinomial(generator(), draws, p, n)

"""
    Arr.dirichlet([g], alpha, n)

Shares of a whole, `n` times in rows.
"""
dirichlet(g::Generator, alpha::Vect, n::Integer) =
    made(out -> @check LibArr.arr_random_dirichlet(g, alpha, Int32(1), Int64[n], stream(), out))
dirichlet(alpha::Vect, n::Integer) = dirichlet(generator(), alpha, n)

"""
    Arr.multivariate_hypergeometric([g], colors, draws, n)

Draws how many of each colour are among `draws` drawn without putting them back, `n` times in rows.
"""
multivariate_hypergeometric(g::Generator, colors::Vect, draws::Integer, n::Integer) =
    made(out -> @check LibArr.arr_random_multivariate_hypergeometric(g, colors, Ref(value(Int64(draws))), Int32(1),
                                                                     Int64[n], stream(), out))
multivariate_hypergeometric(colors::Vect, draws::Integer, n::Integer) =
    multivariate_hypergeometric(generator(), colors, draws, n)
