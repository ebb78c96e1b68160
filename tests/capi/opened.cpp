// SPDX-License-Identifier: MIT
// opened HOW LIBRARY DEVICE: a program that opens libarr itself: and closes it again and again (close), while
// a thread that used it still runs (thread), when that has ended (behind), and before it forks (fork); or has
// it twice, the other one in a namespace of the loader's (namespace).
#include <arr/arr.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

namespace {

[[noreturn]] void give_up(const char* what, const char* why) {
  std::fprintf(stderr, "%s: %s\n", what, why);
  std::_Exit(1);
}

class Library {
 public:
  explicit Library(void* opened) : opened_(opened) {
    if (opened == nullptr) give_up("opening", dlerror());
  }
  // Calls a function of the library, which is to say ARR_OK.
  template <class... Args>
  void does(const char* name, Args... args) const {
    const auto f = reinterpret_cast<arr_status (*)(Args...)>(find(name));
    if (f(args...) != ARR_OK) give_up(name, reinterpret_cast<const char* (*)()>(find("arr_last_error"))());
  }
  void close() const {
    if (dlclose(opened_) != 0) give_up("closing", dlerror());
  }

 private:
  [[nodiscard]] void* find(const char* name) const {
    void* f = dlsym(opened_, name);
    if (f == nullptr) give_up(name, dlerror());
    return f;
  }
  void* opened_;
};

std::string path;
arr_device device{ARR_HOST, 0};

Library opened() { return Library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)); }

// On all threads of the host, and in a stream.
void work(const Library& l, int64_t n) {
  arr_stream stream = nullptr;
  arr_array a = nullptr, b = nullptr, s = nullptr;
  arr_value v{};
  double sum = 0;
  const arr_device* where = &device;
  const int64_t* shape = &n;
  const int32_t* axes = nullptr;
  l.does("arr_stream_create", where, int32_t{0}, &stream);
  l.does("arr_ones", int32_t{ARR_FLOAT64}, int32_t{1}, shape, int32_t{ARR_ORDER_C}, where, stream, &a);
  l.does("arr_add", a, a, stream, &b);
  l.does("arr_sum", b, int32_t{0}, axes, int32_t{0}, stream, &s);
  l.does("arr_item", s, int64_t{0}, stream, &v);
  std::memcpy(&sum, &v.lo, sizeof sum);
  if (sum != 2.0 * static_cast<double>(n)) give_up("the sum", std::to_string(sum).c_str());
  for (arr_array x : {a, b, s}) l.does("arr_release", x);
  l.does("arr_stream_release", stream);
}

void open_and_close() {
  for (int i = 0; i < 20; ++i) {
    const Library l = opened();
    work(l, 300000);
    l.close();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // for the threads that it has started
}

void close_under_a_thread() {
  const Library l = opened();
  std::atomic<bool> worked{false}, closed{false};
  std::thread other([&] {
    work(l, 1000);
    worked = true;
    while (!closed) std::this_thread::yield();
  });
  while (!worked) std::this_thread::yield();
  l.close();
  closed = true;
  other.join();
  open_and_close();
}

// Nothing holds the library when the thread that used it has ended.
void close_behind_a_thread() {
  for (int i = 0; i < 20; ++i) {
    std::unique_ptr<Library> l;
    std::thread([&] {
      l = std::make_unique<Library>(opened());
      work(*l, 300000);
    }).join();
    l->close();
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) == nullptr)
      give_up("closing", "its threads have no code");
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void close_and_fork() {
  open_and_close();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  waitpid(child, &status, 0);
  if (status != 0) give_up("the child", std::to_string(status).c_str());
  open_and_close();
}

#ifdef LM_ID_NEWLM  // of glibc
void two_of_them() {
  const Library here = opened(), there(dlmopen(LM_ID_NEWLM, path.c_str(), RTLD_NOW | RTLD_LOCAL));
  // By this thread alone, and on no other: of a second C library in a process glibc (2.36) makes no other
  // thread's variables, and crashes when oneTBB opens its allocator with RTLD_GLOBAL there.
  for (int i = 0; i < 50; ++i) {
    work(there, 1000);
    work(here, 200000);
  }
}
#else
void two_of_them() {
  puts("skipped: this C library has no dlmopen()");
  std::exit(77);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 3;
  const std::string how = argv[1];
  path = argv[2];
  if (std::strcmp(argv[3], "cuda") == 0) device.type = ARR_CUDA;
  if (how == "close")
    open_and_close();
  else if (how == "thread")
    close_under_a_thread();
  else if (how == "behind")
    close_behind_a_thread();
  else if (how == "fork")
    close_and_fork();
  else if (how == "namespace")
    two_of_them();
  else
    return 3;
  return 0;
}
