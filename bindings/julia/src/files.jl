# SPDX-License-Identifier: MIT
# files.jl: .npy files.

"""
    Arr.load(path; device)

The array in a .npy file, with the file's shape. One in Fortran order is an [`ArrArray`](@ref); one in C
order, as NumPy writes by default, an [`ArrStrided`](@ref), of which `transpose` is column-major.
"""
function load(path::AbstractString; device::Place = device())
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
