/* SPDX-License-Identifier: MIT */
/* programs.h - the programs: each makes a result of an array. */
#ifndef PROGRAMS_H
#define PROGRAMS_H
#include <arr/easy.h>

arr_status kmeans(arr_array points, arr_array* out);
arr_status cg(arr_array b, arr_array* out);
arr_status navier_stokes(arr_array vorticity, arr_array* out);
arr_status monte_carlo(arr_array strikes, arr_array* out);
arr_status pca(arr_array table, arr_array* out);
arr_status heat(arr_array field, arr_array* out);
arr_status rk4(arr_array state, arr_array* out);
arr_status blur(arr_array image, arr_array* out);
arr_status pagerank(arr_array edges, arr_array* out);
arr_status poisson(arr_array f, arr_array* out);
#endif
