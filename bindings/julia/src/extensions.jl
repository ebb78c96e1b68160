# SPDX-License-Identifier: MIT
# extensions.jl: loads the files of ext/ when the packages that they are for are loaded, where Julia does not do it itself.
#
# From Julia 1.9 on a package says in its Project.toml which of its modules belong to which other packages. Older versions
# call back after each package that they load.

const PROJECT = joinpath(dirname(@__DIR__), "Project.toml")
include_dependency(PROJECT)

# The lines `key = value` of a section of a TOML file; these are all on one line.
function toml_section(text, name)
    body = match(Regex("^\\[$name\\]\\n(.*?)(?=^\\[|\\z)", "ms"), text)
    body === nothing ? Pair{String,String}[] : [m[1] => m[2] for m in eachmatch(r"^(\w+)\s*=\s*(.+)$"m, body[1])]
end
quoted(text) = [String(m[1]) for m in eachmatch(r"\"([^\"]*)\"", text)]

"""The packages that each file of ext/ needs."""
const EXTENSIONS = let text = read(PROJECT, String)
    ids = Dict(name => Base.PkgId(Base.UUID(only(quoted(uuid))), name) for (name, uuid) in toml_section(text, "weakdeps"))
    [Symbol(name) => [ids[package] for package in quoted(packages)] for (name, packages) in toml_section(text, "extensions")]
end

function load_extensions(loaded::Base.PkgId)
    for (name, packages) in EXTENSIONS
        loaded in packages && !isdefined(@__MODULE__, name) && all(p -> haskey(Base.loaded_modules, p), packages) || continue
        try
            load_extension(name, packages)
        catch e
            @error "Arr does not work with $loaded: its extension $name cannot be loaded" exception = (e, catch_backtrace())
        end
    end
end

# Its file names the packages as modules of this one.
function load_extension(name, packages)
    for p in packages
        isdefined(@__MODULE__, Symbol(p.name)) || Core.eval(@__MODULE__, :(const $(Symbol(p.name)) = $(Base.loaded_modules[p])))
    end
    Base.include(@__MODULE__, joinpath(dirname(PROJECT), "ext", string(name, ".jl")))
end

# Nothing may be added to a module while another package is compiled; this runs again when that is used.
compiling() = ccall(:jl_generating_output, Cint, ()) != 0

function __init__()
    Base.Experimental.register_error_hint(hint, MethodError)
    (isdefined(Base, :get_extension) || compiling()) && return
    push!(Base.package_callbacks, load_extensions)
    foreach(load_extensions, collect(keys(Base.loaded_modules)))
end
