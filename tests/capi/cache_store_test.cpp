// SPDX-License-Identifier: MIT
// A store of the caller's for compiled kernels, on the host and over the fake CUDA: what one process gives to
// it another finds, in which nothing was compiled; what is damaged is not used.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include "modules.h"

namespace arr_test {
namespace {

namespace fs = std::filesystem;

// Entries are files of a folder.
class Store {
 public:
  explicit Store(fs::path folder) : folder_(std::move(folder)) {}
  arr_status set() { return arr_cache_set_store(load, save, drop, this); }
  [[nodiscard]] const std::vector<std::string>& loaded() const { return loaded_; }
  int saves = 0, drops = 0;

 private:
  static int64_t load(void* ctx, const char* name, void* bytes, int64_t capacity) {
    auto* s = static_cast<Store*>(ctx);
    const std::lock_guard lock(s->mutex_);
    if (capacity == 0) s->loaded_.emplace_back(name);
    std::ifstream in(s->folder_ / name, std::ios::binary);
    if (!in) return -1;
    const std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (static_cast<int64_t>(all.size()) <= capacity) std::memcpy(bytes, all.data(), all.size());
    return static_cast<int64_t>(all.size());
  }
  static void save(void* ctx, const char* name, const void* bytes, int64_t count) {
    auto* s = static_cast<Store*>(ctx);
    const std::lock_guard lock(s->mutex_);
    ++s->saves;
    fs::create_directories((s->folder_ / name).parent_path());
    std::ofstream(s->folder_ / name, std::ios::binary).write(static_cast<const char*>(bytes), count);
  }
  static void drop(void* ctx) { ++static_cast<Store*>(ctx)->drops; }

  fs::path folder_;
  std::vector<std::string> loaded_;
  std::mutex mutex_;
};

arr_cache_stats counts() {
  arr_cache_stats s{};
  s.struct_size = sizeof s;
  EXPECT_EQ(arr_cache_info(&s), ARR_OK) << arr_last_error();
  return s;
}

class CacheStore : public Modules {
 protected:
  // Each process has a directory of its own, so that only the store is shared. Nothing of the library runs
  // before: a driver does not survive a fork.
  void SetUp() override {
    char path[] = "/tmp/arr-store-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    root_ = path;
    use("mine");
  }
  void TearDown() override {
    EXPECT_EQ(arr_cache_set_store(nullptr, nullptr, nullptr, nullptr), ARR_OK);
    fs::remove_all(root_);
  }
  void use(const char* folder) const { setenv("ARR_CACHE_DIR", (root_ / folder).c_str(), 1); }
  static constexpr const char* source = "extern \"C\" __global__ void k(int* o) {\n  *o = 7;\n}\n";
  // The result of the kernel; the module is compiled for it.
  int32_t seven() {
    Modules::SetUp();
    arr_module m = load(source);
    const int32_t v = run_k(m);
    EXPECT_EQ(arr_module_release(m), ARR_OK);
    Modules::TearDown();
    return v;
  }
  // Compiles in a process of its own, with the store.
  void compile_elsewhere() const {
    const pid_t child = fork();
    if (child == 0) {
      use("theirs");
      Store store(root_ / "store");
      const bool good =
          store.set() == ARR_OK && const_cast<CacheStore*>(this)->seven() == 7 && store.saves > 0;
      _exit(good && !HasFailure() ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  [[nodiscard]] std::vector<fs::path> kept() const {
    std::vector<fs::path> out;
    for (const auto& f : fs::directory_iterator(root_ / "store" / folder())) out.push_back(f.path());
    return out;
  }
  [[nodiscard]] const char* folder() const { return GetParam() == ARR_HOST ? "host-kernels" : "cuda"; }

  fs::path root_;
};

TEST_P(CacheStore, GivesWhatAnotherProcessCompiled) {
  compile_elsewhere();
  Store store(root_ / "store");
  ASSERT_EQ(store.set(), ARR_OK);
  EXPECT_EQ(seven(), 7);
  ASSERT_FALSE(kept().empty());
  for (const fs::path& file : kept()) {
    const fs::path name = fs::path(folder()) / file.filename();
    EXPECT_EQ(std::count(store.loaded().begin(), store.loaded().end(), name.string()), 1) << name;
    EXPECT_TRUE(fs::exists(root_ / "mine" / name)) << name;  // for the next time
  }
  EXPECT_EQ(store.saves, 0);
  EXPECT_GE(counts().hits, 1);
  EXPECT_EQ(arr_cache_set_store(nullptr, nullptr, nullptr, nullptr), ARR_OK);
  EXPECT_EQ(store.drops, 1);
}

TEST_P(CacheStore, WorksWithoutADirectory) {
  setenv("ARR_CACHE_BYTES", "0", 1);
  compile_elsewhere();
  Store store(root_ / "store");
  ASSERT_EQ(store.set(), ARR_OK);
  EXPECT_EQ(seven(), 7);
  EXPECT_EQ(store.saves, 0);
  EXPECT_EQ(arr_cache_set_store(nullptr, nullptr, nullptr, nullptr), ARR_OK);
  unsetenv("ARR_CACHE_BYTES");
}

TEST_P(CacheStore, DamageIsCompiledAgain) {
  compile_elsewhere();
  for (const fs::path& file : kept()) {
    std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
    f.seekg(-3, std::ios::end);
    const int byte = f.get();
    f.seekp(-3, std::ios::end).put(static_cast<char>(byte ^ 4));
  }
  Store store(root_ / "store");
  ASSERT_EQ(store.set(), ARR_OK);
  EXPECT_EQ(seven(), 7);
  EXPECT_GE(store.saves, 1);  // over the damage
  EXPECT_GE(counts().refused, 1);
  EXPECT_EQ(arr_cache_set_store(nullptr, nullptr, nullptr, nullptr), ARR_OK);
}

TEST_P(CacheStore, OneFunctionWillDo) {
  Store store(root_ / "store");
  ASSERT_EQ(arr_cache_set_store(
                nullptr, [](void* ctx, const char*, const void*, int64_t) { ++*static_cast<int*>(ctx); },
                nullptr, &store.saves),
            ARR_OK);
  EXPECT_EQ(seven(), 7);
  EXPECT_GE(store.saves, 1);
  ASSERT_EQ(store.set(), ARR_OK);  // ends the one before, which has no drop
  EXPECT_EQ(store.drops, 0);
  EXPECT_EQ(arr_cache_set_store(nullptr, nullptr, nullptr, nullptr), ARR_OK);
}

INSTANTIATE_TEST_SUITE_P(Host, CacheStore, testing::Values(ARR_HOST));
#ifdef ARR_WITH_CUDA
INSTANTIATE_TEST_SUITE_P(Cuda, CacheStore, testing::Values(ARR_CUDA));
#endif

}  // namespace
}  // namespace arr_test
