// SPDX-License-Identifier: MIT
// call_costs TABLE [--write]: the fixed cost of calls. Counts the instructions and allocations of one call
// per row of TABLE, all of few elements, and fails where a call needs more than its row allows; --write makes
// the table again. A child process makes the calls, and this process counts the instructions that it retires
// by single steps: an exact number, however busy the machine is.
#include <arr/arr.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "failing_new/failing_new.h"

namespace {

constexpr int skipped = 77;
// Compilers and C libraries differ.
constexpr double margin = 1.25;
constexpr int64_t slack = 60;

// True if the loops are those that the table was measured with: lower levels of instructions take more of
// them.
bool has_loops_of_table() {
#if defined(__x86_64__)
  return std::getenv("ARR_ISA") == nullptr && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#else
  return false;
#endif
}

[[noreturn]] void end(int status, const char* text) {
  std::fprintf(status == skipped ? stdout : stderr, "%s\n", text);
  std::fflush(nullptr);
  std::_Exit(status);
}
void check(arr_status status) {
  if (status != ARR_OK) end(1, arr_last_error());
}

// ------------------------------------------------------------------------------------------- the calls

constexpr int64_t few = 10, many = 100;

template <class T>
arr_array vector(arr_dtype dtype, int64_t n, T (*at)(int64_t)) {
  arr_array a = nullptr;
  check(arr_create(dtype, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a));
  std::string bytes(static_cast<size_t>(n) * sizeof(T), 0);
  for (int64_t i = 0; i < n; ++i) {
    const T x = at(i);
    std::memcpy(&bytes[static_cast<size_t>(i) * sizeof(T)], &x, sizeof x);
  }
  check(arr_set(a, ARR_ORDER_C, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr));
  return a;
}
arr_array matrix(int64_t side) {
  const int64_t shape[] = {side, side};
  arr_array flat = vector<double>(ARR_FLOAT64, side * side,
                                  [](int64_t i) { return static_cast<double>(i * 7919 % 101) / 101; });
  arr_array a = nullptr;
  check(arr_reshape(flat, 2, shape, ARR_ORDER_C, nullptr, &a));
  return a;
}
arr_value number(double x) {
  arr_value v;
  arr_value_f64(&v, x);
  arr_value_weak(&v);
  return v;
}

struct Data {
  arr_array x = vector<double>(ARR_FLOAT64, few, [](int64_t i) { return static_cast<double>(i * 7 % few); });
  arr_array y = vector<double>(ARR_FLOAT64, few, [](int64_t i) { return static_cast<double>(i); });
  arr_array z = vector<double>(ARR_FLOAT64, 8, [](int64_t i) { return static_cast<double>(i); });
  arr_array whole = vector<int64_t>(ARR_INT64, few, [](int64_t i) { return i * 7 % few; });
  arr_array mask = vector<bool>(ARR_BOOL, few, [](int64_t i) { return i % 2 == 0; });
  arr_array small = matrix(4), rows = matrix(16);
  arr_generator g = nullptr;
  arr_value half = number(0.5);
  arr_value zero_to[3] = {number(0), number(few), number(1)};
  Data() {
    const int64_t seed = 5;
    check(arr_generator_create(1, &seed, &g));
  }
};

struct Row {
  const char* name;
  arr_status (*call)(const Data& d, arr_array* out);
};

const int32_t axis_1 = 1;
const int64_t shape_few[] = {few}, shape_many[] = {many}, shape_pair[] = {2, few / 2};

const Row elementwise_rows[] = {
    {"nothing", [](const Data&, arr_array*) { return ARR_OK; }},
    {"add", [](const Data& d, arr_array* out) { return arr_add(d.x, d.y, nullptr, out); }},
    {"add_into", [](const Data& d, arr_array*) { return arr_add_into(d.y, d.x, d.x, nullptr); }},
    {"exp", [](const Data& d, arr_array* out) { return arr_exp(d.x, nullptr, out); }},
    {"where", [](const Data& d, arr_array* out) { return arr_where(d.mask, d.x, d.y, nullptr, out); }},
    {"select",
     [](const Data& d, arr_array* out) { return arr_select(1, &d.mask, &d.x, &d.half, nullptr, out); }},
    {"evaluate",
     [](const Data& d, arr_array* out) {
       arr_value in[2];
       arr_value_array(&in[0], d.x);
       arr_value_array(&in[1], d.y);
       return arr_evaluate("2*x + y", -1, 2, in, nullptr, out);
     }},
    {"astype",
     [](const Data& d, arr_array* out) {
       return arr_astype(d.x, ARR_FLOAT32, ARR_CAST_UNSAFE, ARR_ORDER_K, nullptr, out);
     }},
    {"copy", [](const Data& d, arr_array* out) { return arr_copy(d.x, ARR_ORDER_K, nullptr, out); }},
    {"reshape", [](const Data& d,
                   arr_array* out) { return arr_reshape(d.x, 2, shape_pair, ARR_ORDER_C, nullptr, out); }},
    {"transpose", [](const Data& d, arr_array* out) { return arr_transpose(d.small, 0, nullptr, out); }},
    {"zeros",
     [](const Data&, arr_array* out) {
       return arr_zeros(ARR_FLOAT64, 1, shape_few, ARR_ORDER_C, nullptr, nullptr, out);
     }},
    {"arange",
     [](const Data& d, arr_array* out) {
       return arr_arange(&d.zero_to[0], &d.zero_to[1], &d.zero_to[2], ARR_FLOAT64, nullptr, nullptr, out);
     }},
    {"linspace",
     [](const Data&, arr_array* out) {
       return arr_linspace(0, 1, few, true, ARR_FLOAT64, nullptr, nullptr, out);
     }},
};

const Row reduce_rows[] = {
    {"sum", [](const Data& d, arr_array* out) { return arr_sum(d.x, 0, nullptr, false, nullptr, out); }},
    {"mean", [](const Data& d, arr_array* out) { return arr_mean(d.x, 0, nullptr, false, nullptr, out); }},
    {"max", [](const Data& d, arr_array* out) { return arr_max(d.x, 0, nullptr, false, nullptr, out); }},
    {"argmax",
     [](const Data& d, arr_array* out) { return arr_argmax(d.x, 0, nullptr, false, nullptr, out); }},
    {"argmin_rows",
     [](const Data& d, arr_array* out) { return arr_argmin(d.small, 1, &axis_1, false, nullptr, out); }},
    {"cumsum", [](const Data& d, arr_array* out) { return arr_cumsum(d.x, 0, ARR_FLOAT64, nullptr, out); }},
    {"softmax", [](const Data& d, arr_array* out) { return arr_softmax(d.rows, 1, &axis_1, nullptr, out); }},
    {"median",
     [](const Data& d, arr_array* out) { return arr_median(d.x, 0, nullptr, false, nullptr, out); }},
    {"percentile",
     [](const Data& d, arr_array* out) {
       const double q = 30;
       return arr_percentile(d.x, 1, &q, 0, nullptr, false, ARR_QUANTILE_LINEAR, nullptr, out);
     }},
};

const Row indexing_rows[] = {
    {"take",
     [](const Data& d, arr_array* out) { return arr_take(d.x, d.whole, 0, ARR_BOUNDS_RAISE, nullptr, out); }},
    {"take_along_axis",
     [](const Data& d, arr_array* out) {
       return arr_take_along_axis(d.x, d.whole, 0, ARR_BOUNDS_RAISE, nullptr, out);
     }},
    {"put",
     [](const Data& d, arr_array*) { return arr_put(d.y, d.whole, &d.half, ARR_BOUNDS_RAISE, nullptr); }},
    {"get_items_slice", [](const Data& d, arr_array* out) { return ARR_GET(d.x, out, ARR_SLICE(2, 8)); }},
    {"get_items_array", [](const Data& d, arr_array* out) { return ARR_GET(d.x, out, ARR_ARRAY(d.whole)); }},
    {"get_items_mask", [](const Data& d, arr_array* out) { return ARR_GET(d.x, out, ARR_ARRAY(d.mask)); }},
    {"set_items_slice", [](const Data& d, arr_array*) { return ARR_SET(d.y, &d.half, ARR_SLICE(2, 8)); }},
    {"set_items_array", [](const Data& d, arr_array*) { return ARR_SET(d.y, &d.half, ARR_ARRAY(d.whole)); }},
    {"concatenate",
     [](const Data& d, arr_array* out) {
       const arr_array both[] = {d.x, d.y};
       return arr_concatenate(2, both, 0, 0, nullptr, out);
     }},
    {"stack",
     [](const Data& d, arr_array* out) {
       const arr_array both[] = {d.x, d.y};
       return arr_stack(2, both, 0, 0, nullptr, out);
     }},
    {"nonzero", [](const Data& d, arr_array* out) { return arr_flatnonzero(d.x, nullptr, out); }},
};

const Row sorting_rows[] = {
    {"sort", [](const Data& d, arr_array* out) { return arr_sort(d.x, 0, false, nullptr, out); }},
    {"argsort", [](const Data& d, arr_array* out) { return arr_argsort(d.x, 0, false, nullptr, out); }},
    {"unique",
     [](const Data& d, arr_array* out) {
       return arr_unique(d.x, ARR_AXIS_NONE, ARR_UNIQUE_SORTED | ARR_UNIQUE_EQUAL_NAN, nullptr, out, nullptr,
                         nullptr, nullptr);
     }},
    {"searchsorted",
     [](const Data& d, arr_array* out) {
       return arr_searchsorted(d.z, d.x, ARR_SEARCH_LEFT, nullptr, nullptr, out);
     }},
};

// Without functions of LAPACK, whose libraries differ.
const Row other_rows[] = {
    {"random_normal",
     [](const Data& d, arr_array* out) {
       return arr_random_normal(d.g, nullptr, nullptr, ARR_FLOAT64, 1, shape_many, nullptr, nullptr, out);
     }},
    {"random_uniform",
     [](const Data& d, arr_array* out) {
       return arr_random_uniform(d.g, nullptr, nullptr, ARR_FLOAT64, 1, shape_many, nullptr, nullptr, out);
     }},
    {"matmul", [](const Data& d, arr_array* out) { return arr_matmul(d.small, d.small, nullptr, out); }},
    {"dot", [](const Data& d, arr_array* out) { return arr_dot(d.x, d.y, nullptr, out); }},
    {"einsum",
     [](const Data& d, arr_array* out) {
       const arr_array both[] = {d.small, d.small};
       return arr_einsum("ij,jk->ik", 2, both, ARR_EINSUM_AUTO, nullptr, out);
     }},
    {"fft",
     [](const Data& d, arr_array* out) { return arr_fft(d.z, -1, 0, ARR_FFT_BACKWARD, nullptr, out); }},
    {"rfft",
     [](const Data& d, arr_array* out) { return arr_rfft(d.z, -1, 0, ARR_FFT_BACKWARD, nullptr, out); }},
};

template <class Visit>
void each_row(Visit&& visit) {
  for (const Row& r : elementwise_rows) visit(r);
  for (const Row& r : reduce_rows) visit(r);
  for (const Row& r : indexing_rows) visit(r);
  for (const Row& r : sorting_rows) visit(r);
  for (const Row& r : other_rows) visit(r);
}

// A call, and the release of its result.
void run(const Row& row, const Data& d) {
  arr_array out = nullptr;
  if (row.call(d, &out) != ARR_OK) end(1, arr_last_error());
  check(arr_release(out));
}

// ------------------------------------------------------------------------------------------ the counts

// The counts of the child itself, in memory that it shares with its parent.
constexpr size_t max_rows = 128;
struct Shared {
  int64_t allocations[max_rows];
};

// Stops twice for each row: before the call that is counted, and after it.
[[noreturn]] void be_child(Shared* shared) {
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) end(skipped, "skipped: ptrace is not permitted");
  raise(SIGSTOP);
  const Data d;
  size_t at = 0;
  each_row([&](const Row& row) {
    for (int32_t i = 0; i < 4; ++i) run(row, d);
    constexpr int64_t enough = 1 << 30;
    arr_test::fail_allocation(enough);
    run(row, d);
    shared->allocations[at++] = enough - arr_test::allocations_left();
    (void)arr_test::stop_failing();
    raise(SIGSTOP);
    run(row, d);
    raise(SIGSTOP);
  });
  std::_Exit(0);
}

