# SPDX-License-Identifier: MIT
# absent.jl: the package without the library: it loads, and the first call is a typed error that names what was tried.

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

# The artifact that bindings/recipes/julia/make_artifact.jl makes of an installed library, in a separate depot.
mktempdir() do folder
    prefix, depot, out = joinpath.(folder, ("prefix", "depot", "out"))
    mkpath(joinpath(prefix, "lib"))
    cp(realpath(ENV["ARR_LIBRARY"]), joinpath(prefix, "lib", "libarr.so.0"))
    script = joinpath(@__DIR__, "..", "..", "recipes", "julia", "make_artifact.jl")
    alone = merge(Dict(ENV), Dict("JULIA_DEPOT_PATH" => depot))
    url = "https://example.org/libarr.tar.gz"
    hash = strip(read(setenv(`$julia --startup-file=no $script $prefix $url $out`, alone), String))
    @test isfile(joinpath(out, "libarr.tar.gz"))
    list = joinpath(out, "Artifacts.toml")
    @test occursin(url, read(list, String))
    @test isempty(LibArr.of_artifact(list))  # not downloaded
    push!(DEPOT_PATH, depot)
    try
        path = joinpath(depot, "artifacts", hash, "lib", "libarr.so.0")
        @test LibArr.of_artifact(list) == [path]
        @test LibArr.abi_problem(LibArr.Libdl.dlopen(path), path) === nothing
        other = joinpath(folder, "Artifacts.toml")
        write(other, replace(read(list, String), "arch = \"$(Sys.ARCH)\"" => "arch = \"riscv64\""))
        @test isempty(LibArr.of_artifact(other))
        @test isempty(LibArr.of_artifact(joinpath(folder, "none.toml")))
    finally
        pop!(DEPOT_PATH)
    end
end
