// SPDX-License-Identifier: MIT
// probe [THREADS]: asks for the CUDA backend, from many threads at once where that is said, and prints what
// came of it: "state N", then the report. A process each, because the answer is remembered.
#include <arr/arr.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

std::string asked() {
  int32_t state = -1;
  char report[8192];
  int64_t length = 0;
  const arr_status status = arr_backend_probe(ARR_CUDA, &state, sizeof report, report, &length);
  if (status != ARR_OK) return std::string("error ") + arr_last_error() + "\n";
  return "state " + std::to_string(state) + "\n" + report;
}

// The host works after any failure to load.
bool host_works() {
  const int64_t n = 5;
  arr_array a = nullptr, s = nullptr;
  arr_value v{};
  double sum = 0;
  if (arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a) != ARR_OK ||
      arr_sum(a, 0, nullptr, false, nullptr, &s) != ARR_OK || arr_item(s, 0, nullptr, &v) != ARR_OK)
    return false;
  std::memcpy(&sum, &v.lo, sizeof sum);
  return sum == 5 && arr_release(a) == ARR_OK && arr_release(s) == ARR_OK;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  std::vector<std::string> answers(static_cast<size_t>(threads));
  std::vector<std::thread> all;
  std::atomic<int> waiting{threads};
  for (std::string& answer : answers) {
    all.emplace_back([&] {
      for (--waiting; waiting != 0;) std::this_thread::yield();
      answer = asked();
    });
  }
  for (std::thread& t : all) t.join();
  for (const std::string& answer : answers) {
    if (answer != answers[0])
      return std::fprintf(stderr, "two answers: %s%s", answer.c_str(), answers[0].c_str()), 4;
  }
  const std::string again = asked();
  std::printf("%s%s", answers[0].c_str(), again == answers[0] ? "" : ("then " + again).c_str());
  return host_works() ? 0 : 3;
}
