/* SPDX-License-Identifier: MIT */
/* Calls libarr in loops and times them, so that no interpreter stands between the clock and the call.
 * Each function returns nanoseconds per call, or -1 with arr_last_error set. */
#include "timing.h"

typedef arr_status (*into1)(arr_array, arr_array, arr_stream);
typedef arr_status (*into2)(arr_array, arr_array, arr_array, arr_stream);
typedef arr_status (*into3)(arr_array, arr_array, arr_array, arr_array, arr_stream);
typedef arr_status (*values_into)(arr_array, const arr_value*, const arr_value*, arr_stream);
typedef arr_status (*fresh2)(arr_array, arr_array, arr_stream, arr_array*);
typedef arr_status (*scan_into)(arr_array, arr_array, int32_t, arr_dtype, arr_stream);
typedef arr_status (*transform)(arr_array, int32_t, const int64_t*, const int32_t*, int32_t, arr_stream,
                                arr_array*);
typedef arr_status (*reduction)(arr_array, int32_t, const int32_t*, int32_t, arr_stream, arr_array*);
typedef arr_status (*moment)(arr_array, int32_t, const int32_t*, int32_t, double, arr_stream, arr_array*);

EXPORT double bench_into1(into1 f, arr_array dst, arr_array x, int64_t repeats);
EXPORT double bench_into2(into2 f, arr_array dst, arr_array x, arr_array y, int64_t repeats);
EXPORT double bench_into3(into3 f, arr_array dst, arr_array x, arr_array y, arr_array z, int64_t repeats);
EXPORT double bench_values(values_into f, arr_array dst, const arr_value* x, const arr_value* y,
                           int64_t repeats);
EXPORT double bench_einsum(const char* subscripts, int32_t n, const arr_array* operands, int64_t repeats);
EXPORT double bench_fresh2(fresh2 f, arr_array x, arr_array y, int64_t repeats);
EXPORT double bench_reduce(reduction f, arr_array a, int32_t axis, int64_t repeats);
EXPORT double bench_moment(moment f, arr_array a, int32_t axis, int64_t repeats);
EXPORT double bench_softmax(arr_array a, int32_t axis, int64_t repeats);
EXPORT double bench_scan(scan_into f, arr_array dst, arr_array a, int32_t axis, int64_t repeats);
EXPORT double bench_at(arr_array a, arr_array index, arr_array values, int64_t repeats);
EXPORT double bench_bincount(arr_array x, int64_t repeats);
EXPORT double bench_histogram(arr_array x, int64_t nbins, double low, double high, int64_t repeats);
EXPORT double bench_search(arr_array x, arr_array points, arr_array values, int64_t repeats);
EXPORT double bench_sort(arr_array a, int32_t axis, int32_t indices, int64_t repeats);
EXPORT double bench_sets(int32_t which, arr_array a, arr_array b, int64_t repeats);
EXPORT double bench_partition(arr_array a, int64_t kth, int32_t indices, int64_t repeats);
EXPORT double bench_topk(arr_array a, int64_t k, int64_t repeats);
EXPORT double bench_lexsort(arr_array a, arr_array b, int64_t repeats);
EXPORT double bench_diff(arr_array a, int32_t axis, int64_t repeats);
EXPORT double bench_fft(transform f, arr_array a, int32_t naxes, int64_t repeats);
EXPORT double bench_linalg(int32_t which, arr_array a, arr_array b, int64_t repeats);
EXPORT double bench_dct(arr_array a, int32_t type, int32_t naxes, int64_t repeats);
EXPORT double bench_expr(arr_array dst, arr_expr e, int32_t node, int32_t nin, const arr_array* in,
                         int64_t repeats);
EXPORT double bench_expr_reduce(arr_array dst, arr_expr e, int32_t node, int32_t which, int32_t axis,
                                int32_t nin, const arr_array* in, int64_t repeats);
EXPORT double bench_fuse(arr_array a, arr_array b, arr_array c, int32_t scope, int64_t repeats);
EXPORT double bench_launch(arr_kernel k, const int64_t* grid, const int32_t* block, int32_t nargs,
                           const arr_value* args, int64_t repeats);
EXPORT double bench_lookup(arr_array a, int64_t repeats);

/* The driver's calls that an op makes, cuCtxGetCurrent and cuLaunchKernel, by themselves. */
typedef int (*get_current)(void** context);
typedef int (*launch_kernel)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                             void* stream, void** params, void** extra);
EXPORT double bench_driver(get_current get, launch_kernel launch, int64_t repeats);

