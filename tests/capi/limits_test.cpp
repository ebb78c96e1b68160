// SPDX-License-Identifier: MIT
// Processes that may have little: threads, address space, file descriptors, disk; and variables of the
// environment that say what cannot be. Each in a child that has not used the library before.
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>

#include "support.h"

namespace {

// The fault found in a child, in words; empty for none.
using Body = std::function<std::string()>;

std::string in_child(const Body& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);
    const std::string wrong = body();
    const bool told = write(ends[1], wrong.data(), wrong.size()) == static_cast<ssize_t>(wrong.size());
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  std::string wrong;
  char part[256];
  for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;) wrong.append(part, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) wrong += " ended by signal " + std::to_string(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) wrong += " ended by itself";
  return wrong;
}

std::string skipped(const std::string& why) { return "SKIP " + why; }
#define ARR_EXPECT_RIGHT(...)                                      \
  do {                                                             \
    const std::string said = in_child(__VA_ARGS__);                \
    if (said.starts_with("SKIP ")) GTEST_SKIP() << said.substr(5); \
    EXPECT_EQ(said, "");                                           \
  } while (false)

double item_of(arr_array a) {
  arr_array s = nullptr;
  arr_value v{};
  double x = -1;
  if (arr_sum(a, 0, nullptr, false, nullptr, &s) == ARR_OK && arr_item(s, 0, nullptr, &v) == ARR_OK) {
    std::memcpy(&x, &v.lo, sizeof x);
  }
  arr_release(s);
  arr_release(a);
  return x;
}

// Each of the library's parts once, large enough for several threads. may: the status that a call may have
// besides.
std::string computes(arr_status may = ARR_OK) {
  std::string wrong;
  const auto expect = [&](const char* what, arr_status s, arr_array made, double sum) {
    if (s != ARR_OK && s == may) return;
    if (s != ARR_OK) {
      wrong += std::string(what) + ": " + arr_last_error() + "; ";
    } else if (const double got = item_of(made); got != sum && !(got == -1 && may != ARR_OK)) {
      wrong += std::string(what) + ": " + std::to_string(got) + "; ";
    }
  };
  const int64_t many = 1 << 20;
  arr_array a = nullptr, out = nullptr;
  arr_status s = arr_ones(ARR_FLOAT64, 1, &many, ARR_ORDER_C, nullptr, nullptr, &a);
  if (s != ARR_OK) return s == may ? "" : std::string("ones: ") + arr_last_error();
  s = arr_sqrt(a, nullptr, &out);
  expect("sqrt", s, out, 1 << 20);
  s = arr_cumsum(a, 0, 0, nullptr, &out);
  expect("cumsum", s, out, 0.5 * (1 << 20) * ((1 << 20) + 1.0));
  s = arr_fft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, &out);
  expect("fft", s, out, 1 << 20);
  arr_release(a);
  s = arr_eye(200, 200, 0, ARR_FLOAT64, ARR_ORDER_C, nullptr, nullptr, &a);
  if (s != ARR_OK) return wrong;
  s = arr_matmul(a, a, nullptr, &out);
  expect("matmul", s, out, 200);
  s = arr_inv(a, 0, nullptr, &out);
  expect("inv", s, out, 200);
  arr_release(a);
  return wrong;
}

const char* const source = "extern \"C\" __global__ void k(int* o) { o[threadIdx.x] = 42; }";

// A source that no cache has.
std::string new_source() {
  static int count = 0;
  return std::string(source) + "  // " + std::to_string(getpid()) + " " + std::to_string(count++);
}
arr_status compiles(std::string* log = nullptr) {
  arr_module m = nullptr;
  const std::string text = new_source();
  const arr_status s = arr_module_create(text.c_str(), -1, nullptr, 0, nullptr, &m);
  if (s == ARR_OK && log != nullptr) {
    int64_t length = 0;
    char buffer[8192];
    if (arr_module_log(m, sizeof buffer, buffer, &length) == ARR_OK) *log = buffer;
  }
  arr_module_release(m);
  return s;
}

void limit(decltype(RLIMIT_AS) resource, rlim_t max) {
  rlimit r{};
  getrlimit(resource, &r);
  r.rlim_cur = max;
  setrlimit(resource, &r);
}

TEST(Limits, OneProcess) {
  ARR_EXPECT_RIGHT([] {
    limit(RLIMIT_NPROC, 1);
    if (geteuid() == 0 && setuid(65534) != 0) return skipped("root, and cannot become another user");
    return computes();
  });
}

