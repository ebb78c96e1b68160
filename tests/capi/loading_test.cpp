// SPDX-License-Identifier: MIT
// The places where the module of a backend is looked for, and the handling of one that is not it: each in a
// process of its own, the program probe.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Answer {
  std::string text;
  int code = -1;  // of the program's end
  [[nodiscard]] bool has(const std::string& part) const { return text.find(part) != std::string::npos; }
  [[nodiscard]] size_t count(const std::string& line) const {
    size_t n = 0;
    for (size_t at = 0; (at = text.find(line, at)) != std::string::npos; at += line.size()) ++n;
    return n;
  }
};

class Loading : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/arr-loading-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    root_ = path;
    fs::permissions(root_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  }
  void TearDown() override { fs::remove_all(root_); }

  // The folder, with the plug-in in it as libarr_cuda.so.
  [[nodiscard]] fs::path planted(const char* name, const char* library = ARR_TEST_PLUGIN) const {
    fs::create_directories(root_ / name);
    fs::copy_file(library, module_in(root_ / name));
    return root_ / name;
  }
  static fs::path module_in(const fs::path& folder) { return folder / "libarr_cuda.so"; }
  // A copy of libarr in a folder, which the program is then told to take.
  [[nodiscard]] fs::path library_in(const char* name) const {
    fs::create_directories(root_ / name);
    fs::copy_file(ARR_TEST_LIBRARY, root_ / name / "libarr.so.0");
    return root_ / name;
  }
  // The answer of the program: in that folder, with these variables NAME=VALUE.
  [[nodiscard]] Answer probe(const std::vector<std::string>& variables, int threads = 1,
                             const std::string& program = ARR_TEST_PROBE) const {
    const fs::path output = root_ / "output", folder = folder_.empty() ? root_ : folder_;
    const std::string count = std::to_string(threads);
    const pid_t child = fork();
    if (child == 0) {
      const int to = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      if (to < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0) _exit(98);
      unsetenv("ARR_BACKEND_PATH");
      for (const std::string& v : variables) {
        setenv(v.substr(0, v.find('=')).c_str(), v.substr(v.find('=') + 1).c_str(), 1);
      }
      if (chdir(folder.c_str()) == 0) execl(program.c_str(), program.c_str(), count.c_str(), nullptr);
      _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::ifstream in(output);
    return {{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()},
            WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
  }

  fs::path root_, folder_;
};

#define ARR_SAYS(answer, part) EXPECT_TRUE((answer).has(part)) << (part) << " is not in\n" << (answer).text
#define ARR_ENDS(answer) EXPECT_EQ((answer).code, 0) << (answer).text

TEST_F(Loading, AbsolutePath) {
  const fs::path there = planted("there");
  const Answer a = probe({"ARR_BACKEND_PATH=" + there.string()});
  ARR_ENDS(a);
  ARR_SAYS(a, "plug-in: loaded");
  ARR_SAYS(a, "state 1\n" + module_in(there).string() +
                  ": loaded\nplug-in: looked around\nthe plug-in finds no device\n");
}

TEST_F(Loading, NothingThere) {
  for (const std::string& path : {root_.string(), root_.string() + "/nowhere"}) {
    const Answer a = probe({"ARR_BACKEND_PATH=" + path});
    ARR_ENDS(a);
    ARR_SAYS(a, "state 0\n" + path + "/libarr_cuda.so: ");
    ARR_SAYS(a, "No such file or directory");
  }
}

// The current directory is nobody's choice: not with a relative path, an empty one or none.
TEST_F(Loading, RelativePathsAndTheCurrentDirectory) {
  folder_ = planted("here");
  const fs::path beside = library_in("alone");
  for (const std::string path :
       {"ARR_BACKEND_PATH=.", "ARR_BACKEND_PATH=../here", "ARR_BACKEND_PATH=", "UNUSED=1"}) {
    const Answer a = probe({path, "LD_LIBRARY_PATH=" + beside.string()});
    ARR_ENDS(a);
    EXPECT_FALSE(a.has("plug-in")) << path << "\n" << a.text;
    const bool relative = path.starts_with("ARR_BACKEND_PATH=");
    EXPECT_EQ(a.has("ARR_BACKEND_PATH: not an absolute path, ignored\n"), relative) << a.text;
    ARR_SAYS(a, module_in(beside).string() + ": ");
    ARR_SAYS(a, "No such file or directory");
  }
}

// Nor are the loader's search and the place of a symbolic link.
TEST_F(Loading, BesideTheLibraryItself) {
  const fs::path beside = library_in("library"), other = planted("search"), link = planted("link");
  fs::create_symlink(beside / "libarr.so.0", link / "libarr.so.0");
  const Answer without = probe({"LD_LIBRARY_PATH=" + link.string() + ":" + other.string()});
  ARR_ENDS(without);
  EXPECT_FALSE(without.has("plug-in")) << without.text;
  ARR_SAYS(without, module_in(beside).string() + ": ");
  ARR_SAYS(without, "No such file or directory");

  fs::copy_file(ARR_TEST_PLUGIN, module_in(beside));
  const Answer with = probe({"LD_LIBRARY_PATH=" + link.string()});
  ARR_ENDS(with);
  ARR_SAYS(with, "state 1\n" + module_in(beside).string() + ": loaded\n");
}

TEST_F(Loading, FilesThatAreNoModule) {
  std::ifstream in(ARR_TEST_PLUGIN, std::ios::binary);
  const std::string plugin{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  ASSERT_GT(plugin.size(), 1000U);
  const auto with = [&](size_t at, char byte) {
    std::string other = plugin;
    other[at] = byte;
    return other;
  };
  const std::pair<std::string, const char*> bad[] = {
      {"", "file too short"},
      {"junk", "file too short"},
      {std::string(5000, 'j'), "invalid ELF header"},
      {"INPUT(/etc/passwd)\n" + std::string(5000, ' '), "invalid ELF header"},  // a text for the linker
      {with(4, 1), "wrong ELF class: ELFCLASS32"},
      {with(18, static_cast<char>(183)),
       "cannot open shared object file: No such file or directory"},  // AArch64
      {with(5, 2), "ELF file data encoding not little-endian"},
  };
  const fs::path there = root_ / "there";
  fs::create_directory(there);
  for (const auto& [bytes, text] : bad) {
    std::ofstream(module_in(there), std::ios::binary) << bytes;
    const Answer a = probe({"ARR_BACKEND_PATH=" + there.string()});
    ARR_ENDS(a);
    ARR_SAYS(a, "state 0\n" + module_in(there).string() + ": ");
    ARR_SAYS(a, text);
    EXPECT_FALSE(a.has("plug-in")) << a.text;
  }
  fs::remove(module_in(there));
  fs::create_directory(module_in(there));
  const Answer folder = probe({"ARR_BACKEND_PATH=" + there.string()});
  ARR_ENDS(folder);
  ARR_SAYS(folder, "cannot read file data: Is a directory");
}

TEST_F(Loading, LibrariesThatAreNoModule) {
  const fs::path none = planted("none", ARR_TEST_PLUGIN_WITHOUT_OPEN);
  const Answer a = probe({"ARR_BACKEND_PATH=" + none.string()});
  ARR_ENDS(a);
  ARR_SAYS(a, "plug-in: loaded");
  ARR_SAYS(a, "state 0\n" + module_in(none).string() + ": it exports no arr_backend_open\n");

  const fs::path there = planted("there");
  for (const char* wish : {"older", "newer", "smaller", "larger", "refuses"}) {
    const Answer other = probe({"ARR_BACKEND_PATH=" + there.string(), std::string("PLUGIN=") + wish});
    ARR_ENDS(other);
    ARR_SAYS(other, "plug-in: opened");
    ARR_SAYS(other,
             "state 0\n" + module_in(there).string() +
                 (wish == std::string("refuses") ? ": not for version " : ": its interface is version "));
    EXPECT_FALSE(other.has("looked around")) << other.text;  // none of its functions is called
  }
  const Answer low = probe({"ARR_BACKEND_PATH=" + there.string(), "PLUGIN=smaller below"});
  ARR_ENDS(low);
  ARR_SAYS(low, "state 0\n" + module_in(there).string() + ": its tables have ");
}

// No memory says nothing of the module: who comes next tries again.
TEST_F(Loading, ShortOfMemoryIsNotRemembered) {
  const fs::path there = planted("there");
  const Answer a = probe({"ARR_BACKEND_PATH=" + there.string(), "PLUGIN=short of memory once"});
  ARR_ENDS(a);
  ARR_SAYS(a, "error arr_backend_probe: no memory for the plug-in\nthen state 1\n");
}

TEST_F(Loading, ThirtyTwoThreadsLoadOnce) {
  const fs::path there = planted("there");
  for (int round = 0; round < 10; ++round) {
    const Answer a = probe({"ARR_BACKEND_PATH=" + there.string()}, 32);
    ARR_ENDS(a);
    for (const char* line : {"plug-in: loaded\n", "plug-in: opened\n", "plug-in: looked around\n"}) {
      EXPECT_EQ(a.count(line), 1U) << a.text;
    }
  }
}

TEST_F(Loading, OffInProgramsWithMoreRightsThanTheirUser) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "LeakSanitizer cannot look into a program with more rights";
#endif
  if (geteuid() != 0) GTEST_SKIP() << "only root can make programs of other users";
  constexpr uid_t nobody = 65534;
  const fs::path there = planted("there"), program = root_ / "program";
  fs::permissions(there, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
  fs::copy_file(ARR_TEST_PROBE, program);
  ASSERT_EQ(chown(program.c_str(), nobody, nobody), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  const Answer a = probe({"ARR_BACKEND_PATH=" + there.string()}, 1, program.string());
  ARR_ENDS(a);
  ARR_SAYS(a, "state ");
  EXPECT_FALSE(a.has("plug-in")) << a.text;
}

}  // namespace
