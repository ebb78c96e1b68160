# SPDX-License-Identifier: MIT
# Arr.jl: arrays on GPUs and on the host; LibArr is the C API below.
module Arr

# Loops run in the library; here LLVM's first level halves the time of first calls.
Base.Experimental.@optlevel 1

using LinearAlgebra
using LinearAlgebra: UniformScaling
import Random
import Serialization
import SparseArrays
import Statistics

include("LibArr.jl")
using .LibArr: LibraryError

include("errors.jl")
include("types.jl")
include("state.jl")
include("array.jl")
include("transfer.jl")
include("indexing.jl")
include("trace.jl")
include("words.jl")
include("semantics.jl")
include("complex.jl")
include("numbers.jl")
include("interpret.jl")
include("branches.jl")
include("plans.jl")
include("broadcast.jl")
include("tuples.jl")
include("reduce.jl")
include("linalg.jl")
include("collections.jl")
include("scan.jl")
include("show.jl")
include("streams.jl")
include("kernels.jl")
include("textures.jl")
include("profile.jl")
include("graphs.jl")
include("calculus.jl")
include("solvers.jl")
include("factorizations.jl")
include("rows.jl")
include("fft.jl")
include("fft_grid.jl")
include("fft_plans.jl")
include("statistics.jl")
include("numeric.jl")
include("dtypes.jl")
include("polynomials.jl")
include("masks.jl")
include("selections.jl")
include("finding.jl")
include("sized.jl")
include("special_matrices.jl")
include("joining.jl")
include("structured.jl")
include("wrapped.jl")
include("matrices.jl")
include("histogram.jl")
include("search.jl")
include("sort.jl")
include("sets.jl")
include("random.jl")
include("random_vectors.jl")
include("expressions.jl")
include("fuse.jl")
include("user_kernels.jl")
include("files.jl")
include("dlpack.jl")
include("mldevices.jl")
include("scope.jl")
include("memory.jl")
include("libraries.jl")
include("serialize.jl")
include("functions.jl")
include("comm.jl")
include("dist.jl")
include("dist_math.jl")
include("sparse.jl")
include("comm_sparse.jl")
include("sparse_math.jl")
include("sparse_blocks.jl")
include("sparse_indexing.jl")
include("sparse_joining.jl")
include("sparse_arrays.jl")
include("linear_operators.jl")
include("dist_sparse.jl")
include("iterative.jl")
include("spectra.jl")
include("sparse_factor.jl")
include("sparse_graph.jl")
include("hints.jl")
include("extensions.jl")
include("precompile.jl")

export ArrArray, ArrRow, ArrSelection, ArrStrided, ArrTuples, BFloat16, HostArray, allowscalar, @allowscalar, unsafe_free!, synchronize, devices,
    cpu_device, gpu_device, functional, supported_gpu_backends, gpu_backend!, reset_gpu_device!

end
