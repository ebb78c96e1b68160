# SPDX-License-Identifier: MIT
# files.jl: .npy and .npz files, tables of text.

"""
    Arr.load(path; device)

Returns the array in a .npy file, with the file's shape. One in Fortran order is an [`ArrArray`](@ref); one in C
order, as NumPy writes by default, an [`ArrStrided`](@ref), of which `transpose` is column-major.
"""
function load(path::AbstractString; device::DeviceLike = device())
    name = String(path)
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_load_npy(name, Int64(sizeof(name)), Ref(Device(device)), stream(), out)
    adopt(out[])
end

"""
    Arr.save(path, a)

Writes a .npy file: in Fortran order if `a` is column-major, else in C order.
"""
function save(path::AbstractString, a::AnyArr)
    name = String(path)
    @check LibArr.arr_save_npy(a, name, Int64(sizeof(name)), stream())
end

"""
    Arr.load(path, name; device)

Returns the array of that name in a .npz file; [`Arr.npz_names`](@ref) lists the names.
"""
function load(path::AbstractString, name::AbstractString; device::DeviceLike = device())
    file, out = String(path), Ref(LibArr.arr_array())
    @check LibArr.arr_load_npz(file, Int64(sizeof(file)), String(name), Ref(Device(device)), stream(), out)
    adopt(out[])
end

"""
    Arr.npz_names(path)

Returns the names of the arrays in a .npz file.
"""
function npz_names(path::AbstractString)
    file = String(path)
    text = fetch_text((c, names, n) -> LibArr.arr_npz_names(file, Int64(sizeof(file)), c, names, n, C_NULL))
    String[name for name in split(text, '\n'; keepempty = false)]
end

"""
    Arr.savez(path; compressed = false, x = a, y = b)

Writes arrays by their names into a .npz file, which NumPy reads.
"""
function savez(path::AbstractString; compressed::Bool = false, arrays...)
    file, names = String(path), String[String(k) for k in keys(arrays)]
    parts = AnyArr[a for a in Base.values(arrays)]
    list = LibArr.arr_array[p.handle for p in parts]
    GC.@preserve parts names @check LibArr.arr_savez(file, Int64(sizeof(file)), Int32(length(list)), list,
        Ptr{UInt8}[pointer(n) for n in names], compressed, stream())
end

"""
    Arr.loadtxt(path; delimiter = "", skip = 0, eltype = Float64, device)

Returns the table of numbers in a text file, with a row per line, as `numpy.loadtxt` reads it. An empty delimiter is any white
space; `skip` lines before the table are left out.
"""
function loadtxt(path::AbstractString; delimiter::AbstractString = "", skip::Integer = 0, eltype::Type = Float64,
                 device::DeviceLike = device())
    file, by, out = String(path), String(delimiter), Ref(LibArr.arr_array())
    GC.@preserve by begin
        options = LibArr.arr_text_options(sizeof(LibArr.arr_text_options), pointer(by), C_NULL, C_NULL, C_NULL, C_NULL, 0,
                                          Int64(skip), 0, 0, dtype(eltype), Int32(0))
        @check LibArr.arr_loadtxt(file, Int64(sizeof(file)), Ref(options), Ref(Device(device)), stream(), out)
    end
    adopt(out[])
end

"""
    Arr.savetxt(path, a; format = "%.18e", delimiter = " ")

Writes a vector or a matrix as text, with a line per row, as `numpy.savetxt` does. `format` is printf's; `"%s"` writes the
shortest text that is read as the same number.
"""
function savetxt(path::AbstractString, a::AnyArr; format::AbstractString = "%.18e", delimiter::AbstractString = " ")
    file, how, by = String(path), String(format), String(delimiter)
    GC.@preserve how by begin
        options = LibArr.arr_savetxt_options(sizeof(LibArr.arr_savetxt_options), pointer(how), pointer(by), C_NULL, C_NULL,
                                             C_NULL, C_NULL)
        @check LibArr.arr_savetxt(a, file, Int64(sizeof(file)), Ref(options), stream())
    end
end
