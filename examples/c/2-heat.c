/* SPDX-License-Identifier: MIT */
/* 2-heat KERNEL.cu IN.npy OUT.npy: 1,000 steps of the heat equation by a raw CUDA kernel, on GPU or host. */
#include <unistd.h>
#include "example.h"

int main(int argc, char** argv) {
  const int steps = 1000;
  const char bar[] = "##################################################";
  arr_device device;
  arr_array loaded, u, v, change, largest;
  arr_module module;
  arr_kernel kernel;
  int64_t shape[2];
  int32_t ndim;
  if (argc != 4) return fprintf(stderr, "usage: %s KERNEL.cu IN.npy OUT.npy\n", argv[0]), 2;
  char* source = read_text(argv[1]);
  check(arr_device_select(0, &device));
  check(arr_load_npy(argv[2], -1, &device, NULL, &loaded));
  check(arr_astype(loaded, ARR_FLOAT64, ARR_CAST_SAME_KIND, ARR_ORDER_C, NULL, &u));
  check(arr_copy(u, ARR_ORDER_C, NULL, &v));
  check(arr_shape(u, 2, shape, &ndim));
  if (ndim != 2) return fprintf(stderr, "%s: %d dimensions, expected 2\n", argv[2], (int)ndim), 1;
  check(arr_module_create(source, -1, &device, 0, NULL, &module));
  check(arr_module_kernel(module, "heat", &kernel));

  const int32_t block[3] = {32, 8, 1};
  const int64_t grid[3] = {(shape[1] + 31) / 32, (shape[0] + 7) / 8, 1};
  arr_value args[5];
  arr_value_i64(&args[2], shape[0]);
  arr_value_i64(&args[3], shape[1]);
  arr_value_f64(&args[4], 0.2);
  for (int step = 0; step < steps; ++step) {
    arr_value_array(&args[0], step % 2 == 0 ? u : v);
    arr_value_array(&args[1], step % 2 == 0 ? v : u);
    check(arr_launch_raw(kernel, grid, block, 0, 5, args, NULL));
    if (isatty(2) && step % 20 == 19) fprintf(stderr, "\r%3d%% %.*s", step / 10 + 1, step / 20 + 1, bar);
  }
  if (isatty(2)) fputc('\n', stderr);

  double residual;
  check(arr_subtract(u, v, NULL, &change));
  check(arr_absolute_into(change, change, NULL));
  check(arr_max(change, 0, NULL, false, NULL, &largest));
  check(arr_item_f64(largest, 0, NULL, &residual));
  printf("residual %.12e\n", residual);
  check(arr_save_npy(u, argv[3], -1, NULL)); /* after an even number of steps the last field is in u */

  arr_array all[] = {loaded, u, v, change, largest};
  for (int i = 0; i < 5; ++i) check(arr_release(all[i]));
  check(arr_kernel_release(kernel));
  check(arr_module_release(module));
  free(source);
  return 0;
}
