/* SPDX-License-Identifier: MIT */
/* The setting of a fragment in C of README.md, the guides and the headers; each guide's fragments follow
 * each other, so that the names of earlier ones stay. Before each of them the arrays here are made anew: a,
 * b, c, x and y are (4, 4) of float64, positive definite. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arr/arr.h>

/* As dlpack.h has it, up to the deleter. */
struct DLManagedTensorVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
};

static arr_device device = {ARR_HOST, 0};
static arr_device_properties properties = {sizeof(arr_device_properties)};
static arr_stream stream, one, two;
static arr_event forked, joined;
static arr_graph graph;
static arr_array a, b, c, x, y;                                     /* operands */
static arr_array r, t, u, v, w, z, root, left, right, sum, largest; /* results */
static arr_array image, mask, blurred;                              /* (64, 64) and (3, 3) of float64 */
static arr_array samples, window, signals, spectrum,
    sizes;                    /* (64, 1000) of int16, (1000), (64, 1000), (64, 501) */
static arr_array pixels, out; /* (480, 640, 4) of uint8 and of float32 */
static arr_expr load, store;
static int32_t windowed, size;
static arr_kernel kernel; /* `resize` of the guide's CUDA C++, its launch and arguments */
static int64_t grid[3] = {5, 480, 1};
static int32_t block[3] = {128, 1, 1}, nargs = 4;
static int64_t id, length;
static int32_t count;
static char text[1 << 16];

/* Nothing may fail in a fragment: arr_last_error() must still say what failed before. */
static char known[1024];
static void failing(void) {
  arr_sqrt(NULL, NULL, &r);
  snprintf(known, sizeof known, "%s", arr_last_error());
}
static void check(const char* where) {
  if (strcmp(known, arr_last_error()) == 0) return;
  fprintf(stderr, "%s: %s\n", where, arr_last_error());
  exit(1);
}

static arr_array ones(arr_dtype dtype, int32_t ndim, int64_t first, int64_t second, int64_t third) {
  const int64_t shape[3] = {first, second, third};
  arr_array made = NULL;
  arr_ones(dtype, ndim, shape, ARR_ORDER_C, NULL, NULL, &made);
  return made;
}
static arr_array matrix(void) {
  arr_array eye = NULL, more = NULL, made = NULL;
  arr_value e, five;
  arr_eye(4, 4, 0, ARR_FLOAT64, ARR_ORDER_C, NULL, NULL, &eye);
  arr_value_array(&e, eye);
  arr_value_f64(&five, 5);
  arr_multiply_v(&e, &five, NULL, &more);
  arr_add(more, ones(ARR_FLOAT64, 2, 4, 4, 1), NULL, &made);
  return made;
}

static void prepare(const char* kernels) {
  a = matrix(), b = matrix(), c = matrix(), x = matrix(), y = matrix();
  if (stream != NULL) return;
  arr_stream_create(&device, 0, &stream);
  arr_stream_create(&device, 0, &one);
  arr_stream_create(&device, 0, &two);
  arr_event_create(&device, 0, &forked);
  arr_event_create(&device, 0, &joined);
  arr_device_info(&device, &properties);
  image = ones(ARR_FLOAT64, 2, 64, 64, 1), mask = ones(ARR_FLOAT64, 2, 3, 3, 1);
  samples = ones(ARR_INT16, 2, 64, 1000, 1), window = ones(ARR_FLOAT32, 1, 1000, 1, 1);
  signals = ones(ARR_FLOAT32, 2, 64, 1000, 1), sizes = ones(ARR_FLOAT32, 2, 64, 501, 1);
  pixels = ones(ARR_UINT8, 3, 480, 640, 4), out = ones(ARR_FLOAT32, 3, 480, 640, 4);
  arr_module m = NULL;
  if (kernels[0] == 0) return;
  arr_module_create(kernels, -1, NULL, 0, NULL, &m);
  arr_module_kernel(m, "resize", &kernel);
}
