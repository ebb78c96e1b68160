// SPDX-License-Identifier: MIT
// ending WHEN [cuda]: the end of a process that uses the library up to it: arrays released in a function of
// atexit() that was registered before the library was first called (atexit), in the destructor of a static
// object (static); a thread that still computes (thread), or that ends the process (exit); objects of every
// kind that nobody releases (left); a program that takes the process's place while threads compute (exec).
// ending forks: a process that forks while its threads are in their first calls of the library.
#include <arr/arr.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

arr_device device{ARR_HOST, 0};
arr_array made = nullptr;
arr_stream stream = nullptr;

void check(arr_status status, const char* what) {
  if (status == ARR_OK) return;
  std::fprintf(stderr, "%s: %s\n", what, arr_last_error());
  std::_Exit(1);
}

arr_array ones(int64_t n) {
  arr_array a = nullptr;
  check(arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &device, stream, &a), "arr_ones");
  return a;
}

// Computes with the library as if the process were young.
void work(int64_t n) {
  arr_array a = ones(n), b = nullptr, s = nullptr;
  check(arr_add(a, a, stream, &b), "arr_add");
  check(arr_sum(b, 0, nullptr, false, stream, &s), "arr_sum");
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

// Beside what main() has made.
void make_more() {
  static arr_event event = nullptr;
  static arr_generator generator = nullptr;
  static arr_module module = nullptr;
  static arr_kernel kernel = nullptr;
  static arr_graph graph = nullptr;
  const int64_t seed = 1;
  arr_value one{};
  arr_value_f64(&one, 1);
  check(arr_event_create(&device, 0, &event), "arr_event_create");
  check(arr_event_record(event, stream), "arr_event_record");
  check(arr_generator_create(1, &seed, &generator), "arr_generator_create");
  check(arr_module_create("extern \"C\" __global__ void k(double* x) { *x = 1; }", -1, &device, 0, nullptr,
                          &module),
        "arr_module_create");
  check(arr_module_kernel(module, "k", &kernel), "arr_module_kernel");
  check(arr_graph_begin(stream), "arr_graph_begin");
  check(arr_fill(made, &one, stream), "arr_fill");
  check(arr_graph_end(stream, &graph), "arr_graph_end");
  check(arr_graph_begin(stream), "arr_graph_begin");  // and never ended
}

// Returns when it has computed for a while.
void start_a_thread() {
  static std::atomic<int64_t> rounds{0};
  std::thread([] {
    for (;;) {
      work(50000);
      ++rounds;
    }
  }).detach();
  while (rounds < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// The children make their first calls, too, or lose the library to the threads of the parent. Whoever waits
// for a lock or a static object that such a thread had is ended by a signal.
int fork_at_once() {
  for (int k = 0; k < 4; ++k) {
    std::thread([] {
      for (;;) work(100000);
    }).detach();
  }
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(200);
      int32_t n = 0;
      if (arr_device_count(ARR_HOST, &n) != ARR_E_LOST) work(100000);
      _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
      std::fprintf(stderr, "fork %d: the child's status is %x\n", k, static_cast<unsigned>(status));
      std::_Exit(1);
    }
  }
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string when = argc > 1 ? argv[1] : "";
  if (argc > 2) device.type = ARR_CUDA;
  if (when == "forks") return fork_at_once();
  if (when == "atexit" && std::atexit(release_all) != 0) return 3;
  holder.last = when == "static";
  check(arr_stream_create(&device, 0, &stream), "arr_stream_create");
  made = ones(1000);
  work(200000);
  if (when == "left") make_more();
  if (when == "thread" || when == "exec") start_a_thread();
  if (when == "exec") {
    if (argc > 2) return execl(argv[0], argv[0], "static", argv[2], nullptr);
    return execl(argv[0], argv[0], "static", nullptr);
  }
  if (when == "exit") {
    std::thread([] { std::exit(0); }).detach();
    for (;;) work(50000);
  }
  return 0;
}
