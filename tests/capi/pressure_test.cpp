// SPDX-License-Identifier: MIT
// arr_memory_pressure as a language with a garbage collector uses it: handles pile up until the library says
// that a collection would help. Each loop in a process of its own, some with little memory.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>

#include "support.h"

namespace {

constexpr int64_t mib = int64_t{1} << 20;

// The observations of a loop; a child sends them through a pipe.
struct Seen {
  int64_t peak = 0, collections = 0;
  bool good = false;
};

int64_t in_use(const arr_device& device) {
  arr_memory_stats s{};
  s.struct_size = sizeof s;
  return arr_memory_info(&device, &s) == ARR_OK ? s.in_use : -1;
}

arr_array ones(int64_t bytes, const arr_device& device) {
  arr_array a = nullptr;
  // On the host the memory is touched; a device's is what it says.
  const auto make = device.type == ARR_HOST ? arr_ones : arr_create;
  static_cast<void>(make(ARR_UINT8, 1, &bytes, ARR_ORDER_C, &device, nullptr, &a));
  return a;
}

// `count` temporaries of bytes(i), besides what is live all the time.
Seen loop(const arr_device& device, int count, const std::function<int64_t(int)>& bytes, int64_t live = 0) {
  Seen seen;
  arr_array kept = live == 0 ? nullptr : ones(live, device);
  static_cast<void>(arr_memory_pressure());
  std::vector<arr_array> garbage;
  const auto collect = [&] {
    for (arr_array a : garbage) arr_release(a);
    garbage.clear();
  };
  seen.good = true;
  for (int i = 0; i < count; ++i) {
    garbage.push_back(ones(bytes(i), device));
    seen.good = seen.good && garbage.back() != nullptr;
    if (count < 1000 || i % 1000 == 0) seen.peak = std::max(seen.peak, in_use(device));
    if (!arr_memory_pressure()) continue;
    ++seen.collections;
    collect();
  }
  collect();
  arr_release(kept);
  return seen;
}
std::function<int64_t(int)> always(int64_t bytes) {
  return [bytes](int) { return bytes; };
}

// Returns the result of body() in a child that has not used the library before.
Seen in_child(const std::function<Seen()>& body) {
  int ends[2];
  Seen seen;
  if (pipe(ends) != 0) return seen;
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);
    seen = body();
    if (!seen.good) static_cast<void>(!write(STDERR_FILENO, arr_last_error(), std::strlen(arr_last_error())));
    _exit(write(ends[1], &seen, sizeof seen) == sizeof seen ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &seen, sizeof seen) != sizeof seen) seen = {};
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  return seen;
}

int64_t machine() { return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

constexpr arr_device host{ARR_HOST, 0};

TEST(Pressure, TemporariesStayWithinAShareOfTheMachine) {
  const Seen seen = in_child([] { return loop(host, 60, always(100 * mib)); });
  EXPECT_TRUE(seen.good);
  EXPECT_LE(seen.peak, std::max(machine() / 4, 400 * mib));
  EXPECT_GE(seen.collections, 4);
  EXPECT_LE(seen.collections, 30);  // at least 200 MB are new between two of them
}

TEST(Pressure, SmallOnesCountToo) {
  const Seen seen = in_child([] { return loop(host, 1000000, always(1000)); });
  EXPECT_TRUE(seen.good);
  EXPECT_GE(seen.collections, 3);
  EXPECT_LE(seen.peak, std::max(machine() / 4, 400 * mib));
}

TEST(Pressure, ManyLiveBytesMakeCollectionsRare) {
  if (machine() < 8192 * mib) GTEST_SKIP() << "a machine with little memory";
  const Seen seen = in_child([] { return loop(host, 60, always(50 * mib), 1000 * mib); });
  EXPECT_TRUE(seen.good);
  EXPECT_GE(seen.collections, 3);
  EXPECT_LE(seen.collections, 6);  // half of what is live is new between two of them
}

TEST(Pressure, ThereIsNoneWhereNothingPilesUp) {
  const Seen seen = in_child([] {
    Seen s;
    s.good = true;
    for (int i = 0; i < 100; ++i) {
      arr_array a = ones(100 * mib, host);
      s.good = s.good && a != nullptr && !arr_memory_pressure();
      arr_release(a);
    }
    return s;
  });
  EXPECT_TRUE(seen.good);
}

TEST(Pressure, KeepsWithinALimit) {
  const Seen seen = in_child([] {
    static_cast<void>(arr_memory_limit(&host, 400 * mib));
    return loop(host, 60, always(30 * mib), 100 * mib);
  });
  EXPECT_TRUE(seen.good);
  EXPECT_LE(seen.peak, 250 * mib);
  EXPECT_LE(seen.collections, 60);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need address space of their own
TEST(Pressure, KeepsWithinTheAddressSpace) {
  const Seen seen = in_child([] {
    const rlimit limit{1500 * mib, 1500 * mib};
    setrlimit(RLIMIT_AS, &limit);
    return loop(host, 60, always(100 * mib));
  });
  EXPECT_TRUE(seen.good);
  EXPECT_LE(seen.peak, 750 * mib);
}
#endif

// A control group of its own with so many bytes, while there may be one.
class Group {
 public:
  explicit Group(int64_t bytes) {
    const std::string name = "/arr-pressure-" + std::to_string(getpid());
    for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/memory"}) {
      path_ = root + name;
      if (mkdir(path_.c_str(), 0700) != 0) continue;
      for (const char* file : {"/memory.max", "/memory.limit_in_bytes"}) {
        if (access((path_ + file).c_str(), W_OK) == 0) there_ = put(file, bytes);
      }
      if (there_) return;
      rmdir(path_.c_str());
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (there_) rmdir(path_.c_str());
  }
  [[nodiscard]] bool there() const { return there_; }
  [[nodiscard]] bool enter() const { return put("/cgroup.procs", getpid()); }

 private:
  [[nodiscard]] bool put(const char* file, int64_t number) const {
    std::ofstream out(path_ + file);
    out << number << std::flush;
    return out.good();
  }
  std::string path_;
  bool there_ = false;
};

// Sizes that grow: what the pool keeps of one is of no use for the next, and is given back in time.
TEST(Pressure, KeepsWithinAControlGroup) {
  const Group group(400 * mib);
  if (!group.there()) GTEST_SKIP() << "control groups of memory are not for this user to make";
  const Seen seen = in_child([&] {
    if (!group.enter()) return Seen{};
    Seen s = loop(host, 60, always(30 * mib));
    s.good = s.good && loop(host, 60, [](int i) { return (30 + i) * mib; }).good;
    return s;
  });
  EXPECT_TRUE(seen.good);
  EXPECT_LE(seen.peak, 200 * mib);
}

TEST(Pressure, KeepsWithinADevice) {
  const Seen seen = in_child([] {
    setenv("ARR_FAKE_CUDA_SET", "memory=1073741824", 1);
    int32_t count = 0;
    if (arr_device_count(ARR_CUDA, &count) != ARR_OK || count == 0) return Seen{-1, 0, true};
    return loop({ARR_CUDA, 0}, 100, always(30 * mib), 200 * mib);
  });
  if (seen.peak < 0) GTEST_SKIP() << "no CUDA module";
  EXPECT_TRUE(seen.good);
  EXPECT_LE(seen.peak, 400 * mib);
  EXPECT_GE(seen.collections, 20);
  EXPECT_LE(seen.collections, 30);
}

}  // namespace