// Lets the child run until it stops itself.
void await_stop(pid_t child) {
  int state = 0;
  for (;;) {
    if (waitpid(child, &state, 0) != child) end(1, "waitpid failed");
    if (WIFEXITED(state)) std::_Exit(WEXITSTATUS(state) == skipped ? skipped : 1);
    if (!WIFSTOPPED(state)) end(1, "the process that makes the calls ended");
    if (WSTOPSIG(state) == SIGSTOP) return;
    if (WSTOPSIG(state) != SIGTRAP) end(1, "the process that makes the calls got a signal");
    ptrace(PTRACE_CONT, child, nullptr, nullptr);  // a last step, behind the end of a count
  }
}

// The number of steps until the child stops itself again.
int64_t count_steps(pid_t child) {
  constexpr int64_t max_steps = 2'000'000;
  for (int64_t n = 0; n < max_steps; ++n) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) {
      end(skipped, "skipped: this system has no single steps");
    }
    int state = 0;
    if (waitpid(child, &state, 0) != child || !WIFSTOPPED(state)) end(1, "the process ended in a call");
    if (WSTOPSIG(state) == SIGSTOP) return n;
    if (WSTOPSIG(state) != SIGTRAP) end(1, "a call got a signal");
  }
  // On processors without atomic instructions, an exclusive store fails after each step.
  end(skipped, "skipped: a call does not end in single steps");
}

