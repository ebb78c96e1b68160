# SPDX-License-Identifier: MIT
"""memory_table.py - for every public function the suite in which each of its allocations fails, by short_of_memory.py,
or the reason why it has none. It compares itself with bindings/api.json.

A function's header says its suite: HEADERS, else a suite of the header's name, else memory_families, which calls every
function that the tables of core/table make. EXCEPTIONS are in another suite, NOTHING asks for no memory. A suite fails
where a function of its own never failed in it, and where one did that has no allocations. "memory_..." are the suites
that are for this alone.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
API = HERE.parents[1] / "bindings" / "api.json"
# Suite -> headers whose functions fail in it. On the host; NAME.cuda over the fake CUDA.
HEADERS = {
    "arrays": "array base creation",
    "convolve": "signal",
    "dtypes": "dtype",
    "expression_reductions": "expr_reductions",
    "expressions": "expr",
    "fft_plans": "fft_plan",
    "fuse_cases": "fuse",
    "histograms": "histogram",
    "iterative_solvers": "iterative",
    "least_squares": "solvers",
    "memory_handles": "device dlpack graph io ipc library log managed memory pinned stream",
    "memory_kernels": "cache kernel module user_kernel",
    "polynomials": "polynomial",
    "profile_ranges": "profile",
    "selections": "indexing",
    "textures": "texture",
    "ufuncs": "numeric ufunc",
    "vectors": "linalg",
    "views": "memory_views",
}
# Suite -> functions without their arr_ that fail there and not in the suite of their header.
EXCEPTIONS = {
    "arrays": """
        assign broadcast_to expr_input expr_op expr_run fill transpose""",
    "block": """
        block repeat_counts""",
    "pad": """
        pad""",
    "captures": """
        stream_wait_event stream_wait_stream""",
    "covariance": """
        average_returned corrcoef cov""",
    "cuda_array_interface.cuda": """
        from_cuda_array_interface to_cuda_array_interface""",
    "destinations": """
        cov_into diff_into expr_run_many_into expr_scan_into gradient_into median_into nanmedian_into nanpercentile_into
        nanquantile_into percentile_into quantile_into trapezoid_into ufunc_outer_into""",
    "dtypes": """
        op_types struct_layout ufunc wrap""",
    "eigenvalues": """
        eigsh lobpcg svds""",
    "einsum": """
        einsum_path einsum_with""",
    "solve": """
        cho_solve det inv lu_solve slogdet solve solve_triangular""",
    "fft_cache": """
        fft_cache_drop fft_cache_info fft_cache_plans""",
    "fft_efforts": """
        fft_plan_effort fft_wisdom fft_wisdom_import""",
    "fft_fused": """
        expand_dims fft_plan_execute_fused set""",
    "fftconvolve": """
        fftconvolve oaconvolve""",
    "gather_programs": """
        expr_gather""",
    "insert_delete": """
        copyto delete delete_slice insert insert_at insert_slice trim_zeros""",
    "indexing": """
        get_items set_items update_items""",
    "least_squares": """
        cond""",
    "iterative_least_squares": """
        solve_lsmr solve_lsqr""",
    "linear_operators": """
        linop_adjoint linop_apply linop_diagonal linop_from_dense linop_from_function linop_from_sparse linop_identity
        linop_info linop_jacobi linop_power linop_product linop_scaled linop_sum linop_transpose""",
    "matrix_functions": """
        polar schur""",
    "memory_families": """
        bincount from_host get matmul_into ufunc_accumulate ufunc_accumulate_into ufunc_at ufunc_reduceat
        ufunc_reduceat_into""",
    "memory_handles": """
        benchmark build_info cache_set_store contiguous create create_pitched empty_like error_take fft_cache_limit fft_wisdom_forget
        format full_like fuse_end ones_like print squeeze texels_create texture_create trace_end zeros_like""",
    "memory_handles.cuda": """
        device_count device_info device_pci device_uuid graph_release memory_trim texels_release texture_release""",
    "memory_kernels": """
        expr_create expr_index expr_run_into""",
    "memory_kernels.cuda": """
        module_release user_kernel_release""",
    "npz_numpy": """
        load_npz npz_names savez""",
    "packbits": """
        packbits real_if_close unpackbits""",
    "polynomial_fits": """
        polyfit polyfit_cov polyfit_full""",
    "products": """
        diagonal matmul matrix_transpose""",
    "programs": """
        expr_cast expr_constant""",
    "random_numbers": """
        generator_create_of generator_get_state generator_seed generator_spawn""",
    "reduction_options": """
        average ufunc_reduce vector_norm""",
    "rounding": """
        nan_to_num nan_to_num_into nan_to_num_with round round_into""",
    "nonzero_sized": """
        argwhere_sized compress_sized extract_sized flatnonzero_sized nonzero_sized""",
    "softmax": """
        log_softmax logsumexp_signed logsumexp_weighted softmax""",
    "sylvester": """
        solve_continuous_lyapunov solve_discrete_lyapunov solve_sylvester""",
    "text_files": """
        fromfile fromstring genfromtxt loadtxt savetxt tofile""",
    "textures": """
        flip""",
    "ufuncs": """
        divmod frexp modf""",
    "sparse_files": """
        sparse_load_mtx sparse_load_npz sparse_save_mtx sparse_save_npz""",
    "sparse_random": """
        sparse_format sparse_random""",
    "sparse_blocks": """
        sparse_bsr sparse_dia sparse_to_bsr sparse_to_dia""",
    "general_eigenvalues": """
        eigs""",
    "multigrid": """
        linop_multigrid""",
    "operator_functions": """
        expm_multiply onenormest""",
    "sparse_items": """
        sparse_elements sparse_get_items sparse_matmul_into sparse_with_data sparse_with_elements sparse_with_items""",
    "sparse_math": """
        sparse_binary sparse_norm sparse_reduce sparse_scale sparse_unary""",
    "sparse_matmul_expr": """
        sparse_matmul_expr""",
    "sparse_nd": """
        sparse_coo_nd sparse_coords sparse_permute_dims sparse_reduce_axes sparse_reshape_nd sparse_tensordot""",
    "sparse_nd_items": """
        sparse_concatenate_nd sparse_get_items_nd sparse_stack sparse_with_items_nd""",
    "sparse_ilut": """
        sparse_ilut""",
    "sparse_semiring": """
        sparse_sampled_matmul sparse_semiring_matmul sparse_semiring_product""",
    "sparse_graph": """
        csgraph_breadth_first_order csgraph_connected_components csgraph_depth_first_order csgraph_laplacian
        csgraph_minimum_spanning_tree csgraph_pagerank csgraph_reverse_cuthill_mckee csgraph_shortest_path""",
    "sparse_cholesky": """
        sparse_cholesky sparse_factor_solve_sparse sparse_ldl sparse_solve_sparse""",
    "sparse_factor": """
        linop_from_factor sparse_factor_parts sparse_factor_slogdet sparse_factor_solve sparse_ic0 sparse_ilu0 sparse_lu
        sparse_refactor sparse_solve sparse_solve_triangular""",
    "views": """
        broadcast_shapes check_finite diag diagflat flatten logspace ravel require""",
    "windows": """
        bartlett blackman hamming hanning kaiser""",
}
# Reason -> functions that ask for no memory.
NOTHING = {
    "reads or sets fields of what there is, or writes into what the caller gave": """
        array_device array_dtype array_flags backend_probe data device_peer_possible device_select error_status
        error_text fft_cache_clear fuse_flush fuse_info generator_set_state is_managed is_pinned iscomplexobj
        isfortran isrealobj item kernel_attribute kernel_block_size kernel_occupancy kernel_params
        kernel_set_attribute last_error last_status linop_retain live_handles live_objects matmul_compute_type
        matmul_set_compute_type may_share_memory memory_allocator memory_device memory_pressure memory_reset_peak memory_set_allocator
        module_log nbytes ndim pinned_info pinned_trim retain shape size sparse_factor_info sparse_factor_retain sparse_info sparse_retain sparse_shape stream_details stream_device strides
        texels_info texture_info texture_native threads""",
    "looks up what is in tables of the library": """
        check_abi dtype_info min_scalar_type op_find op_info promote_types reduction_find reduction_info status_name
        version""",
    "gives back": """
        error_release event_release expr_release fft_plan_release generator_release kernel_release linop_release
        pinned_unregister release sparse_factor_release sparse_release stream_release""",
    "passes on to the backend, which has what it needs": """
        array_sync event_elapsed event_query event_sync generator_advance graph_upload memory_advise memory_prefetch
        profiler_start profiler_stop stream_host_function stream_priority_range stream_query stream_sync""",
    "the result is of another type than what it could lie in, and is written straight to where it is wanted": """
        frexp_exponent_into ldexp_into ldexp_v_into""",
    "writes into the caller's arr_value": """
        value_array value_bits value_bool value_bytes value_c128 value_f32 value_f64 value_i32 value_i64 value_mdspan value_pointer
        value_texture value_weak""",
}


def functions(words):
    return ["arr_" + w for w in words.split()]


def failing_suites():
    """The suites of the families whose calls first fail at every allocation."""
    registered = r"arr_suite\((\w+)[^)]*\bMEMORY\b|arr_short_of_memory\((\w+) host"
    texts = [path.read_text(encoding="utf-8") for path in HERE.glob("*/CMakeLists.txt")]
    return {a or b for text in texts for a, b in re.findall(registered, text)}


def of_suites():
    """{suite: the functions that fail in it}."""
    headers = {f"{suite}.h": suite for suite in failing_suites()}
    headers |= {header + ".h": suite for suite, words in HEADERS.items() for header in words.split()}
    exceptions = {f: suite for suite, words in EXCEPTIONS.items() for f in functions(words)}
    nothing = {f for words in NOTHING.values() for f in functions(words)}
    found = {}
    for f in json.loads(API.read_text())["functions"]:
        if f["name"] not in nothing:
            suite = exceptions.get(f["name"], headers.get(f["header"], "memory_families"))
            found.setdefault(suite, []).append(f["name"])
    return found


SUITES = of_suites()


def main():
    exist = {f["name"]: f["header"] for f in json.loads(API.read_text())["functions"]}
    headers = {h.removesuffix(".h") for h in exist.values()}
    named = [f for words in [*EXCEPTIONS.values(), *NOTHING.values()] for f in functions(words)]
    wrong = [f"there is no function {f}" for f in named if f not in exist]
    wrong += [f"{f} is in {named.count(f)} lines" for f in dict.fromkeys(named) if named.count(f) > 1]
    wrong += [f"there is no header {h}.h" for words in HEADERS.values() for h in words.split() if h not in headers]
    wrong += [
        f"{f} is in the suite of its header anyway"
        for suite, words in EXCEPTIONS.items()
        for f in functions(words)
        if f in exist and exist[f].removesuffix(".h") in HEADERS.get(suite, "").split()
    ]
    for w in wrong:
        print(f"FAILED {w}")
    print(f"{len(exist)} functions, {len(named)} named, {len(wrong)} faults")
    return 1 if wrong or not exist else 0


if __name__ == "__main__":
    sys.exit(main())
