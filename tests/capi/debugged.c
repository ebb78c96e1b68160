/* SPDX-License-Identifier: MIT */
/* debugged [unset]: runs a kernel on the host, under a debugger (debuggers.py); one that uses a variable
 * before it is set, where that is asked for. */
#include <arr/arr.h>

#include <stdio.h>

static const char source[] =
    "extern \"C\" __global__ void scale(double* x, int n) {\n"
    "  __shared__ double part[32];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  double factor = 2.5;\n"
    "  part[threadIdx.x] = x[i] * factor;\n"
    "  __syncthreads();\n"
    "  x[i] = part[blockDim.x - 1 - threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void unset(double* x, int n) {\n"
    "  volatile int factor;\n"
    "  if (n > 1000) factor = 2;\n"
    "  if (factor > 1) x[threadIdx.x] = 3;\n"
    "}\n";

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, arr_last_error());
  return 1;
}

int main(int argc, char** argv) {
  (void)argv;
  const int64_t n = 64, grid[3] = {2, 1, 1};
  const int32_t block[3] = {32, 1, 1};
  arr_module module = NULL;
  arr_kernel kernel = NULL;
  arr_array x = NULL;
  arr_value args[2];
  if (arr_module_create(source, -1, NULL, 0, NULL, &module) != ARR_OK) return failed("arr_module_create");
  if (arr_module_kernel(module, argc > 1 ? "unset" : "scale", &kernel) != ARR_OK)
    return failed("arr_module_kernel");
  if (arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, NULL, NULL, &x) != ARR_OK) return failed("arr_ones");
  arr_value_array(&args[0], x);
  arr_value_i32(&args[1], (int32_t)n);
  if (arr_launch_raw(kernel, grid, block, 0, 2, args, NULL) != ARR_OK) return failed("arr_launch_raw");
  arr_release(x);
  arr_kernel_release(kernel);
  arr_module_release(module);
  puts("done");
  return 0;
}
