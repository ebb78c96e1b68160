# SPDX-License-Identifier: MIT
# make_artifact.jl PREFIX URL OUT - makes the library below PREFIX, where `cmake --install` has put it, an artifact of
# Julia: OUT/libarr.tar.gz, which is to be served at URL, and its entry for this platform in OUT/Artifacts.toml. With that
# file in the package Arr, `Pkg.add` downloads the library, and Arr opens it.
import Pkg
using Pkg.Artifacts: archive_artifact, bind_artifact!, create_artifact

function main(prefix, url, out)
    isfile(joinpath(prefix, "lib", "libarr.so.0")) || error("no $prefix/lib/libarr.so.0: install with CMAKE_INSTALL_LIBDIR=lib")
    hash = create_artifact() do folder
        mkpath(joinpath(folder, "lib"))
        for name in readdir(joinpath(prefix, "lib"))
            startswith(name, r"libarr\.so|arr-\d") || continue
            cp(joinpath(prefix, "lib", name), joinpath(folder, "lib", name); follow_symlinks = false)
        end
    end
    mkpath(out)
    sum = archive_artifact(hash, joinpath(out, "libarr.tar.gz"))
    # The processor and the system are enough: the interface of the library is C.
    platform = if VERSION < v"1.6"
        Pkg.BinaryPlatforms.Linux(Sys.ARCH; libc = :glibc)
    else
        Base.BinaryPlatforms.Platform(string(Sys.ARCH), "linux"; libc = "glibc")
    end
    bind_artifact!(joinpath(out, "Artifacts.toml"), "libarr", hash; platform = platform, download_info = [(url, sum)],
                   force = true)
    println(bytes2hex(hash.bytes))
end

main(ARGS...)
