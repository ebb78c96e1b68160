// SPDX-License-Identifier: MIT
// Chooses the instruction-set level once per process.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "base/error.h"
#include "expr/ops.h"
#include "host/loops/table.h"

namespace arr::host {

static_assert(LoopTable::ops >= op_limit && LoopTable::dtypes >= dtype_limit);

#define ARR_HOST_LEVEL(LEVEL) ARR_LEVEL_FILLERS(LEVEL)
#include "host_levels.def"
#undef ARR_HOST_LEVEL

namespace {

struct Level {
  const char* name;
  void (*fill)(LoopTable&);
  bool (*runs)();
};

#define ARR_HOST_LEVEL(LEVEL)       \
  void fill_##LEVEL(LoopTable& t) { \
    t.level = #LEVEL;               \
    LEVEL::fill_copies(t);          \
    LEVEL::fill_casts_int(t);       \
    LEVEL::fill_casts_real(t);      \
    LEVEL::fill_int_small(t);       \
    LEVEL::fill_int_large(t);       \
    LEVEL::fill_real(t);            \
    LEVEL::fill_complex(t);         \
    LEVEL::fill_reduce_int(t);      \
    LEVEL::fill_reduce_real(t);     \
    LEVEL::fill_reduce_complex(t);  \
    LEVEL::fill_scan_int(t);        \
    LEVEL::fill_scan_real(t);       \
    LEVEL::fill_scan_complex(t);    \
    LEVEL::fill_repeats(t);         \
    LEVEL::fill_scatter_real(t);    \
    LEVEL::fill_scatter_complex(t); \
    LEVEL::fill_gemm(t);            \
    LEVEL::fill_random(t);          \
    LEVEL::fill_rejection(t);       \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

#if defined(__x86_64__)
bool runs_v2() { return __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("popcnt") != 0; }
[[maybe_unused]] bool runs_v3() {
  return runs_v2() && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
         __builtin_cpu_supports("f16c") != 0;
}
[[maybe_unused]] bool runs_v4() {
  return runs_v3() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}
#else
bool runs_base() { return true; }
#endif

// In ascending order.
constexpr Level levels[] = {
#define ARR_HOST_LEVEL(LEVEL) {#LEVEL, fill_##LEVEL, runs_##LEVEL},
#include "host_levels.def"
#undef ARR_HOST_LEVEL
};

// True also for a level that this build or the processor lacks.
bool is_level(std::string_view name) {
  return name == "v2" || name == "v3" || name == "v4" ||
         std::any_of(std::begin(levels), std::end(levels), [&](const Level& l) { return name == l.name; });
}

// ARR_ISA can only lower the level: code for a level that the CPU lacks would crash. The names of levels
// ascend.
LoopTable* choose() {
  static LoopTable table;
  const char* asked = std::getenv("ARR_ISA");
  if (asked != nullptr && *asked == '\0') asked = nullptr;
  if (asked != nullptr && !is_level(asked)) {
    fail(ARR_E_ARGUMENT, "ARR_ISA: \"", asked, "\" is not one of v2, v3, v4");
  }
  if (asked != nullptr && std::string_view(levels[0].name) > asked) {
    fail(ARR_E_UNSUPPORTED, "ARR_ISA: \"", asked, "\": the lowest level of this library is ", levels[0].name,
         " (ARR_HOST_LEVELS)");
  }
  const Level* best = nullptr;
  for (const Level& level : levels) {
    if (level.runs() && (asked == nullptr || std::string_view(level.name) <= asked)) best = &level;
  }
  if (best == nullptr) {
    fail(ARR_E_UNSUPPORTED, "this library was built for processors of level ", levels[0].name,
         " and above (ARR_HOST_LEVELS); this one has fewer instructions");
  }
  best->fill(table);
  return &table;
}

}  // namespace

const LoopTable& loops() {
  static const LoopTable* const table = choose();
  return *table;
}

}  // namespace arr::host
