# SPDX-License-Identifier: MIT
# libraries.jl: the vendor's libraries that libarr opens, for calls of one's own.

const LIBRARIES = (driver = LibArr.ARR_LIBRARY_DRIVER, nvrtc = LibArr.ARR_LIBRARY_NVRTC,
                   nvjitlink = LibArr.ARR_LIBRARY_NVJITLINK, cublas = LibArr.ARR_LIBRARY_CUBLAS,
                   cusolver = LibArr.ARR_LIBRARY_CUSOLVER, cufft = LibArr.ARR_LIBRARY_CUFFT,
                   cusparse = LibArr.ARR_LIBRARY_CUSPARSE, curand = LibArr.ARR_LIBRARY_CURAND)

"""
    Arr.library_function(library, name, [device])

Returns the address of a function of a library that the device's vendor has, for `ccall`; `library` is one of
$(join(("`$(repr(k))`" for k in keys(LIBRARIES)), ", ")). The host has none of them.
"""
function library_function(library::Symbol, name::AbstractString, d::DeviceLike = device())
    text, out = String(name), Ref{Ptr{Cvoid}}(C_NULL)
    @check LibArr.arr_library_function(Ref(Device(d)), chosen("library", LIBRARIES, library), text, Int64(sizeof(text)), out)
    out[]
end

"""Returns the version that the library reports; for the driver, the version of CUDA that it supports."""
function library_version(library::Symbol, d::DeviceLike = device())
    major, minor, patch = Ref{Int32}(0), Ref{Int32}(0), Ref{Int32}(0)
    @check LibArr.arr_library_version(Ref(Device(d)), chosen("library", LIBRARIES, library), major, minor, patch)
    VersionNumber(major[], minor[], patch[])
end

"""
    Arr.library_handle(library, [device])

Returns the handle of `:cublas` or `:cusolver` that the library's own calls in the task's stream work with, borrowed from the
stream. Restore what you change, and let no other thread enqueue work in the stream meanwhile.
"""
function library_handle(library::Symbol, d::DeviceLike = device())
    out = Ref{Ptr{Cvoid}}(C_NULL)
    @check LibArr.arr_library_handle(Ref(Device(d)), chosen("library", LIBRARIES, library), stream(), out)
    out[]
end
