/* SPDX-License-Identifier: MIT */
/* Steps of iterative programs in loops, and the same in plain C on one thread: conjugate gradients, an
 * ensemble of differential equations, the nearest of a few points, a long chain of recorded operations. */
#include "timing.h"

enum { P, NORTH, SOUTH, WEST, EAST, Q, X, R, ALPHA, BETA, CG_ARRAYS };

EXPORT double bench_cg(const arr_array* a, arr_expr lap, int32_t lap_node, arr_expr axpy, int32_t axpy_node,
                       int64_t repeats);
EXPORT double plain_cg(int64_t n, double alpha, double beta, double* p, double* q, double* x, double* r);
EXPORT double bench_expr_many(int32_t n, const arr_array* dsts, arr_expr e, const int32_t* nodes, int32_t nin,
                              const arr_array* in, int64_t repeats);
EXPORT void plain_lorenz(int64_t n, double h, double* x, double* y, double* z);
EXPORT double bench_nearest(arr_expr e, int32_t node, const arr_array* in, int64_t repeats);
EXPORT void plain_nearest(int64_t n, int64_t k, int64_t d, const double* x, const double* c, int64_t* out);
EXPORT double bench_chain(arr_array a, arr_array b, int32_t pairs, int64_t repeats);

static arr_status dot(arr_array a, arr_array b) {
  arr_array out = NULL;
  double x = 0;
  arr_status status = arr_vdot(a, b, NULL, &out);
  if (status == ARR_OK) status = arr_item_f64(out, 0, NULL, &x);
  arr_release(out);
  return status;
}

/* The work of a step, with numbers that do not change, so that it can be repeated without end. */
static arr_status cg_step(const arr_array* a, arr_expr lap, int32_t lap_node, arr_expr axpy,
                          int32_t axpy_node) {
  const arr_array x[] = {a[X], a[ALPHA], a[P]}, r[] = {a[R], a[ALPHA], a[Q]}, p[] = {a[R], a[BETA], a[P]};
  arr_status status = arr_expr_run_into(a[Q], lap, lap_node, 5, a + P, NULL);
  if (status == ARR_OK) status = dot(a[P], a[Q]);
  if (status == ARR_OK) status = arr_expr_run_into(a[X], axpy, axpy_node, 3, x, NULL);
  if (status == ARR_OK) status = arr_expr_run_into(a[R], axpy, axpy_node, 3, r, NULL);
  if (status == ARR_OK) status = dot(a[R], a[R]);
  return status == ARR_OK ? arr_expr_run_into(a[P], axpy, axpy_node, 3, p, NULL) : status;
}

double bench_cg(const arr_array* a, arr_expr lap, int32_t lap_node, arr_expr axpy, int32_t axpy_node,
                int64_t repeats) {
  TIMED(cg_step(a, lap, lap_node, axpy, axpy_node));
}

double plain_cg(int64_t n, double alpha, double beta, double* p, double* q, double* x, double* r) {
  const int64_t w = n + 2;
  double pq = 0, rr = 0;
  for (int64_t i = 1; i <= n; ++i) {
    for (int64_t k = i * w + 1; k <= i * w + n; ++k)
      q[k] = 4 * p[k] - p[k - w] - p[k + w] - p[k - 1] - p[k + 1];
  }
  for (int64_t k = 0; k < w * w; ++k) pq += p[k] * q[k];
  for (int64_t k = 0; k < w * w; ++k) x[k] += alpha * p[k];
  for (int64_t k = 0; k < w * w; ++k) r[k] += alpha * q[k];
  for (int64_t k = 0; k < w * w; ++k) rr += r[k] * r[k];
  for (int64_t k = 0; k < w * w; ++k) p[k] = r[k] + beta * p[k];
  return pq + rr;
}

double bench_expr_many(int32_t n, const arr_array* dsts, arr_expr e, const int32_t* nodes, int32_t nin,
                       const arr_array* in, int64_t repeats) {
  TIMED(arr_expr_run_many_into(n, dsts, e, nodes, nin, in, NULL));
}

static void lorenz(const double* u, double* d) {
  d[0] = 10 * (u[1] - u[0]);
  d[1] = u[0] * (28 - u[2]) - u[1];
  d[2] = u[0] * u[1] - 2.5 * u[2];
}

/* A step of the classical method of Runge and Kutta for each system of three equations. */
void plain_lorenz(int64_t n, double h, double* x, double* y, double* z) {
  for (int64_t i = 0; i < n; ++i) {
    const double u[3] = {x[i], y[i], z[i]};
    double k[4][3], v[3];
    lorenz(u, k[0]);
    for (int j = 0; j < 3; ++j) v[j] = u[j] + h / 2 * k[0][j];
    lorenz(v, k[1]);
    for (int j = 0; j < 3; ++j) v[j] = u[j] + h / 2 * k[1][j];
    lorenz(v, k[2]);
    for (int j = 0; j < 3; ++j) v[j] = u[j] + h * k[2][j];
    lorenz(v, k[3]);
    for (int j = 0; j < 3; ++j) v[j] = u[j] + h / 6 * (k[0][j] + 2 * (k[1][j] + k[2][j]) + k[3][j]);
    x[i] = v[0];
    y[i] = v[1];
    z[i] = v[2];
  }
}

/* in: points (n, 1, d), centers (k, d) */
static arr_status nearest(arr_expr e, int32_t node, const arr_array* in) {
  const int32_t last = 2, second = 1;
  arr_array distances = NULL, out = NULL;
  arr_status status = arr_expr_reduce(e, node, ARR_REDUCTION_SUM, 1, &last, false, 2, in, NULL, &distances);
  if (status == ARR_OK) status = arr_argmin(distances, 1, &second, false, NULL, &out);
  arr_release(distances);
  arr_release(out);
  return status;
}

double bench_nearest(arr_expr e, int32_t node, const arr_array* in, int64_t repeats) {
  TIMED(nearest(e, node, in));
}

void plain_nearest(int64_t n, int64_t k, int64_t d, const double* x, const double* c, int64_t* out) {
  for (int64_t i = 0; i < n; ++i) {
    double best = 1e300;
    for (int64_t j = 0; j < k; ++j) {
      double sum = 0;
      for (int64_t m = 0; m < d; ++m) {
        const double e = x[i * d + m] - c[j * d + m];
        sum += e * e;
      }
      if (sum < best) {
        best = sum;
        out[i] = j;
      }
    }
  }
}

/* y = y + y * b, again and again, in a scope: each value is read twice. */
static arr_status chain(arr_array a, arr_array b, int32_t pairs) {
  arr_array y = NULL;
  arr_status status = arr_fuse_begin(0);
  if (status != ARR_OK) return status;
  status = arr_multiply(a, b, NULL, &y);
  for (int32_t i = 0; i < pairs && status == ARR_OK; ++i) {
    arr_array product = NULL, sum = NULL;
    status = arr_multiply(y, b, NULL, &product);
    if (status == ARR_OK) status = arr_add(y, product, NULL, &sum);
    arr_release(product);
    arr_release(y);
    y = sum;
  }
  const arr_status end = arr_fuse_end();
  arr_release(y);
  return status == ARR_OK ? end : status;
}

double bench_chain(arr_array a, arr_array b, int32_t pairs, int64_t repeats) { TIMED(chain(a, b, pairs)); }
