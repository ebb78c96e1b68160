# SPDX-License-Identifier: MIT
# words.jl: the library's texts in Julia's words. They name functions of the C API and count dimensions from 0; a user of Julia
# has called `a \ b`, not arr_solve, with dimensions from 1.

# The names that a user calls, and the functions of the C API that compute them under another name. The test of names checks
# that the list is complete: functions that are not here have their name in Base, a standard library or this package.
const WORDS = Dict{String,String}()
for (julia, names) in (
    "ArrArray" => "create from_host eye to_device retain release", "Array" => "get", "copyto!" => "set assign copyto", "pointer" => "data",
    "size" => "shape", "ndims" => "ndim", "eltype" => "array_dtype", "Arr.device" => "array_device", "Arr.isreadonly" => "array_flags",
    "Arr.fill" => "full", "Arr.pitched" => "create_pitched", "unsafe_wrap" => "wrap", "broadcast" => "expr_run expr_run_many expr_create " *
        "expr_cast expr_constant expr_input expr_index expr_op expr_release expr_gather op_find kind_find broadcast_to",
    "Arr.expression" => "expr_parse expr_var expr_nvars", "mapreduce" => "expr_reduce reduction_find",
    "accumulate" => "expr_scan", "Arr.program" => "expr_describe",
    "getindex" => "compress extract get_items item take", "setindex!" => "set_items put", "Arr.update!" => "update_items",
    "findall" => "flatnonzero nonzero", "Arr.findall!" => "flatnonzero_sized", "view" => "slice squeeze",
    "transpose" => "expand_dims", "reverse" => "flip", "PermutedDimsArray" => "transpose", "cat" => "concatenate",
    "maximum" => "max", "minimum" => "min", "findmax" => "argmax", "findmin" => "argmin", "count" => "count_nonzero",
    "*" => "matmul inner", "\\" => "solve solve_triangular lstsq lu_solve", "^" => "matrix_power", "lu" => "lu_factor", "eigen" => "eig eigh",
    "eigvals" => "eigvalsh", "logabsdet" => "slogdet", "opnorm" => "matrix_norm", "exp" => "expm", "diag" => "diagonal",
    "tr" => "trace", "cor" => "corrcoef", "Arr.conv" => "convolve", "sortperm" => "argsort", "sortslices" => "lexsort", "in" => "isin",
    "Arr.digitize" => "searchsorted", "partialsort" => "take_along_axis", "Arr.conj" => "conjugate",
    "Arr.fft" => "fftn", "Arr.ifft" => "ifftn", "Arr.rfft" => "rfftn", "Arr.irfft" => "irfftn", "Arr.dct" => "dctn", "Arr.idct" => "idctn",
    "Arr.dst" => "dstn", "Arr.idst" => "idstn", "Arr.ihfft" => "ihfft ihfftn", "Arr.plan_fft" => "fft_plan_create fft_plan_execute " *
        "fft_plan_info fft_plan_release", "Arr.fft_effort!" => "fft_plan_effort", "Arr.fft_cache" => "fft_cache_clear fft_cache_info fft_cache_limit",
    "Arr.import_fft_wisdom" => "fft_wisdom_import", "Arr.forget_fft_wisdom" => "fft_wisdom_forget",
    "rand!" => "random_integers random_random random_uniform", "randn!" => "random_normal random_standard_normal", "shuffle!" => "random_shuffle",
    "Arr.Generator" => "generator_create_of generator_release", "Arr.seed!" => "generator_seed", "Arr.advance!" => "generator_advance",
    "Arr.jumped" => "generator_jumped", "Arr.spawn" => "generator_spawn", "Arr.state" => "generator_get_state generator_set_state",
    "Arr.load" => "load_npy load_npz", "Arr.save" => "save_npy", "Arr.to_dlpack" => "to_dlpack_legacy", "Arr.from_dlpack" => "from_dlpack_legacy",
    "Arr.fuse" => "fuse_begin fuse_end", "Arr.fuse_automatic!" => "fuse_set_automatic",
    "Arr.RawKernel" => "launch_raw_options kernel_release", "Arr.attribute" => "kernel_attribute", "Arr.attribute!" => "kernel_set_attribute",
    "Arr.block_size" => "kernel_block_size", "Arr.occupancy" => "kernel_occupancy",
    "Arr.load_module" => "module_create module_kernel module_load module_log module_release", "Arr.load_module_file" => "module_load_file",
    "Arr.link_modules" => "module_link", "Arr.module_global" => "module_global_array",
    "Arr.ElementwiseKernel" => "elementwise_kernel elementwise_kernel_run user_kernel_release", "Arr.source" => "user_kernel_source",
    "Arr.ReductionKernel" => "reduction_kernel reduction_kernel_run",
    "Arr.Stream" => "stream_create_priority stream_device stream_native stream_query stream_release stream_wait_event stream_wait_stream",
    "wait" => "stream_sync event_sync", "Arr.wrap_stream" => "stream_wrap", "Arr.details" => "stream_details", "Arr.priority_range" => "stream_priority_range",
    "Arr.Event" => "event_create event_elapsed event_query event_record event_release", "synchronize" => "device_sync",
    "Arr.capture" => "graph_begin graph_end graph_native graph_release graph_upload", "Arr.launch" => "graph_launch",
    "Arr.update!" => "graph_update", "Arr.write_dot" => "graph_dot",
    "Arr.DistSparse" => "dist_sparse_create dist_sparse_release", "*" => "dist_sparse_matmul", "mul!" => "dist_sparse_matmul_into",
    "Arr.LinearOperator" => "linop_from_dist_sparse",
    "Arr.local_comms" => "comm_local comm_release", "Arr.mpi_comm" => "comm_mpi comm_from_mpi", "Arr.mpi_library" => "comm_mpi_library", "Arr.nccl_id" => "comm_nccl_id comm_nccl_id_file comm_nccl_id_tcp", "Arr.nccl_comm" => "comm_nccl comm_nccl_with", "Arr.comm_timeout!" => "comm_set_timeout", "Arr.comm_reduce!" => "comm_reduce",
    "Arr.comm_group" => "comm_group_begin comm_group_start comm_group_query comm_group_end", "Arr.comm_broadcast!" => "comm_broadcast",
    "Arr.all_reduce!" => "comm_all_reduce", "Arr.all_gather!" => "comm_all_gather", "Arr.comm_gather!" => "comm_gather",
    "Arr.comm_scatter!" => "comm_scatter", "Arr.reduce_scatter!" => "comm_reduce_scatter", "Arr.all_to_all!" => "comm_all_to_all",
    "Arr.comm_recv!" => "comm_recv", "Arr.sparse_broadcast" => "comm_sparse_broadcast", "Arr.sparse_all_to_all" => "comm_sparse_all_to_all", "Arr.sparse_all_reduce" => "comm_sparse_reduce",
    "Arr.sparse_send" => "comm_sparse_send", "Arr.sparse_recv" => "comm_sparse_recv", "Arr.comm_send_recv!" => "comm_send_recv", "Arr.exchange_halo!" => "comm_exchange_halo",
    "Arr.decomposition" => "decomposition_create decomposition_counts decomposition_owners decomposition_release dist_decomposition",
    "size" => "decomposition_shape", "Arr.indices" => "decomposition_indices", "Arr.DistArray" => "dist_scatter dist_from_part dist_release",
    "Arr.zeros" => "dist_create", "eltype" => "dist_dtype", "Arr.gather" => "dist_gather", "Arr.localpart" => "dist_part",
    "Arr.localmemory" => "dist_memory", "Arr.exchange!" => "dist_exchange dist_exchange_begin dist_exchange_end", "copyto!" => "dist_assign",
    "Arr.redistribute" => "dist_redistribute", "permutedims" => "dist_transpose", "view" => "dist_slice", "broadcast" => "dist_expr_run",
    "Arr.dist_evaluate" => "dist_evaluate", "mapreduce" => "dist_reduce", "accumulate" => "dist_accumulate", "*" => "dist_matmul",
    "Arr.fft" => "dist_fftn", "Arr.rfft" => "dist_rfftn", "Arr.irfft" => "dist_irfftn", "sort" => "dist_sort", "Arr.rand" => "dist_random_draw",
    "Arr.load" => "dist_load_npy", "Arr.save" => "dist_save_npy",
    "Arr.texture" => "texture_create texture_of_array texture_release", "Arr.surface" => "surface_create",
    "Arr.Texels" => "texels_copy_from texels_copy_to texels_create texels_release",
    "HostArray" => "pinned_create pinned_device_data pinned_register pinned_unregister", "Arr.ispinned" => "is_pinned",
    "Arr.trim_pinned" => "pinned_trim", "Arr.pinned_allocator!" => "pinned_set_allocator_functions", "Arr.ismanaged" => "is_managed",
    "Arr.select_device" => "device_select", "Arr.pci_bus_id" => "device_pci", "Arr.device_limit!" => "device_set_limit",
    "Arr.backend_report" => "backend_probe", "Arr.ipc_export" => "ipc_export_event", "Arr.ipc_import" => "ipc_import_event",
    "Arr.allocator" => "memory_allocator", "Arr.allocator!" => "memory_set_allocator memory_set_allocator_functions",
    "Arr.advise!" => "memory_advise", "Arr.prefetch!" => "memory_prefetch", "Arr.unsafe_copy_bytes!" => "memory_copy",
    "Arr.unsafe_set_bytes!" => "memory_set", "Arr.memory_limit!" => "memory_limit_fraction", "Arr.trim_memory" => "memory_trim",
    "Arr.pool_info" => "memory_pool_info", "Arr.pool_classes" => "memory_pool_classes", "Arr.reset_peak_memory!" => "memory_reset_peak",
    "Arr.memory_hook" => "memory_hook_add memory_hook_remove", "Arr.memory_debug" => "memory_hook_debug",
    "Arr.memory_profile" => "memory_hook_profile memory_profile_report", "Arr.trace" => "trace_begin trace_end", "Arr.mark" => "mark_color",
    "Arr.ranged" => "range_pop range_push range_push_color", "Arr.start_range" => "range_start", "Arr.end_range" => "range_end",
    "Arr.profiled" => "profiler_start profiler_stop", "Arr.log!" => "log_set",
    "Arr.sparse" => "sparse_coo sparse_convert sparse_from_dense", "Arr.SparseMatrix" => "sparse_csc sparse_csr sparse_eye sparse_astype sparse_release",
    "Arr.spdiagm" => "sparse_diags", "Arr.nnz" => "sparse_info", "Arr.sum_duplicates" => "sparse_sum_duplicates", "Arr.nonzeros" => "sparse_part", "Arr.iscanonical" => "sparse_is_canonical",
    "Array" => "sparse_to_dense", "Arr.dropzeros" => "sparse_eliminate_zeros", "transpose" => "sparse_transpose",
    "*" => "sparse_matmul sparse_rmatmul sparse_product", "broadcast" => "sparse_unary sparse_binary sparse_scale", "mapreduce" => "sparse_reduce",
    "Arr.dia_parts" => "sparse_to_dia", "Arr.bsr_parts" => "sparse_to_bsr", "copy" => "sparse_with_data", "mul!" => "sparse_matmul_into",
    "getindex" => "sparse_get_items sparse_elements", "setindex" => "sparse_with_items sparse_with_elements",
    "lu" => "sparse_lu sparse_factor_info sparse_factor_parts sparse_factor_release", "lu!" => "sparse_refactor", "Arr.ilu0" => "sparse_ilu0",
    "Arr.ic0" => "sparse_ic0", "Arr.ilut" => "sparse_ilut", "logabsdet" => "sparse_factor_slogdet", "\\" => "sparse_factor_solve sparse_solve sparse_solve_triangular",
    "argmax" => "sparse_argmax", "argmin" => "sparse_argmin", "Arr.save_npz" => "sparse_save_npz", "Arr.load_npz" => "sparse_load_npz", "Arr.save_mtx" => "sparse_save_mtx", "Arr.load_mtx" => "sparse_load_mtx", "Arr.sprand" => "sparse_random",
    "cholesky" => "sparse_cholesky", "ldlt" => "sparse_ldl", "\\" => "sparse_solve_sparse sparse_factor_solve_sparse", "Arr.semiring_product" => "sparse_semiring_matmul sparse_semiring_product",
    "Arr.sampled_product" => "sparse_sampled_matmul", "Arr.product" => "sparse_matmul_expr",
    "Arr.SparseArray" => "sparse_coo_nd", "Arr.sparse_coords" => "sparse_coords", "permutedims" => "sparse_permute_dims", "size" => "sparse_shape",
    "sum" => "sparse_reduce_axes", "Arr.tensordot" => "sparse_tensordot", "reshape" => "sparse_reshape_nd", "cat" => "sparse_concatenate_nd",
    "stack" => "sparse_stack", "getindex" => "sparse_get_items_nd", "setindex" => "sparse_with_items_nd",
    "opnorm" => "sparse_norm", "cat" => "sparse_concatenate", "hvcat" => "sparse_block", "Arr.blockdiag" => "sparse_block_diag", "kron" => "sparse_kron",
    ("Arr.$f" => "csgraph_$f" for f in (:connected_components, :breadth_first_order, :depth_first_order, :shortest_path, :minimum_spanning_tree, :laplacian, :reverse_cuthill_mckee, :pagerank))...,
    "Arr.kronsum" => "sparse_kronsum", "^" => "sparse_matrix_power", "tril" => "sparse_tril", "triu" => "sparse_triu",
    "diag" => "sparse_diagonal", "reshape" => "sparse_reshape", "Arr.with_diagonal" => "sparse_with_diagonal",
    "Arr.LinearOperator" => "linop_from_sparse linop_from_dense linop_from_function linop_diagonal linop_identity linop_info linop_release",
    "*" => "linop_apply linop_product linop_scaled", "+" => "linop_sum", "^" => "linop_power", "adjoint" => "linop_adjoint",
    "transpose" => "linop_transpose", "Arr.jacobi" => "linop_jacobi", "Arr.multigrid" => "linop_multigrid", "Arr.Preconditioner" => "linop_from_factor",
    ("Arr.$f" => "$f" for f in (:eigs, :eigsh, :svds, :lobpcg, :expm_multiply))..., "Arr.opnorm1est" => "onenormest",
    ("Arr.$f" => "solve_$f" for f in (:cg, :cgs, :bicgstab, :gmres, :minres, :tfqmr, :lgmres, :lsqr, :lsmr))...)
    for name in split(names)
        WORDS[name] = julia
    end