struct Cost {
  int64_t instructions = 0, allocations = 0;
};

using Table = std::map<std::string, Cost>;

Table measure() {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) end(1, "mmap failed");
  auto* shared = static_cast<Shared*>(memory);
  const pid_t child = fork();
  if (child < 0) end(1, "fork failed");
  if (child == 0) be_child(shared);
  await_stop(child);
  Table costs;
  int64_t empty = 0;  // steps of the stop itself
  size_t at = 0;
  each_row([&](const Row& row) {
    ptrace(PTRACE_CONT, child, nullptr, nullptr);
    await_stop(child);
    const int64_t steps = count_steps(child);
    if (at == 0) empty = steps;
    costs[row.name] = {steps - empty, shared->allocations[at++]};
  });
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  int state = 0;
  waitpid(child, &state, 0);
  return costs;
}

Table read(const char* path) {
  std::ifstream in(path);
  if (!in) end(1, "the table cannot be read");
  Table table;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    Cost c;
    if (!(words >> name >> c.instructions >> c.allocations)) end(1, ("not a row: " + line).c_str());
    table[name] = c;
  }
  return table;
}

void write(const char* path, const Table& costs) {
  std::ofstream out(path);
  out << "# Cost of one call on few elements and of the release of its result (call_costs.cpp): name,\n"
         "# instructions with AVX-512, allocations. Made by: capi_call_costs tests/capi/call_costs.tsv "
         "--write\n";
  each_row([&](const Row& row) {
    const Cost& c = costs.at(row.name);
    out << row.name << '\t' << c.instructions << '\t' << c.allocations << '\n';
  });
  if (!out.flush()) end(1, "the table cannot be written");
}

