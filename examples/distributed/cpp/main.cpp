// SPDX-License-Identifier: MIT
// mpiexec -n RANKS ./distributed NAME N STEPS: runs a program on as many processes; without mpiexec on one.
// Prints its number and the seconds that it took.
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include "distributed.hpp"

namespace {

arr::comm ranks() {
  try {
    return arr::comm::mpi();
  } catch (const arr::error& e) {
    if (e.status() != ARR_E_UNAVAILABLE) throw;
    return std::move(arr::comm::local(1)[0]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, double (*)(const arr::comm&, int64_t, int)> programs = {
      {"heat", heat}, {"cg", cg}, {"fft", fft}};
  if (argc != 4 || programs.count(argv[1]) == 0) return 2;
  try {
    const arr::comm comm = ranks();
    const auto begin = std::chrono::steady_clock::now();
    const double number = programs.at(argv[1])(comm, std::stoll(argv[2]), std::stoi(argv[3]));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (comm.rank() == 0)
      std::printf("%s: %.15g in %.4f s on %d\n", argv[1], number, seconds.count(), comm.size());
  } catch (const arr::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
