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

# The library of libarr_jll, of which a package with its one constant stands in.
mktempdir() do folder
    mkpath(joinpath(folder, "libarr_jll", "src"))
    write(joinpath(folder, "libarr_jll", "Project.toml"),
          "name = \"libarr_jll\"\nuuid = \"5c1d6b1e-8a1f-4b7e-9c39-0f4a2b7d5e11\"\nversion = \"0.1.0\"\n")
    write(joinpath(folder, "libarr_jll", "src", "libarr_jll.jl"),
          "module libarr_jll\nconst libarr_path = $(repr(ENV["ARR_LIBRARY"]))\nend\n")
    found = "using libarr_jll, Arr; print(Arr.LibArr.available(), ' ', Arr.LibArr.candidates()[1])"
    path = join([folder, get(ENV, "JULIA_LOAD_PATH", "@:@stdlib")], ":")
    without = filter(p -> p.first != "ARR_LIBRARY", merge(Dict(ENV), Dict("JULIA_LOAD_PATH" => path)))
    text = read(setenv(`$julia --startup-file=no --project=$project -e $found`, without), String)
    @test text == "true $(ENV["ARR_LIBRARY"])"
end
