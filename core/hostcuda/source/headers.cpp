// SPDX-License-Identifier: MIT
#include "hostcuda/source/headers.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "hostcuda/source/keywords.h"

namespace arr::host_kernels {
namespace {

struct Folder {
  std::string_view path, names;  // without their endings
  std::array<std::string_view, 2> endings;
};

constexpr std::array<std::string_view, 2> h{".h", ".h"}, h_or_hpp{".h", ".hpp"}, cuh{".cuh", ".cuh"}, none{};
constexpr Folder header_folders[] = {
    {"", "cassert", none},
    {"",
     "assert builtin_types channel_descriptor common_functions cooperative_groups cuComplex cuda "
     "cuda_awbarrier "
     "cuda_awbarrier_helpers cuda_awbarrier_primitives cuda_bf16 cuda_device_runtime_api cuda_fp16 cuda_fp4 "
     "cuda_fp6 cuda_fp8 cuda_pipeline cuda_pipeline_helpers cuda_pipeline_primitives cuda_runtime "
     "cuda_runtime_api curand curand_discrete curand_discrete2 curand_globals curand_kernel curand_lognormal "
     "curand_mrg32k3a curand_mtgp32 curand_mtgp32_host curand_mtgp32_kernel curand_mtgp32dc_p_11213 "
     "curand_normal curand_normal_static curand_philox4x32_x curand_poisson curand_precalc curand_uniform "
     "device_atomic_functions device_double_functions device_functions device_launch_parameters device_types "
     "driver_functions driver_types host_config host_defines math_functions mma nvrtc sm_20_atomic_functions "
     "sm_20_intrinsics "
     "sm_30_intrinsics sm_32_atomic_functions sm_32_intrinsics sm_35_atomic_functions sm_35_intrinsics "
     "sm_60_atomic_functions sm_61_intrinsics surface_functions surface_indirect_functions surface_types "
     "texture_fetch_functions texture_indirect_functions texture_types vector_functions vector_types",
     h_or_hpp},
    {"crt/",
     "common_functions cuda_tile cudacc_ext device_double_functions device_fp128_functions device_functions "
     "func_macro host_config host_defines host_runtime math_functions mma sm_100_rt sm_70_rt sm_80_rt "
     "sm_90_rt "
     "storage_class",
     h_or_hpp},
    {"cooperative_groups/", "memcpy_async reduce scan", h},
    {"cupy/", "carray complex", cuh},
    {"cuda/",
     "annotated_ptr atomic barrier bit cmath discard_memory functional latch mdspan memory memory_resource "
     "numeric pipeline ptx semaphore stream_ref type_traits version warp work_stealing",
     none},
    {"cuda/std/",
     "algorithm array atomic barrier bit bitset cassert ccomplex cfloat chrono climits cmath complex "
     "concepts "
     "cstddef cstdint cstdlib cstring ctime expected functional initializer_list inplace_vector iterator "
     "latch "
     "limits linalg mdspan memory numbers numeric optional ranges ratio semaphore source_location span "
     "string_view tuple type_traits utility variant version",
     none},
    {"cub/",
     "config cub util_allocator util_arch util_cpp_dialect util_debug util_device util_macro util_math "
     "util_namespace util_policy_wrapper_t util_ptx util_temporary_storage util_type util_vsmem version",
     cuh},
    {"cub/block/",
     "block_adjacent_difference block_discontinuity block_exchange block_histogram block_load "
     "block_merge_sort "
     "block_radix_rank block_radix_sort block_raking_layout block_reduce block_run_length_decode block_scan "
     "block_shuffle block_store radix_rank_sort_operations",
     cuh},
    {"cub/device/",
     "device_adjacent_difference device_copy device_for device_histogram device_memcpy device_merge "
     "device_merge_sort device_partition device_radix_sort device_reduce device_run_length_encode "
     "device_scan "
     "device_segmented_radix_sort device_segmented_reduce device_segmented_sort device_select "
     "device_transform",
     cuh},
    {"cub/grid/", "grid_even_share grid_mapping grid_queue", cuh},
    {"cub/iterator/",
     "arg_index_input_iterator cache_modified_input_iterator cache_modified_output_iterator "
     "tex_obj_input_iterator",
     cuh},
    {"cub/thread/",
     "thread_load thread_operators thread_reduce thread_scan thread_search thread_sort thread_store", cuh},
    {"cub/warp/", "warp_exchange warp_load warp_merge_sort warp_reduce warp_scan warp_store", cuh},
    {"thrust/",
     "addressof adjacent_difference advance allocate_unique binary_search complex copy count "
     "device_allocator "
     "device_delete device_free device_make_unique device_malloc device_malloc_allocator device_new "
     "device_new_allocator device_ptr device_reference device_vector distance equal execution_policy extrema "
     "fill find for_each functional gather generate host_vector inner_product logical memory merge mismatch "
     "pair partition per_device_resource random reduce remove replace reverse scan scatter sequence "
     "set_operations shuffle sort swap system_error tabulate transform transform_reduce transform_scan tuple "
     "uninitialized_copy uninitialized_fill unique universal_allocator universal_ptr universal_vector "
     "version "
     "zip_function",
     h},
    {"thrust/iterator/",
     "constant_iterator counting_iterator discard_iterator iterator_adaptor iterator_categories "
     "iterator_facade iterator_traits offset_iterator permutation_iterator retag reverse_iterator "
     "tabulate_output_iterator transform_input_output_iterator transform_iterator transform_output_iterator "
     "zip_iterator",
     h},
    {"thrust/mr/",
     "allocator device_memory_resource disjoint_pool disjoint_sync_pool disjoint_tls_pool "
     "fancy_pointer_resource host_memory_resource memory_resource new polymorphic_adaptor pool pool_options "
     "sync_pool tls_pool universal_memory_resource validator",
     h},
    {"thrust/random/",
     "discard_block_engine linear_congruential_engine linear_feedback_shift_engine normal_distribution "
     "subtract_with_carry_engine uniform_int_distribution uniform_real_distribution xor_combine_engine",
     h},
    {"thrust/type_traits/",
     "integer_sequence is_contiguous_iterator is_execution_policy "
     "is_operator_less_or_greater_function_object "
     "is_operator_plus_function_object is_trivially_relocatable logical_metafunctions "
     "unwrap_contiguous_iterator",
     h}};

// Folders of a library's own.
constexpr std::string_view internal[] = {"/__",        "/agent/",           "/detail/", "/details/",
                                         "/dispatch/", "/specializations/", "/system/"};

bool holds(std::string_view names, std::string_view name) {
  for (size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

// The header that token i begins to name.
Included header_at(std::string_view source, const SourceOutline& outline, size_t i) {
  if (i >= outline.size()) return {};
  const Token& t = outline.token(i);
  if (!t.in_directive || t.starts_line) return {};
  if (t.kind == TokenKind::literal && t.text.size() > 2 && t.text.front() == '"' && t.text.back() == '"')
    return {std::string(t.text.substr(1, t.text.size() - 2)), true};
  if (t.text == "<") {
    const size_t begin = t.offset + 1, end = source.find_first_of(">\n", begin);
    if (end == std::string_view::npos || source[end] == '\n') return {};
    return {std::string(source.substr(begin, end - begin)), false};
  }
  if (t.kind != TokenKind::identifier) return {};
  for (size_t k = i; k-- > 0;)  // the last #define of a macro
    if (outline.token(k).starts_line && outline.word(k) == "#" && outline.word(k + 1) == "define" &&
        outline.word(k + 2) == t.text)
      return header_at(source, outline, k + 3);
  return {};
}

}  // namespace

Included included(std::string_view source, const SourceOutline& outline, size_t hash) {
  return header_at(source, outline, hash + 2);
}

bool is_header_of_cuda(std::string_view header) {
  const bool own = std::any_of(std::begin(internal), std::end(internal), [&](std::string_view folder) {
    return header.find(folder) != std::string_view::npos;
  });
  if (own) return true;
  const size_t slash = header.rfind('/') + 1;  // 0 where there is none
  const std::string_view path = header.substr(0, slash), file = header.substr(slash);
  return std::any_of(std::begin(header_folders), std::end(header_folders), [&](const Folder& folder) {
    if (folder.path != path) return false;
    return std::any_of(folder.endings.begin(), folder.endings.end(), [&](std::string_view ending) {
      return file.size() > ending.size() && file.substr(file.size() - ending.size()) == ending &&
             holds(folder.names, file.substr(0, file.size() - ending.size()));
    });
  });
}

}  // namespace arr::host_kernels
