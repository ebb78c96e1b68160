# SPDX-License-Identifier: MIT
# textures.jl: textures and surfaces for kernels. As everywhere the first dimension runs fastest, so that of texels is x;
# the channels of a texel stand before it.

"""
    Arr.Texels(T, width[, height[, depth]]; channels = 1, surface = false, layered = false, cube = false,
               gather = false, device)
    Arr.Texels(a; channels = 1, surface = false, layered = false, cube = false, gather = false)

Memory of texels, in an order that the device chooses: uninitialised, or filled from an array of size `(width, ...)`, or
`(channels, width, ...)` where there are 2 or 4. `copyto!` copies between texels and such arrays. With `surface` kernels
may write them. With `layered` the last dimension counts layers, with `cube` the faces of cubes in the order +x, -x, +y,
-y, +z, -z; `gather` is for `tex2Dgather`.
"""
mutable struct Texels
    handle::LibArr.arr_texels
    function Texels(T::Type, dims::Integer...; channels::Integer = 1, surface::Bool = false, layered::Bool = false,
                    cube::Bool = false, gather::Bool = false, device::DeviceLike = device())
        flags = surface * LibArr.ARR_TEXELS_SURFACE + layered * LibArr.ARR_TEXELS_LAYERED + cube * LibArr.ARR_TEXELS_CUBE +
            gather * LibArr.ARR_TEXELS_GATHER
        shape = Int64[reverse(dims)...]
        out = Ref(LibArr.arr_texels())
        @check LibArr.arr_texels_create(dtype(T), Int32(channels), Int32(length(shape)), shape,
                                        Int32(flags), Ref(Device(device)), out)
        registered(new(out[]))
    end
end
function Texels(a::AnyArr; channels::Integer = 1, options...)
    dims = channels == 1 ? size(a) : size(a)[2:end]
    copyto!(Texels(eltype(a), dims...; channels = channels, device = device(a), options...), a)
end

"""
A texture or a surface: an argument of kernels that take a `cudaTextureObject_t` or a `cudaSurfaceObject_t`. Made by
[`Arr.texture`](@ref) and [`Arr.surface`](@ref).
"""
mutable struct Texture
    handle::LibArr.arr_texture
    Texture(handle::LibArr.arr_texture) = registered(new(handle))
end

release(t::Texels) = (LibArr.arr_texels_release(t.handle); nothing)
release(t::Texture) = (LibArr.arr_texture_release(t.handle); nothing)
unsafe_free!(t::Union{Texels,Texture}) = finish(t)
Base.cconvert(::Type{LibArr.arr_texels}, t::Texels) = t
Base.unsafe_convert(::Type{LibArr.arr_texels}, t::Texels) = t.handle
Base.cconvert(::Type{LibArr.arr_texture}, t::Texture) = t
Base.unsafe_convert(::Type{LibArr.arr_texture}, t::Texture) = t.handle

# A view with the axes in row-major order, as the library has it for texels, whose last one is x, and for plans.
library_order(a::AnyArr{T,1}) where {T} = a
library_order(a::AnyArr) = PermutedDimsArray(a, ndims(a):-1:1)
Base.copyto!(t::Texels, a::AnyArr) = (@check LibArr.arr_texels_copy_from(t, library_order(a), stream()); t)
Base.copyto!(a::AnyArr, t::Texels) = (@check LibArr.arr_texels_copy_to(t, library_order(a), stream()); a)

const ADDRESSES = (clamp = LibArr.ARR_ADDRESS_CLAMP, wrap = LibArr.ARR_ADDRESS_WRAP, mirror = LibArr.ARR_ADDRESS_MIRROR,
    border = LibArr.ARR_ADDRESS_BORDER)
address_of(name::Symbol) = haskey(ADDRESSES, name) ? ADDRESSES[name] :
    throw(ArgumentError("got address :$name, expected one of $(join(keys(ADDRESSES), ", "))"))

function texture_options(; address = :clamp, linear::Bool = false, read_normalized::Bool = false, normalized::Bool = false,
                         srgb::Bool = false, max_anisotropy::Integer = 0, border = (0, 0, 0, 0))
    modes = address isa Symbol ? (address, address, address) : (address..., ntuple(_ -> :clamp, 3 - length(address))...)
    Ref(LibArr.arr_texture_options(sizeof(LibArr.arr_texture_options), map(address_of, modes)..., linear, read_normalized,
        normalized, srgb, max_anisotropy, border..., ntuple(_ -> 0, 4 - length(border))...))
end

"""
    Arr.texture(texels; address = :clamp, linear = false, read_normalized = false, normalized = false, srgb = false,
                max_anisotropy = 0, border = (0, 0, 0, 0))
    Arr.texture(a; channels = 1, options...)

Returns a texture of texels, for `tex1D`, `tex2D`, `tex3D` and the functions of layers and cubes; or of an array's own memory,
of one dimension for `tex1Dfetch`, of two for `tex2D`. It keeps either alive. `address` is `:clamp`, `:wrap`, `:mirror`
or `:border`, or one of them for each dimension. With `linear` values lie between the nearest texels; `read_normalized`
makes floats of 8- and 16-bit integers; `normalized` coordinates run from 0 to 1.
"""
function texture(t::Texels; options...)
    out = Ref(LibArr.arr_texture())
    @check LibArr.arr_texture_create(t, texture_options(; options...), out)
    Texture(out[])
end
function texture(a::AnyArr; channels::Integer = 1, options...)
    out = Ref(LibArr.arr_texture())
    @check LibArr.arr_texture_of_array(library_order(a), Int32(channels), texture_options(; options...), out)
    Texture(out[])
end

"""
    Arr.surface(texels)

Returns a surface of texels made with `surface = true`, for `surf2Dread`, `surf2Dwrite` and related functions.
"""
function surface(t::Texels)
    out = Ref(LibArr.arr_texture())
    @check LibArr.arr_surface_create(t, out)
    Texture(out[])
end

argument(t::Texture) = Value(LibArr.ARR_VALUE_TEXTURE, 0, reinterpret(Int64, UInt64(UInt(t.handle.ptr))), 0), t