end

# The name in Julia of a function of the C API, without arr_ and _into.
function julia_words(name::AbstractString)
    haskey(WORDS, name) && return WORDS[name]
    s = Symbol(name)
    if startswith(name, "random_")
        s = Symbol(name[8:end], "!")
        return isdefined(@__MODULE__, s) ? "Arr.$s" : "Arr.draw!"
    end
    s = get(JULIA_NAMES, s, s)
    any(m -> isdefined(m, s), (Base, LinearAlgebra, Statistics, Random)) ? string(s) :
        isdefined(@__MODULE__, s) ? "Arr.$s" : isdefined(@__MODULE__, Symbol(s, "!")) ? "Arr.$(s)!" : "arr_" * name
end

# "arr_softmax: argument axes: axis 1 of an array with 1 dimensions" becomes
# "Arr.softmax: argument dims: dimension 2 of an array with 1 dimensions".
function in_julia_words(text::String)
    m = match(r"expected a live ([\w ]+) handle", text)
    m === nothing || return "the $(m[1]) was freed, by unsafe_free! or at the end of a block of devices()"
    m = match(r"^arr_(\w+?)(_into)?: (.*)$"s, text)
    m === nothing && return text
    rest = replace(m[3], r"^argument ax[ei]s: " => "argument dims: ")
    rest = replace(rest, r"\baxis \d+\b" => s -> string("dimension ", parse(Int, s[6:end]) + 1))
    rest = replace(rest, r"\bargs\[\d+\]" => s -> string(parse(Int, s[6:end-1]) + 1))
    rest = replace(rest, r"(pivot|singular: element|at position) \d+\b" => s -> replace(s, r"\d+$" => n -> string(parse(Int, n) + 1)))
    full = m[2] === nothing ? m[1] : m[1] * m[2]
    string(julia_words(haskey(WORDS, full) ? full : m[1]), ": ", startswith(m[1], "sparse_") ? sparse_words(m[1], m[3], rest) : solver_words(rest))
