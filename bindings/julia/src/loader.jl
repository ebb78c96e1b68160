# SPDX-License-Identifier: MIT
# loader.jl: finds libarr when its first function is called, so that the package loads where it is absent.
import Libdl

"""
    LibraryError

The C library could not be used; `tried` names where it was searched for and what the loader said.
"""
struct LibraryError <: Exception
    tried::Vector{String}
end

Base.showerror(io::IO, e::LibraryError) =
    print(io, "libarr is not available (set ARR_LIBRARY to its path); tried: ", join(e.tried, "; "))

const LIBRARY = Ref{Ptr{Cvoid}}(C_NULL)
const LOADING = ReentrantLock()

"""
    candidates()

Returns the paths at which libarr is searched for: the file that ARR_LIBRARY names, and nothing else then; or the
library with which the package was installed (a file `library` in the package names its directory); or that of libarr_jll,
if the program has loaded that package; or the artifact of this platform, if the package has an Artifacts.toml and Pkg
has downloaded it; or the loader's own path.
"""
function candidates()
    path = get(ENV, "ARR_LIBRARY", "")
    isempty(path) || return [path]
    package = dirname(@__DIR__)
    told = joinpath(package, "library")
    installed = isfile(told) ? [normpath(joinpath(package, strip(read(told, String))))] : String[]
    vcat(installed, of_jll(), of_artifact(joinpath(package, "Artifacts.toml")), ["libarr.so.0", "libarr.so"])
end

function of_jll()
    for (id, package) in Base.loaded_modules
        id.name == "libarr_jll" && package.libarr_path isa String && return [package.libarr_path]
    end
    String[]
end

# Read here, because Julia 1.5 has no package for it but Pkg, which takes a second to load.
function of_artifact(file)
    isfile(file) || return String[]
    for entry in Iterators.drop(split(read(file, String), "[[libarr]]"), 1)
        own = first(split(entry, "[["))
        fields = Dict(m[1] => m[2] for m in eachmatch(r"^\s*([\w-]+)\s*=\s*\"([^\"]*)\""m, own))
        get(fields, "arch", "") == string(Sys.ARCH) && get(fields, "os", "") == "linux" || continue
        for depot in DEPOT_PATH
            path = joinpath(depot, "artifacts", get(fields, "git-tree-sha1", "-"), "lib", "libarr.so.0")
            isfile(path) && return [path]
        end
    end
    String[]
end

"""
    library()

Returns the library's handle for `Libdl`; loads it on the first call, or throws a [`LibraryError`](@ref).
"""
library() = LIBRARY[] == C_NULL ? load() : LIBRARY[]

function load()
    lock(LOADING) do
        LIBRARY[] == C_NULL || return LIBRARY[]
        tried = String[]
        for path in candidates()
            handle = try
                Libdl.dlopen(path, Libdl.RTLD_LAZY | Libdl.RTLD_LOCAL)
            catch e
                push!(tried, replace(sprint(showerror, e), "\n" => ": "))
                continue
            end
            problem = abi_problem(handle, path)
            problem === nothing && return LIBRARY[] = handle
            Libdl.dlclose(handle)
            push!(tried, problem)
        end
        throw(LibraryError(tried))
    end
end

"""Returns why a library does not match these declarations, or nothing."""
function abi_problem(handle, path)
    check = Libdl.dlsym(handle, :arr_check_abi; throw_error = false)
    check === nothing && return "$path: no function arr_check_abi"
    ccall(check, Int32, (Int32,), ARR_VERSION) == ARR_OK && return nothing
    text = Libdl.dlsym(handle, :arr_last_error; throw_error = false)
    text === nothing ? "$path: another version" : string(path, ": ", unsafe_string(ccall(text, Cstring, ())))
end

"""Looks a function up and keeps its address; the slow path of every call in generated.jl."""
function bind!(slot::Ref{Ptr{Cvoid}}, name::Symbol)
    address = Libdl.dlsym(library(), name; throw_error = false)
    address === nothing && throw(LibraryError(["the library that was loaded has no function $name"]))
    slot[] = address
end

"""
    available()

True if the library can be loaded.
"""
available() =
    try
        library() != C_NULL
    catch e
        e isa LibraryError || rethrow()
        false
    end
