// SPDX-License-Identifier: MIT
// 2-heat KERNEL.cu IN.npy OUT.npy: 1,000 steps of the heat equation by a raw CUDA kernel, on GPU or host.
#include <unistd.h>

#include <arr/arr.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

int main(int argc, char** argv) try {
  const int steps = 1000;
  if (argc != 4) return std::fprintf(stderr, "usage: %s KERNEL.cu IN.npy OUT.npy\n", argv[0]), 2;
  std::ifstream file(argv[1]);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const arr::device device = arr::device_select();
  const arr::kernel heat = arr::compile(source, device)["heat"];

  arr::array u = arr::load_npy(argv[2], device).astype<double>();
  arr::array v = u.copy();
  const arr::extents shape = u.shape();
  const arr::dim3 block(32, 8), grid((shape.at(1) + 31) / 32, (shape.at(0) + 7) / 8);
  const std::string bar(50, '#');
  for (int step = 0; step < steps; ++step) {
    heat.launch(grid, block, u, v, shape[0], shape[1], 0.2);
    std::swap(u, v);
    if (isatty(2) && step % 20 == 19)
      std::fprintf(stderr, "\r%3d%% %.*s", step / 10 + 1, step / 20 + 1, bar.c_str());
  }
  if (isatty(2)) std::fputc('\n', stderr);

  std::printf("residual %.12e\n", arr::max(arr::absolute(u - v)).item<double>());
  arr::save_npy(u, argv[3]);
} catch (const arr::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
