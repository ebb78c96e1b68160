// SPDX-License-Identifier: MIT
// programs FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
#include <cstdio>
#include <functional>
#include <map>

#include "programs.hpp"

int main(int argc, char** argv) try {
  const std::map<std::string, std::function<arr::array(const arr::array&)>> programs = {
      {"kmeans", [](const arr::array& x) { return kmeans(x); }},
      {"cg", [](const arr::array& x) { return cg(x); }},
      {"navier_stokes", [](const arr::array& x) { return navier_stokes(x); }},
      {"monte_carlo", [](const arr::array& x) { return monte_carlo(x); }},
      {"pca", [](const arr::array& x) { return pca(x); }},
      {"heat", [](const arr::array& x) { return heat(x); }},
      {"rk4", [](const arr::array& x) { return rk4(x); }},
      {"blur", [](const arr::array& x) { return blur(x); }},
      {"pagerank", [](const arr::array& x) { return pagerank(x); }},
      {"poisson", [](const arr::array& x) { return poisson(x); }}};
  for (int i = 2; i < argc; ++i) {
    std::string path = argv[1];
    path.append("/").append(argv[i]);
    arr::save_npy(programs.at(argv[i])(arr::load_npy(path + ".npy")), path + "_result.npy");
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
