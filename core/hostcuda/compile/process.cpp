// SPDX-License-Identifier: MIT
#include "hostcuda/compile/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/dynamic_library.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"

namespace arr::host_kernels {
namespace {

// File actions and attributes of posix_spawn, freed at the end of the scope.
struct SpawnSetup {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  explicit SpawnSetup(const std::string& output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_init(&attributes);
    sigset_t none, defaults;  // whatever the caller has blocked or ignored is not the compiler's business
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGCHLD);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
};

// The environment with messages in English, which libarr can parse, and without LD_PRELOAD libraries: these
// are meant for the user's program, and some break compilers.
std::vector<char*> compiler_environment() {
  static char locale[] = "LC_ALL=C";
  std::vector<char*> result;
  for (char** entry = environ; *entry != nullptr; entry++)
    if (std::strncmp(*entry, "LC_ALL=", 7) != 0 && std::strncmp(*entry, "LD_PRELOAD=", 11) != 0)
      result.push_back(*entry);
  result.push_back(locale);
  result.push_back(nullptr);
  return result;
}

bool is_executable_file(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

int run_program(const std::vector<std::string>& argv, const std::string& output) {
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const std::vector<char*> variables = compiler_environment();
  SpawnSetup setup(output);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0].c_str(), &setup.actions, &setup.attributes, arguments.data(),
                                variables.data());
  if (error != 0) throw_if_transient(error, argv[0]);
  if (error != 0) fail(ARR_E_UNAVAILABLE, argv[0], ": ", std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    return 0;  // the caller's process reaps children itself; existing output shows success
  }
  if (status != 0) check_descriptors(argv[0]);  // it has as many as this process
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return program[0] == '/' && is_executable_file(program) ? program : std::string();
  std::string search = environment("PATH");
  if (search.empty()) search = "/usr/local/bin:/usr/bin:/bin";
  for (size_t from = 0; from <= search.size();) {
    size_t to = search.find(':', from);
    if (to == std::string::npos) to = search.size();
    std::string path = search.substr(from, to - from) + "/" + program;
    if (search[from] == '/' && is_executable_file(path)) return path;
    from = to + 1;
  }
  return {};
}

PrivateDirectory::PrivateDirectory() {
  std::string base = environment("TMPDIR");
  if (!base.empty() && base[0] != '/') {
    log_line(log_level::warning, "TMPDIR: ", base, ": not an absolute path, ignored");
    base.clear();
  }
  if (base.empty()) base = "/tmp";
  path_ = base + "/arr-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr)
    fail(ARR_E_IO, "directory ", base, " for temporary files: ", std::strerror(errno));
}

PrivateDirectory::~PrivateDirectory() {
  if (DIR* directory = opendir(path_.c_str())) {
    while (const dirent* entry = readdir(directory)) unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
  }
  rmdir(path_.c_str());
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) fail(ARR_E_IO, "temporary file ", path, ": ", std::strerror(errno));
}

}  // namespace arr::host_kernels