// Then threads again: what was refused is not remembered for ever, and calls go on.
TEST(Limits, OneProcessForAWhile) {
  if (geteuid() == 0) GTEST_SKIP() << "root has no limit of processes";
  ARR_EXPECT_RIGHT([] {
    rlimit before{};
    getrlimit(RLIMIT_NPROC, &before);
    limit(RLIMIT_NPROC, 1);
    std::string wrong = computes();
    limit(RLIMIT_NPROC, before.rlim_cur);
    sleep(2);
    return wrong + computes();
  });
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need address space of their own
TEST(Limits, AddressSpace) {
  for (const rlim_t mib : {80U, 120U, 160U, 200U, 250U, 300U, 400U, 600U, 1000U, 2000U}) {
    SCOPED_TRACE(mib);
    ARR_EXPECT_RIGHT([mib] {
      limit(RLIMIT_AS, mib << 20);
      std::string wrong = computes(ARR_E_MEMORY);
      limit(RLIMIT_AS, RLIM_INFINITY);
      return wrong + computes();  // with memory again it computes
    });
  }
}
#endif

TEST(Limits, FileDescriptors) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer needs descriptors to look at an object's type";
#endif
  ARR_EXPECT_RIGHT([]() -> std::string {
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    setenv("ARR_CACHE_DIR", "/proc/nowhere", 1);  // a compiler that is not known
    limit(RLIMIT_NOFILE, 3);
    const auto refused = [](const char* what, arr_status s) -> std::string {
      if (s == ARR_E_IO && std::strstr(arr_last_error(), std::strerror(EMFILE)) != nullptr) return "";
      return std::string(what) + ": status " + std::to_string(s) + " " + arr_last_error() + "; ";
    };
    std::string wrong = refused("a compilation", compiles());
    arr_array a = nullptr, out = nullptr;
    if (arr_eye(300, 300, 0, ARR_FLOAT64, ARR_ORDER_C, nullptr, nullptr, &a) != ARR_OK) return "no array";
    wrong += refused("matmul", arr_matmul(a, a, nullptr, &out));
    int32_t count = 0;
    wrong += refused("arr_device_count", arr_device_count(ARR_CUDA, &count));
    limit(RLIMIT_NOFILE, before.rlim_cur);
    if (compiles() != ARR_OK) wrong += std::string("then a compilation: ") + arr_last_error() + "; ";
    if (arr_matmul(a, a, nullptr, &out) != ARR_OK) wrong += std::string("then matmul: ") + arr_last_error();
    if (arr_device_count(ARR_CUDA, &count) != ARR_OK) wrong += std::string("then: ") + arr_last_error();
    return wrong;
  });
}

// A file system of 64 KiB where the kernels are to be kept.
std::string with_small_disk(const std::function<std::string(const std::string&)>& body) {
  char folder[] = "/tmp/arr-limits-test-XXXXXX";
  if (mkdtemp(folder) == nullptr) return "no folder";
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", folder, "tmpfs", 0, "size=64k,mode=700") != 0) {
    rmdir(folder);
    return skipped("file systems are not for this user to mount");
  }
  setenv("ARR_CACHE_DIR", folder, 1);
  std::string wrong = body(folder);
  umount2(folder, MNT_DETACH);
  rmdir(folder);
  return wrong;
}

std::string expect_in(const std::string& log, const std::string& part) {
  return log.find(part) != std::string::npos ? "" : part + " is not in: " + log;
}

TEST(Limits, AFullDiskIsInTheModulesLog) {
  ARR_EXPECT_RIGHT([] {
    return with_small_disk([](const std::string& folder) -> std::string {
      std::ofstream(folder + "/fill") << std::string(std::size_t{1} << 20, 'x') << std::flush;
      std::string log;
      if (compiles(&log) != ARR_OK) return arr_last_error();
      return expect_in(log, "kept: cache directory " + folder + "/host-kernels: ") +
             expect_in(log, "No space left on device");
    });
  });
}

TEST(Limits, ADiskToReadOnlyIsInTheModulesLog) {
  ARR_EXPECT_RIGHT([] {
    return with_small_disk([](const std::string& folder) -> std::string {
      if (mount("none", folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0)
        return "not remounted";
      std::string log;
      if (compiles(&log) != ARR_OK) return arr_last_error();
      return expect_in(log, "kernels are not kept: cache directory " + folder +
                                "/host-kernels: cannot be made: Read-only file system");
    });
  });
}

// ------------------------------------------------------------------------------------------ variables

std::string& lines() {
  static std::string all;
  return all;
}
void log_lines() {
  arr_log_set(
      ARR_LOG_DEBUG, [](void*, int32_t, const char* line) { lines() += std::string(line) + "\n"; }, nullptr,
      nullptr);
}

arr_status adds() {
  const int64_t n = 100000;
  arr_array a = nullptr, b = nullptr;
  arr_status s = arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a);
  if (s == ARR_OK) s = arr_add(a, a, nullptr, &b);
  arr_release(a);
  arr_release(b);
  return s;
}

struct Variable {
  const char *name, *value;
  arr_status status;  // of adds()
  const char* text;   // of the error
};

