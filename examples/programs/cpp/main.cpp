// SPDX-License-Identifier: MIT
// programs FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
#include <cstdio>
#include <functional>
#include <map>

#include "programs.hpp"

int main(int argc, char** argv) try {
  const std::map<std::string, std::function<arr::array(const arr::array&)>> programs = {
      {"kmeans", kmeans},
      {"cg", cg},
      {"navier_stokes", navier_stokes},
      {"monte_carlo", monte_carlo},
      {"pca", pca},
      {"heat", heat},
      {"rk4", rk4},
      {"blur", blur}};
  for (int i = 2; i < argc; ++i) {
    std::string path = argv[1];
    path.append("/").append(argv[i]);
    arr::save_npy(programs.at(argv[i])(arr::load_npy(path + ".npy")), path + "_result.npy");
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
