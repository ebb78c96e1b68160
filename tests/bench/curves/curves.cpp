// SPDX-License-Identifier: MIT
// The curves' C functions: open a workload of a side, time it, read its result. measure.py calls them.
#include "cases.h"

#include <algorithm>
#include <exception>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace curves {
namespace {

thread_local std::string failure;

Table side_rows(const std::string& side) {
  if (side == "arr") return arr_rows();
#ifdef ARR_BENCH_EIGEN
  if (side == "eigen") return eigen_rows();
#endif
  Table rows = loop_rows();
  for (const Row& r : loop_matrix_rows()) rows.push_back(r);
  return rows;
}

}  // namespace
}  // namespace curves

/** Returns the text of the last failure of this thread. */
EXPORT const char* curves_error() { return curves::failure.c_str(); }

/** Returns the version of a side, or NULL where it was not found when this was built. */
EXPORT const char* curves_version(const char* side) {
  const std::string name(side);
#ifdef ARR_BENCH_EIGEN
  if (name == "eigen") return ARR_BENCH_EIGEN;
#endif
#ifdef __clang__
  return name == "cpp" ? __VERSION__ : nullptr;
#else
  return name == "cpp" ? "GCC " __VERSION__ : nullptr;
#endif
}

/** Opens "workload type" or, if it has no types, "workload"; NULL where the side has none, or where it fails.
 */
EXPORT curves::Case* curves_open(const char* side, const char* workload, int64_t n,
                                 const curves::Operand* operands, int64_t count) try {
  curves::failure.clear();
  const std::string name(workload), plain = name.substr(0, name.rfind(' '));
  for (const curves::Row& r : curves::side_rows(side)) {
    if (r.workload == name || r.workload == plain) {
      return r.open({{operands, operands + count}, n}).release();
    }
  }
  return nullptr;
} catch (const std::exception& e) {
  curves::failure = e.what();
  return nullptr;
}

/** Returns nanoseconds per call, or -1. */
EXPORT double curves_run(curves::Case* c, int64_t repeats) try {
  return c->run(repeats);
} catch (const std::exception& e) {
  curves::failure = e.what();
  return -1;
}

/** Writes at most `capacity` numbers of the result, and returns how many there are, or -1. */
EXPORT int64_t curves_result(curves::Case* c, double* to, int64_t capacity) try {
  const std::vector<double> list = c->result();
  const auto count = static_cast<int64_t>(list.size());
  std::copy_n(list.begin(), std::min(count, capacity), to);
  return count;
} catch (const std::exception& e) {
  curves::failure = e.what();
  return -1;
}

EXPORT void curves_close(curves::Case* c) { delete c; }