// Prints all counts; returns the number of those that exceed their row.
int32_t compare(const Table& costs, const Table& table) {
  int32_t over = 0;
  const bool counted = has_loops_of_table();
  if (!counted) std::printf("instructions are not compared: the table is of loops with AVX-512\n");
  std::printf("%-18s %12s %8s %12s %8s\n", "call", "instructions", "of", "allocations", "of");
  each_row([&](const Row& row) {
    const Cost& c = costs.at(row.name);
    const auto found = table.find(row.name);
    if (found == table.end()) end(1, ("no row for " + std::string(row.name)).c_str());
    const Cost& most = found->second;
    const auto limit = static_cast<int64_t>(static_cast<double>(most.instructions) * margin) + slack;
    const bool bad = (counted && c.instructions > limit) || c.allocations > most.allocations;
    over += bad ? 1 : 0;
    std::printf("%-18s %12ld %8ld %12ld %8ld%s\n", row.name, static_cast<long>(c.instructions),
                static_cast<long>(most.instructions), static_cast<long>(c.allocations),
                static_cast<long>(most.allocations), bad ? "  too many" : "");
  });
  return over;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) end(2, "usage: call_costs TABLE [--write]");
  const Table costs = measure();
  if (argc > 2 && std::strcmp(argv[2], "--write") == 0) {
    write(argv[1], costs);
    return 0;
  }
  return compare(costs, read(argv[1])) == 0 ? 0 : 1;
}