TEST(Variables, ThatCannotBeFollowedAreErrors) {
  const std::string_view lowest = ARR_TEST_LOWEST_LEVEL;
  const Variable table[] = {
      {"ARR_ISA", "v5", ARR_E_ARGUMENT, "ARR_ISA: \"v5\" is not one of v2, v3, v4"},
      {"ARR_ISA", "99", ARR_E_ARGUMENT, "ARR_ISA: \"99\" is not one of v2, v3, v4"},
      lowest <= "v2"
          ? Variable{"ARR_ISA", "v2", ARR_OK, ""}
          : Variable{"ARR_ISA", "v2", ARR_E_UNSUPPORTED, "\"v2\": the lowest level of this library is"},
      {"ARR_ISA", "v4", ARR_OK, ""},
      {"ARR_ISA", "", ARR_OK, ""},
      {"ARR_MEMORY_LIMIT", "9223372036854775807", ARR_OK, ""},
      {"ARR_MEMORY_LIMIT", "9223372036854775808", ARR_E_ARGUMENT, "ARR_MEMORY_LIMIT"},
      {"ARR_MEMORY_LIMIT", "-1", ARR_E_ARGUMENT, "ARR_MEMORY_LIMIT"},
      {"ARR_MEMORY_LIMIT", "1000", ARR_E_MEMORY, "limit 1000"},
  };
  for (const Variable& v : table) {
    SCOPED_TRACE(std::string(v.name) + "=" + v.value);
    ARR_EXPECT_RIGHT([&]() -> std::string {
      setenv(v.name, v.value, 1);
      const arr_status first = adds();
      const std::string text = arr_last_error();
      if (first != v.status || adds() != v.status) return "status " + std::to_string(first) + " " + text;
      return expect_in(text, v.text);
    });
  }
}

struct Told {
  const char *name, *value;
  const char* line;  // of the log
};

TEST(Variables, ThatAreIgnoredAreInTheLog) {
  const Told table[] = {
      {"ARR_CHECK", "maybe", "ARR_CHECK: \"maybe\" is neither 0 nor 1, and is taken for 1"},
      {"ARR_HOST_DEBUG", "yes", "ARR_HOST_DEBUG: \"yes\" is neither 0 nor 1"},
      {"ARR_HOST_ASYNC", "on", "ARR_HOST_ASYNC: \"on\" is neither 0 nor 1"},
      {"ARR_HOST_FISSION", "/nonexistent.so", "ARR_HOST_FISSION: /nonexistent.so: No such file or directory"},
      {"ARR_HOST_FISSION", "pass.so", "ARR_HOST_FISSION: pass.so is neither 0 nor an absolute path"},
      {"ARR_HOST_KERNELS_MODULE", "here.so", "ARR_HOST_KERNELS_MODULE: not an absolute path, ignored"},
      {"ARR_CACHE_DIR", "here", "cache directory here: not an absolute path"},
      {"ARR_CACHE_BYTES", "many", "ARR_CACHE_BYTES: \"many\" is not a number of bytes"},
      {"ARR_CACHE_SHARED", "here", "ARR_CACHE_SHARED: here: not an absolute path"},
      {"ARR_CACHE_SHARED", "/nowhere",
       "ARR_CACHE_SHARED: cache directory /nowhere: No such file or directory"},
      {"TMPDIR", "here", "TMPDIR: here: not an absolute path"},
      {"ARR_BLAS", "here.so", "ARR_BLAS: not an absolute path"},
      {"ARR_FFTW", "here.so", "ARR_FFTW: not an absolute path"},
      {"ARR_FFTW_ALWAYS", "x", "ARR_FFTW_ALWAYS: \"x\" is neither 0 nor 1"},
      {"ARR_BACKEND_PATH", "here", "ARR_BACKEND_PATH: not an absolute path"},
  };
  for (const Told& t : table) {
    SCOPED_TRACE(std::string(t.name) + "=" + t.value);
    ARR_EXPECT_RIGHT([&]() -> std::string {
      setenv(t.name, t.value, 1);
      log_lines();
      static_cast<void>(adds());
      static_cast<void>(compiles());
      arr_array a = nullptr, out = nullptr;
      static_cast<void>(arr_eye(40, 40, 0, ARR_FLOAT64, ARR_ORDER_C, nullptr, nullptr, &a));
      static_cast<void>(arr_matmul(a, a, nullptr, &out));
      int32_t before = 0, count = 0;
      static_cast<void>(arr_fft_plan_effort(nullptr, ARR_FFT_MEASURE, &before));
      static_cast<void>(arr_fft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, &out));
      static_cast<void>(arr_device_count(ARR_CUDA, &count));
      arr_device_sync(nullptr);
      return expect_in(lines(), t.line);
    });
  }
}

// Returns the fault that body() finds in a thread with a stack of so many KiB.
std::string on_stack(std::size_t kib, std::string (*body)()) {
  struct Run {
    std::string (*body)();
    std::string wrong;
  } run{body, ""};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kib << 10);
  pthread_t thread;
  const auto start = [](void* ctx) -> void* {
    auto* r = static_cast<Run*>(ctx);
    r->wrong = r->body();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, start, &run) != 0) return "no thread";
  pthread_join(thread, nullptr);
  return run.wrong;
}

TEST(Threads, NeedAsMuchStackAsTheGuideSays) {
  ARR_EXPECT_RIGHT([]() -> std::string {
    return on_stack(64, [] {
      std::string wrong = adds() == ARR_OK ? "" : arr_last_error();
      return compiles() == ARR_OK ? wrong : wrong + arr_last_error();
    });
  });
}

}  // namespace
