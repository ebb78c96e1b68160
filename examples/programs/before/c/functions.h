/* SPDX-License-Identifier: MIT */
/* functions.h - programs in C by the functions of the library's beginning alone: no arr/easy.h. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H
#include <stddef.h>

#include <arr/arr.h>

/* For functions with a variable `status` and a label `end`, which releases what there is. */
#define DO(call) \
  if ((status = (call)) != ARR_OK) goto end

arr_status kmeans(arr_array points, arr_array* out);
arr_status cg(arr_array b, arr_array* out);
arr_status navier_stokes(arr_array vorticity, arr_array* out);
arr_status monte_carlo(arr_array strikes, arr_array* out);
arr_status pca(arr_array table, arr_array* out);
arr_status heat(arr_array field, arr_array* out);
arr_status rk4(arr_array state, arr_array* out);
arr_status blur(arr_array image, arr_array* out);
#endif
