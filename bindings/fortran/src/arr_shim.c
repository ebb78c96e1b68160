// SPDX-License-Identifier: MIT
// arr_shim.c: reads and fills the C descriptors of Fortran arrays; the only file that sees them.
//
// Type codes differ between compilers and are not used: the Fortran side knows the kind.
#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <stdint.h>

#define LOCAL __attribute__((visibility("hidden")))

// module arr_host_memory type host_array
typedef struct host_array {
  void* data;
  int64_t bytes;  // of an element
  int32_t rank;
  int32_t packed;  // 1: contiguous and column-major; -1: a stride is not a whole number of elements
  int64_t extents[CFI_MAX_RANK];
  int64_t strides[CFI_MAX_RANK];  // in elements
} host_array;

_Static_assert(CFI_MAX_RANK == 15, "type host_array of module arr_host_memory has 15 dimensions");

LOCAL void arr_fortran_describe(const CFI_cdesc_t* array, host_array* out) {
  out->data = array->base_addr;
  out->bytes = (int64_t)array->elem_len;
  out->rank = array->rank;
  out->packed = 1;
  int64_t expected = 1;
  for (int i = 0; i < array->rank; ++i) {
    const int64_t bytes = array->dim[i].sm;
    out->extents[i] = array->dim[i].extent < 0 ? 0 : (int64_t)array->dim[i].extent;
    out->strides[i] = out->bytes > 0 ? bytes / out->bytes : 0;
    if (out->extents[i] > 1 && out->strides[i] * out->bytes != bytes) out->packed = -1;
    if (out->extents[i] > 1 && out->strides[i] != expected && out->packed > 0) out->packed = 0;
    expected *= out->extents[i];
  }
}

// Allocates an allocatable array of any kind with these extents, after releasing what it had. 0 on success.
LOCAL int arr_fortran_allocate(CFI_cdesc_t* array, const host_array* wanted) {
  CFI_index_t lower[CFI_MAX_RANK], upper[CFI_MAX_RANK];
  for (int i = 0; i < array->rank; ++i) {
    lower[i] = 1;
    upper[i] = (CFI_index_t)wanted->extents[i];
  }
  if (array->base_addr != NULL && CFI_deallocate(array) != CFI_SUCCESS) return 1;
  return CFI_allocate(array, lower, upper, 0) == CFI_SUCCESS ? 0 : 1;
}

// Lets a Fortran pointer of any kind point at elements with any strides.
LOCAL void arr_fortran_point(CFI_cdesc_t* pointer, const host_array* target) {
  pointer->base_addr = target->data;
  for (int i = 0; i < pointer->rank; ++i) {
    pointer->dim[i].lower_bound = 1;
    pointer->dim[i].extent = (CFI_index_t)target->extents[i];
    pointer->dim[i].sm = (CFI_index_t)(target->strides[i] * target->bytes);
  }
}
