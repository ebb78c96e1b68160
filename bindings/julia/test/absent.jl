# SPDX-License-Identifier: MIT
# absent.jl: the package without the library: it loads, and the first call is a typed error that tells what was tried.

program = """
    using Arr
    Arr.LibArr.available() && exit(2)
    functional("CUDA") && exit(3)
    try
        ArrArray([1, 2, 3])
        exit(4)
    catch e
        e isa Arr.LibraryError || exit(5)
        print(sprint(showerror, e))
    end
    print(" ", cpu_device()([1, 2]))
    """
julia = Base.julia_cmd()
project = dirname(Base.active_project())
run_without(path) = read(setenv(`$julia --startup-file=no --project=$project -e $program`,
                                merge(Dict(ENV), Dict("ARR_LIBRARY" => path))), String)

text = run_without("/nowhere/libarr.so.0")
@test occursin("/nowhere/libarr.so.0", text)
@test occursin("ARR_LIBRARY", text)
@test endswith(text, "[1, 2]")

# A library that is not ours is refused, not called.
other = first(filter(p -> occursin("libm", basename(p)), LibArr.Libdl.dllist()))
@test occursin("arr_check_abi", run_without(other))