end

# The options of solvers and the functions of operators under their names here.
const SOLVER_WORDS = ("argument options: rtol " => "reltol ", "argument options: atol " => "abstol ", "argument options: m " => "Pl ",
    "the function matvec of the operator" => "the function of the operator", "the function rmatvec of" => "the adjoint of",
    "has no function rmatvec, hence no adjoint" => "has no adjoint")
solver_words(text) = foldl(replace, SOLVER_WORDS; init = text)

# All numbers of messages about the parts of a sparse matrix are indices, which count from 1 here.
function sparse_words(name, text, rest)
    if name in ("sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr") && occursin(" at position ", text)
        rest = replace(text, "expected the number of" => "expected one more than the number of")
        rest = replace(rest, r"-?\d+" => s -> string(parse(Int, s) + 1))
    end
    rest = replace(rest, r"index \d+ along (?=dimension \d+ of extent \d+, expected 0 to)" => s -> string("index ", parse(UInt64, split(s)[2]) + 1, " along "))
    rest = replace(rest, r"expected 0 to \d+" => s -> string("expected 1 to ", parse(Int, split(s)[4]) + 1))
    rest = replace(rest, r"(is singular: row|of column|: column) \d+" => s -> replace(s, r"\d+$" => n -> string(parse(Int, n) + 1)))
    rest = replace(rest, r"element \d+ of its diagonal" => s -> string("element ", parse(Int, split(s)[2]) + 1, " of its diagonal"))
    for (argument, julia) in (name == "sparse_coo" ? ("row" => "I", "col" => "J", "data" => "V") : ())
        rest = replace(rest, "argument $argument:" => "argument $julia:")
    end
    replace(rest, "arr_sparse_to_dense" => "ArrArray")
end