static int ask_and_launch(get_current get, launch_kernel launch) {
  void* context = NULL;
  uint64_t words[8] = {0};
  void* params[1] = {words};
  int status = get(&context);
  return status != 0 ? status : launch(NULL, 1, 1, 1, 256, 1, 1, 0, NULL, params, NULL);
}

double bench_driver(get_current get, launch_kernel launch, int64_t repeats) {
  TIMED(ask_and_launch(get, launch));
}

double bench_into1(into1 f, arr_array dst, arr_array x, int64_t repeats) { TIMED(f(dst, x, NULL)); }

double bench_into2(into2 f, arr_array dst, arr_array x, arr_array y, int64_t repeats) {
  TIMED(f(dst, x, y, NULL));
}

double bench_into3(into3 f, arr_array dst, arr_array x, arr_array y, arr_array z, int64_t repeats) {
  TIMED(f(dst, x, y, z, NULL));
}

static arr_status fresh_and_release(fresh2 f, arr_array x, arr_array y) {
  arr_array out = NULL;
  arr_status status = f(x, y, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_fresh2(fresh2 f, arr_array x, arr_array y, int64_t repeats) {
  TIMED(fresh_and_release(f, x, y));
}

static arr_status einsum_and_release(const char* subscripts, int32_t n, const arr_array* operands) {
  arr_array out = NULL;
  arr_status status = arr_einsum(subscripts, n, operands, ARR_EINSUM_AUTO, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_einsum(const char* subscripts, int32_t n, const arr_array* operands, int64_t repeats) {
  TIMED(einsum_and_release(subscripts, n, operands));
}

static arr_status reduce_and_release(reduction f, arr_array a, int32_t axis) {
  arr_array out = NULL;
  arr_status status = f(a, axis < 0 ? 0 : 1, axis < 0 ? NULL : &axis, 0, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_reduce(reduction f, arr_array a, int32_t axis, int64_t repeats) {
  TIMED(reduce_and_release(f, a, axis));
}

static arr_status moment_and_release(moment f, arr_array a, int32_t axis) {
  arr_array out = NULL;
  arr_status status = f(a, 1, &axis, 0, 0.0, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_moment(moment f, arr_array a, int32_t axis, int64_t repeats) {
  TIMED(moment_and_release(f, a, axis));
}

static arr_status softmax_and_release(arr_array a, int32_t axis) {
  arr_array out = NULL;
  arr_status status = arr_softmax(a, 1, &axis, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_softmax(arr_array a, int32_t axis, int64_t repeats) { TIMED(softmax_and_release(a, axis)); }

double bench_scan(scan_into f, arr_array dst, arr_array a, int32_t axis, int64_t repeats) {
  TIMED(f(dst, a, axis, 0, NULL));
}

static arr_status diff_and_release(arr_array a, int32_t axis) {
  arr_array out = NULL;
  arr_status status = arr_diff(a, 1, axis, NULL, NULL, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_diff(arr_array a, int32_t axis, int64_t repeats) { TIMED(diff_and_release(a, axis)); }

static arr_status transform_and_release(transform f, arr_array a, int32_t naxes) {
  arr_array out = NULL;
  arr_status status = f(a, naxes, NULL, NULL, ARR_FFT_BACKWARD, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_fft(transform f, arr_array a, int32_t naxes, int64_t repeats) {
  TIMED(transform_and_release(f, a, naxes));
}

/* By its place in the list of matrices.py. */
static arr_status linalg(int32_t which, arr_array a, arr_array b, arr_array* out) {
  switch (which) {
    case 0:
      return arr_cholesky(a, false, ARR_LINALG_ERROR, NULL, &out[0]);
    case 1:
      return arr_inv(a, ARR_LINALG_ERROR, NULL, &out[0]);
    case 2:
      return arr_solve(a, b, ARR_LINALG_ERROR, NULL, &out[0]);
    case 3:
      return arr_qr(a, ARR_QR_REDUCED, NULL, &out[0], &out[1]);
    case 4:
      return arr_svd(a, false, ARR_LINALG_ERROR, NULL, &out[0], &out[1], &out[2]);
    case 5:
      return arr_eigh(a, true, ARR_LINALG_ERROR, NULL, &out[0], &out[1]);
    default:
      return arr_lstsq(a, b, -1.0, NULL, &out[0], &out[1], &out[2], &out[3]);
  }
}

static arr_status linalg_and_release(int32_t which, arr_array a, arr_array b) {
  arr_array out[4] = {NULL, NULL, NULL, NULL};
  arr_status status = linalg(which, a, b, out);
  for (int k = 0; k < 4 && status == ARR_OK; ++k)
    if (out[k]) status = arr_release(out[k]);
  return status;
}

double bench_linalg(int32_t which, arr_array a, arr_array b, int64_t repeats) {
  TIMED(linalg_and_release(which, a, b));
}

static arr_status cosine_and_release(arr_array a, int32_t type, int32_t naxes) {
  arr_array out = NULL;
  arr_status status = arr_dctn(a, type, naxes, NULL, NULL, ARR_FFT_BACKWARD, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_dct(arr_array a, int32_t type, int32_t naxes, int64_t repeats) {
  TIMED(cosine_and_release(a, type, naxes));
}

static arr_status add_at(arr_array a, arr_array index, arr_array values) {
  arr_value v;
  arr_value_array(&v, values);
  return arr_ufunc_at(ARR_OP_ADD, a, 1, &index, &v, NULL);
}

double bench_at(arr_array a, arr_array index, arr_array values, int64_t repeats) {
  TIMED(add_at(a, index, values));
}

static arr_status bincount_and_release(arr_array x) {
  arr_array out = NULL;
  arr_status status = arr_bincount(x, NULL, 0, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_bincount(arr_array x, int64_t repeats) { TIMED(bincount_and_release(x)); }

double bench_values(values_into f, arr_array dst, const arr_value* x, const arr_value* y, int64_t repeats) {
  TIMED(f(dst, x, y, NULL));
}

/* values: interpolation between the points; NULL: a search among them. */
static arr_status search_and_release(arr_array x, arr_array points, arr_array values) {
  arr_array out = NULL;
  arr_status status = values == NULL ? arr_searchsorted(points, x, ARR_SEARCH_LEFT, NULL, NULL, &out)
                                     : arr_interp(x, points, values, NULL, NULL, 0, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_search(arr_array x, arr_array points, arr_array values, int64_t repeats) {
  TIMED(search_and_release(x, points, values));
}

static arr_status sort_and_release(arr_array a, int32_t axis, int32_t indices) {
  arr_array out = NULL;
  arr_status status =
      indices ? arr_argsort(a, axis, false, NULL, &out) : arr_sort(a, axis, false, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_sort(arr_array a, int32_t axis, int32_t indices, int64_t repeats) {
  TIMED(sort_and_release(a, axis, indices));
}

static arr_status sets_and_release(int32_t which, arr_array a, arr_array b) {
  arr_array out = NULL, more = NULL;
  const int32_t flags = ARR_UNIQUE_SORTED | ARR_UNIQUE_EQUAL_NAN;
  arr_status status = ARR_E_ARGUMENT;
  if (which == 0) status = arr_unique(a, ARR_AXIS_NONE, flags, NULL, &out, NULL, NULL, NULL);
  if (which == 1) status = arr_unique(a, ARR_AXIS_NONE, flags, NULL, &out, &more, NULL, NULL);
  if (which == 2) status = arr_unique(a, ARR_AXIS_NONE, flags, NULL, &out, NULL, &more, NULL);
  if (which == 3) status = arr_unique(a, ARR_AXIS_NONE, flags, NULL, &out, NULL, NULL, &more);
  if (which == 4) status = arr_unique(a, 0, flags, NULL, &out, NULL, NULL, NULL);
  if (which == 5) status = arr_isin(a, b, false, NULL, &out);
  if (which == 6) status = arr_union1d(a, b, NULL, &out);
  if (which == 7) status = arr_intersect1d(a, b, false, NULL, &out, NULL, NULL);
  if (which == 8) status = arr_setdiff1d(a, b, false, NULL, &out);
  if (which == 9) status = arr_setxor1d(a, b, false, NULL, &out);
  arr_release(more);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_sets(int32_t which, arr_array a, arr_array b, int64_t repeats) {
  TIMED(sets_and_release(which, a, b));
}

static arr_status partition_and_release(arr_array a, int64_t kth, int32_t indices) {
  arr_array out = NULL;
  arr_status status =
      indices ? arr_argpartition(a, 1, &kth, -1, NULL, &out) : arr_partition(a, 1, &kth, -1, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_partition(arr_array a, int64_t kth, int32_t indices, int64_t repeats) {
  TIMED(partition_and_release(a, kth, indices));
}

static arr_status topk_and_release(arr_array a, int64_t k) {
  arr_array values = NULL, indices = NULL;
  arr_status status = arr_topk(a, k, -1, true, NULL, &values, &indices);
  if (status != ARR_OK) return status;
  status = arr_release(values);
  return status == ARR_OK ? arr_release(indices) : status;
}

double bench_topk(arr_array a, int64_t k, int64_t repeats) { TIMED(topk_and_release(a, k)); }

static arr_status lexsort_and_release(arr_array a, arr_array b) {
  arr_array keys[2], out = NULL;
  arr_status status;
  keys[0] = a;
  keys[1] = b;
  status = arr_lexsort(2, keys, -1, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_lexsort(arr_array a, arr_array b, int64_t repeats) { TIMED(lexsort_and_release(a, b)); }

static arr_status histogram_and_release(arr_array x, int64_t nbins, double low, double high) {
  arr_array counts = NULL, edges = NULL;
  double range[2];
  arr_histogram_options o = {0};
  range[0] = low;
  range[1] = high;
  o.struct_size = sizeof o;
  o.range = range;
  arr_status status = arr_histogram(x, nbins, NULL, &o, NULL, &counts, &edges);
  if (status == ARR_OK) status = arr_release(counts);
  return status == ARR_OK ? arr_release(edges) : status;
}

double bench_histogram(arr_array x, int64_t nbins, double low, double high, int64_t repeats) {
  TIMED(histogram_and_release(x, nbins, low, high));
}

double bench_expr(arr_array dst, arr_expr e, int32_t node, int32_t nin, const arr_array* in,
                  int64_t repeats) {
  TIMED(arr_expr_run_into(dst, e, node, nin, in, NULL));
}

double bench_expr_reduce(arr_array dst, arr_expr e, int32_t node, int32_t which, int32_t axis, int32_t nin,
                         const arr_array* in, int64_t repeats) {
  TIMED(arr_expr_reduce_into(dst, e, node, which, 1, &axis, false, nin, in, NULL));
}

/* r = a*b + c*a - sqrt(b) by ordinary calls, in a scope or without; temporaries are released as soon as they
 * are used. */
static arr_status formula_by_calls(arr_array a, arr_array b, arr_array c, int32_t scope) {
  arr_array x = NULL, y = NULL, sum = NULL, root = NULL, r = NULL;
  arr_status status = scope ? arr_fuse_begin(0) : ARR_OK;
  if (status != ARR_OK) return status;
  if ((status = arr_multiply(a, b, NULL, &x)) == ARR_OK &&
      (status = arr_multiply(c, a, NULL, &y)) == ARR_OK && (status = arr_add(x, y, NULL, &sum)) == ARR_OK &&
      (status = arr_sqrt(b, NULL, &root)) == ARR_OK) {
    status = arr_subtract(sum, root, NULL, &r);
  }
  arr_array temporaries[] = {x, y, sum, root};
  for (int i = 0; i < 4; ++i) {
    if (temporaries[i] != NULL) arr_release(temporaries[i]);
  }
  arr_status end = scope ? arr_fuse_end() : ARR_OK;
  if (r != NULL) {
    if (end == ARR_OK) end = arr_array_sync(r);
    arr_release(r);
  }
  return status != ARR_OK ? status : end;
}

static double formula_in_loop(arr_array a, arr_array b, arr_array c, int32_t scope, int64_t repeats) {
  TIMED(formula_by_calls(a, b, c, scope));
}

double bench_fuse(arr_array a, arr_array b, arr_array c, int32_t scope, int64_t repeats) {
  arr_fuse_set_automatic(scope ? ARR_FUSE_NOWHERE : ARR_FUSE_ON_HOST);
  const double ns = formula_in_loop(a, b, c, scope, repeats);
  arr_fuse_set_automatic(ARR_FUSE_NOWHERE);
  return ns;
}

double bench_launch(arr_kernel k, const int64_t* grid, const int32_t* block, int32_t nargs,
                    const arr_value* args, int64_t repeats) {
  TIMED(arr_launch_raw(k, grid, block, 0, nargs, args, NULL));
}

double bench_lookup(arr_array a, int64_t repeats) {
  int32_t ndim;
  TIMED(arr_ndim(a, &ndim));
}
