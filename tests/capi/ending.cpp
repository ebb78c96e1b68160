// SPDX-License-Identifier: MIT
// ending WHEN: the end of a process that uses the library up to it: arrays released in a function of atexit()
// that was registered before the library was first called, in the destructor of a static object, or a thread
// that still computes.
#include <arr/arr.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

arr_array made = nullptr;
arr_stream stream = nullptr;

void check(arr_status status, const char* what) {
  if (status == ARR_OK) return;
  std::fprintf(stderr, "%s: %s\n", what, arr_last_error());
  std::_Exit(1);
}

arr_array ones(int64_t n) {
  arr_array a = nullptr;
  check(arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, nullptr, stream, &a), "arr_ones");
  return a;
}

// Computes with the library as if the process were young.
void work(int64_t n) {
  arr_array a = ones(n), b = nullptr, s = nullptr;
  check(arr_add(a, a, stream, &b), "arr_add");
  check(arr_sum(b, 0, nullptr, 0, stream, &s), "arr_sum");
  arr_value v{};
  check(arr_item(s, 0, nullptr, &v), "arr_item");
  double sum = 0;
  std::memcpy(&sum, &v.lo, sizeof sum);
  if (sum != 2.0 * static_cast<double>(n)) std::_Exit(2);
  for (arr_array x : {a, b, s}) check(arr_release(x), "arr_release");
}

void release_all() {
  work(100);
  check(arr_release(made), "arr_release at the end");
  check(arr_stream_release(stream), "arr_stream_release at the end");
}

// Destroyed behind the functions of atexit() that are registered when it exists.
struct Holder {
  bool last = false;
  ~Holder() {
    if (last) release_all();
  }
} holder;

}  // namespace

int main(int argc, char** argv) {
  const char* when = argc > 1 ? argv[1] : "";
  if (std::strcmp(when, "atexit") == 0 && std::atexit(release_all) != 0) return 3;
  holder.last = std::strcmp(when, "static") == 0;
  check(arr_stream_create(nullptr, 0, &stream), "arr_stream_create");
  made = ones(1000);
  work(200000);
  if (std::strcmp(when, "thread") == 0) {
    static std::atomic<int64_t> rounds{0};
    std::thread([] {
      for (;;) {
        work(50000);
        ++rounds;
      }
    }).detach();
    while (rounds < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return 0;
}
